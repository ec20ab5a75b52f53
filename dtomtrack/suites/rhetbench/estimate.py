"""The calls, tokens and dollars that a run will take, found out without calling anybody.

Of a model that has not played yet nobody knows how it will: episodes are rehearsed (`rehearsal`), and the estimate is
the range of all that can be. One that has played some of them is foretold the rest from what those took, as its
server counted it (`foretelling`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.evaluation.estimate import SubjectEstimate
from dtomtrack.evaluation.statistics import check_packages
from dtomtrack.llm.chat import Usage
from dtomtrack.llm.journal import JOURNAL
from dtomtrack.llm.prices import Price, load_prices
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.spent import Spent, spent_by_unit
from dtomtrack.suites.rhetbench.foretelling import LEAST_PLAYED, Foretold, foretell
from dtomtrack.suites.rhetbench.job import PersuasionJob, unit_of
from dtomtrack.suites.rhetbench.planning import episode_config
from dtomtrack.suites.rhetbench.play_run import PlayRequest
from dtomtrack.suites.rhetbench.played import PlayedSubject, played_subjects
from dtomtrack.suites.rhetbench.rehearsal import Course, Rehearsed, rehearse

__all__ = ["PlayEstimate", "estimate_play"]


@dataclass(frozen=True)
class PlayEstimate:
    """An estimate of what a model will take in a subject's episodes that are not played yet.

    Attributes:
        expected: ``least`` and ``most`` are the ends of a range: the 95 % prediction interval if ``played`` is above
            0, else the shortest and the longest play that there can be.
        played: episodes that the estimate goes by.
        left: episodes that it is for.
    """

    expected: SubjectEstimate
    least: SubjectEstimate
    most: SubjectEstimate
    played: int
    left: int


def estimate_play(request: PlayRequest) -> tuple[PlayEstimate, ...]:
    """Estimates for each subject, and for the models that classify its messages and word replies to it, if any do.

    Raises:
        InputError: it can't be played, or an extra is missing.
        DatasetError: what was played in its folder is damaged.
        ModelSpecError: the table of prices can't be used.
    """
    request.check()
    found: list[PlayEstimate] = []
    for subject in request.subjects:
        job = request.job(subject)
        found += _from_played(request, job) or _rehearsed(request, job)
    return tuple(found)


def _rehearsed(request: PlayRequest, job: PersuasionJob) -> list[PlayEstimate]:
    """The estimates of a subject of whom nothing is known."""
    by_course = {course: _on_course(request, job, course) for course in _COURSES}
    total = len(job.packs) * request.play.samples
    estimates: list[PlayEstimate] = []
    for name, model, of in _parts(job):
        price = _price(request, model)
        least, expected, most = (_estimate(name, of(by_course[course]), model, price) for course in _COURSES)
        estimates.append(PlayEstimate(expected, least, most, 0, total))
    return estimates


_COURSES: tuple[Course, ...] = ("least", "expected", "most")
_NOTHING = Rehearsed(Spent(), Spent(), Spent())


def _on_course(request: PlayRequest, job: PersuasionJob, course: Course) -> Rehearsed:
    if job.client is None:
        return _NOTHING
    samples = request.play.samples
    if course == "expected":
        return asyncio.run(rehearse(job, course, range(len(job.packs) * samples)))
    # the others leave nothing to chance: one episode of a character is like the next
    once = asyncio.run(rehearse(job, course, range(len(job.packs))))
    return Rehearsed(*(_times(one, samples) for one in (once.persuader, once.classifier, once.verbalizer)))


def _times(one: Spent, times: int) -> Spent:
    return Spent(one.calls * times, Usage(one.usage.prompt_tokens * times, one.usage.completion_tokens * times))


def _parts(job: PersuasionJob) -> list[tuple[str, ModelSpec | None, Callable[[Rehearsed], Spent]]]:
    """Who takes part in the episodes of a subject: the name, the model, and what it was asked in a rehearsal."""
    parts: list[tuple[str, ModelSpec | None, Callable[[Rehearsed], Spent]]] = [
        (job.subject, job.spec, lambda one: one.persuader)
    ]
    if job.classifier is not None:
        name = f"{job.play.classifier}, classifier of {job.subject}"
        parts.append((name, job.classifier, lambda one: one.classifier))
    if job.verbalizer is not None:
        parts.append((f"{job.play.verbalizer}, replies to {job.subject}", job.verbalizer, lambda one: one.verbalizer))
    return parts


# -- from what was played ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pilot:
    """The episodes that a subject has played: their numbers and characters; and the characters of those left."""

    journal: Path
    played: Mapping[int, str]
    left: Sequence[str]

    def foretold(self, spent: Mapping[str, Spent], amount: Callable[[Spent], float]) -> Foretold:
        """A sum over the episodes left, going by what each of those played took."""
        found = [(one, amount(spent.get(unit_of(index), Spent()))) for index, one in self.played.items()]
        return foretell(found, self.left)


def _from_played(request: PlayRequest, job: PersuasionJob) -> list[PlayEstimate]:
    """The estimates of a subject that has played enough of it, with a journal to tell what that took; else none."""
    pilot = _pilot(request, job)
    if job.client is None or pilot is None or len(pilot.played) < LEAST_PLAYED:
        return []
    spent = [(name, model, spent_by_unit(pilot.journal, model)) for name, model in _models(job)]
    if not any(units for _, _, units in spent):
        return []
    check_packages()
    return [_of_pilot(name, _price(request, model), pilot, units) for name, model, units in spent]


def _models(job: PersuasionJob) -> list[tuple[str, ModelSpec]]:
    """The models of a subject by the name of their first part: what one with two parts took is not told apart."""
    found: dict[ModelSpec, str] = {}
    for name, model, _ in _parts(job):
        if model is not None:
            found.setdefault(model, name)
    return [(name, model) for model, name in found.items()]


def _pilot(request: PlayRequest, job: PersuasionJob) -> _Pilot | None:
    for one in played_subjects(request.out):
        # as written: how many samples there are to be is no part of the settings
        if one.config.model_dump() == job.config.model_dump():
            return _pilot_of(one, job, len(request.packs) * request.play.samples)
    return None


def _pilot_of(subject: PlayedSubject, job: PersuasionJob, total: int) -> _Pilot:
    played = {episode.index: episode.config.scenario for episode in subject.episodes()}
    left = [episode_config(job.play, job.packs, index)[0].id for index in range(total) if index not in played]
    return _Pilot(subject.folder / JOURNAL, played, left)


def _of_pilot(name: str, price: Price | None, pilot: _Pilot, units: Mapping[str, Spent]) -> PlayEstimate:
    calls = pilot.foretold(units, lambda one: one.calls)
    prompts = pilot.foretold(units, lambda one: one.usage.prompt_tokens)
    replies = pilot.foretold(units, lambda one: one.usage.completion_tokens)
    cost = None if price is None else pilot.foretold(units, lambda one: price.of(one.usage))

    def at(end: Callable[[Foretold], float]) -> SubjectEstimate:
        dollars = None if cost is None else end(cost)
        return SubjectEstimate(name, round(end(calls)), round(end(prompts)), round(end(replies)), dollars)

    ends = (at(lambda one: one.value), at(lambda one: one.low), at(lambda one: one.high))
    return PlayEstimate(*ends, played=len(pilot.played), left=len(pilot.left))


def _price(request: PlayRequest, model: ModelSpec | None) -> Price | None:
    return None if model is None else load_prices(request.client.prices).of(model)


def _estimate(name: str, spent: Spent, model: ModelSpec | None, price: Price | None) -> SubjectEstimate:
    """What was rehearsed, and what it costs; nothing where no model takes part."""
    cost = 0.0 if model is None else None if price is None else price.of(spent.usage)
    return SubjectEstimate(name, spent.calls, spent.usage.prompt_tokens, spent.usage.completion_tokens, cost)
