"""A second judge over stored replies: the job, and how far the two agree."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.agreement import Agreement, agreement
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.records import Record, Text
from dtomtrack.runs.engines import Engine, open_engine
from dtomtrack.runs.folder import check_finished, read_manifest
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.run import run
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.route.terms import EVIDENCE_DIMENSIONS, ROUTES
from dtomtrack.suites.model_job import ModelJob
from dtomtrack.suites.subjects import SubjectReport, subject_folder
from dtomtrack.suites.tomelp.play_job import PlayConfig, judge_spec, play_config
from dtomtrack.suites.tomelp.play_run import PLAY
from dtomtrack.suites.tomelp.played import PLAYS, PlayedReply, PlayedState
from dtomtrack.suites.tomelp.states import StateFile

if TYPE_CHECKING:
    from dtomtrack.runs.job import SlotFiller

__all__ = ["JUDGES", "JudgedAgain", "finished_plays", "judge_plays_again", "judged_by"]

JUDGES = "judges"
"""The folder, in a play's, of judgements by others."""


class JudgingConfig(Record):
    """Everything that decides the bytes of judgements by another judge.

    Attributes:
        play: the configuration of the play whose replies are judged; ``plays``: how many states it has.
    """

    judge: Text
    address: str | None = None
    seed: int = 0
    play: PlayConfig


class JudgedAgain(Record):
    """Two judges on the replies of one subject.

    Attributes:
        agreement: by dimension.
    """

    subject: Text
    first: Text
    second: Text
    agreement: dict[str, Agreement]


@dataclass(frozen=True)
class JudgingJob(ModelJob):
    """Judges the replies of a play again (a `dtomtrack.runs.job.Job`)."""

    folder: Path
    play: Path
    config: JudgingConfig
    spec: ModelSpec | None = None

    suite = "tomelp"
    files = (PLAYS,)
    slots_without_models = 4
    calls_of_slot = 4

    @property
    def specs(self) -> tuple[ModelSpec | None, ...]:
        """The judge."""
        return (self.spec,)

    @property
    def stages(self) -> Mapping[str, str]:
        """Who does what."""
        return {"judge": self.config.judge}

    @asynccontextmanager
    async def open(self, place: Workplace) -> AsyncIterator[SlotFiller]:
        """Get ready for work in this process."""
        from dtomtrack.suites.tomelp.model_judge import ModelPanel
        from dtomtrack.suites.tomelp.playing import judge_again
        from dtomtrack.suites.tomelp.rule_judge import RulePanel

        states, played = StateFile(self.folder), list(read_lines(self.play / PLAYS, PlayedState))
        async with self.open_models(place) as (model,):

            async def fill(index: int) -> SlotLines:
                state = states[index]
                panel = RulePanel(state) if model is None else ModelPanel(model, f"state {state.id}", self.config.seed)
                return _lines(await judge_again(index, state, _whole(played[index]), panel))

            yield fill

    def card(self, manifest: Manifest) -> str:
        """The card of the finished folder."""
        return f"# Judged again\n\nThe replies of {self.config.play.subject} before the judge {self.config.judge}.\n"


def _whole(played: PlayedState) -> PlayedState:
    """A state without what was judged or written with a part of the design taken away."""
    replies = tuple(one for one in played.replies if one.ablation == "none")
    return played.model_copy(update={"replies": replies})


def _lines(played: PlayedState) -> SlotLines:
    return SlotLines(played.index, {PLAYS: to_lines([played])}, Counts(dialogues=1))


def finished_plays(folder: Path) -> list[Path]:
    """The folders of a dataset's finished plays.

    Raises:
        DatasetError: there is none, or one is not finished or of other states.
    """
    root = folder / PLAY
    found = sorted(one for one in root.iterdir() if (one / PLAYS).is_file()) if root.is_dir() else []
    if not found:
        raise DatasetError(f"{root}: holds no play; dtomtrack play tomelp {folder} makes some")
    for one in found:
        manifest = read_manifest(one)
        if manifest is not None:
            check_finished(one, manifest)
    return found


async def judge_plays_again(
    folder: Path,
    judge: str,
    client: ClientSettings,
    base_url: str | None = None,
    command: str = "",
    report: SubjectReport | None = None,
    engine: Engine | None = None,
) -> list[JudgedAgain]:
    """Have the stored replies of a dataset's plays judged by another judge, and compare it with the first.

    Plays that it judged first (`judged_by`) are left out. All plays are looked at before the first call.

    Args:
        report: called with the subject whose replies are judged, and how far that is.
        engine: has them judged; this process if not given.

    Raises:
        InputError: the judge can't be used, or is the first one of all plays.
        DatasetError: there is no finished play, or it is of other states.
        ModelError: no answer can be had; the same call goes on.
    """
    stored = [_stored(folder, play) for play in finished_plays(folder)]
    others = [one for one in stored if one.config.judge != judge]
    if not others:
        raise InputError(f"{stored[0].folder}: was judged by {judge} already; name another --judge")
    works = engine or open_engine("local")
    return [await _judge_play(folder, one, judge, client, base_url, command, report, works) for one in others]


def judged_by(folder: Path, judge: str) -> list[str]:
    """The subjects of a dataset's finished plays that this judge judged first.

    Raises:
        DatasetError: there is no finished play, or it is of other states.
    """
    stored = (_stored(folder, play).config for play in finished_plays(folder))
    return [config.subject for config in stored if config.judge == judge]


class _Stored(NamedTuple):
    """A finished play and how it was made."""

    folder: Path
    config: PlayConfig
    n: int


def _stored(folder: Path, play: Path) -> _Stored:
    manifest = read_manifest(play)
    if manifest is None:
        raise DatasetError(f"{play}: has no manifest; play again")
    return _Stored(play, play_config(folder, play, manifest), manifest.n)


async def _judge_play(
    folder: Path,
    play: _Stored,
    judge: str,
    client: ClientSettings,
    base_url: str | None,
    command: str,
    report: SubjectReport | None,
    engine: Engine,
) -> JudgedAgain:
    spec, config = judge_spec(judge, base_url), play.config
    judging = JudgingConfig(judge=judge, address=spec and spec.base_url, seed=config.seed, play=config)
    job = JudgingJob(folder, play.folder, judging, spec, settings=client)
    out = subject_folder(play.folder / JUDGES, judge, "judge")
    told = None if report is None else partial(report, config.subject)
    await run(job, engine, n=play.n, out=out, command=command, report=told)
    return _compared(config, judge, play.folder, out)


def _compared(config: PlayConfig, judge: str, play: Path, out: Path) -> JudgedAgain:
    pairs: dict[str, list[tuple[float | None, float | None]]] = {}
    for one, other in zip(read_lines(play / PLAYS, PlayedState), read_lines(out / PLAYS, PlayedState), strict=True):
        for name, pair in _pairs(_whole(one).replies, other.replies):
            pairs.setdefault(name, []).append(pair)
    return JudgedAgain(
        subject=config.subject,
        first=config.judge,
        second=judge,
        agreement={name: agreement(own) for name, own in pairs.items()},
    )


def _pairs(
    ones: Iterable[PlayedReply], others: Iterable[PlayedReply]
) -> Iterator[tuple[str, tuple[float | None, float | None]]]:
    for one, other in zip(ones, others, strict=True):
        if one.text is not None:
            first, second = _scores(one), _scores(other)
            for name in dict.fromkeys((*first, *second)):
                yield name, (first.get(name), second.get(name))


def _scores(reply: PlayedReply) -> dict[str, float | None]:
    verdicts = reply.verdicts
    scores: dict[str, float | None] = {
        "attitude": verdicts.attitude,
        "match": verdicts.match,
        "route": None if verdicts.blind is None else float(ROUTES.index(verdicts.blind)),
        "alignment": verdicts.alignment,
    }
    if verdicts.evidence is not None:
        scores |= dict(zip(EVIDENCE_DIMENSIONS, map(float, verdicts.evidence), strict=True))
    return scores
