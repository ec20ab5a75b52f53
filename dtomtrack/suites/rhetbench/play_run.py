"""A run: subjects play the episodes of a plan, each into a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import InputError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec, check_one_provider, parse_spec
from dtomtrack.options import did_you_mean
from dtomtrack.runs.engines import Engine, open_engine
from dtomtrack.runs.folder import MANIFEST, read_manifest
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import CHARACTERS
from dtomtrack.suites.items.records import CONTEXTS, ITEMS
from dtomtrack.suites.rhetbench.dataset import CARD, write_questions
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.exploits import exploit_names
from dtomtrack.suites.rhetbench.foretelling import LEAST_PLAYED
from dtomtrack.suites.rhetbench.job import EPISODES, PersuasionJob
from dtomtrack.suites.rhetbench.metrics import PersuasionMetrics, measure
from dtomtrack.suites.rhetbench.planning import PlayConfig
from dtomtrack.suites.rhetbench.played import SUITE_NAME, check_plan, played_subjects
from dtomtrack.suites.rhetbench.policies import policy_names
from dtomtrack.suites.rhetbench.rules import ABLATIONS, load_rules
from dtomtrack.suites.rhetbench.talking import Talking
from dtomtrack.suites.subjects import PlayPlan, SubjectReport, parse_subject, refuse_twice, run_subjects

if TYPE_CHECKING:
    from dtomtrack.graphs.persuasion import Persuader

__all__ = ["HUMAN", "PlayRequest", "run_pilot", "run_play", "sweep"]

HUMAN = "human"
_SCRIPTED: Mapping[str, Callable[[], list[str]]] = {"policy": policy_names, "exploit": exploit_names}


@dataclass(frozen=True)
class PlayRequest:
    """A request to play: which subjects, with which characters, and how.

    Attributes:
        subjects: policy/NAME, exploit/NAME, a language model, or human.
        human: who persuades where a person does.
        questions: whether the folder becomes a dataset of questions to a spectator of the episodes.
    """

    out: Path
    subjects: tuple[str, ...]
    packs: Sequence[PersuasionPack]
    play: PlayConfig
    talking: Talking = field(default_factory=Talking)
    client: ClientSettings = field(default_factory=ClientSettings)
    base_url: str | None = None
    classifier_base_url: str | None = None
    verbalizer_base_url: str | None = None
    human: Persuader | None = None
    engine: Engine = field(default_factory=lambda: open_engine("local"))
    command: str = ""
    questions: bool = True

    def check(self) -> None:
        """Make sure that all of it can be played, before anything is.

        Raises:
            InputError: it can't.
        """
        self._check_folder()
        self.play.check()
        self.talking.check()
        load_rules(self.play.rules)
        if not self.packs:
            raise InputError("no scenario is given; core is the 23 of the suite")
        refuse_twice(self.subjects)
        jobs = [self.job(one) for one in self.subjects]
        specs = [one.spec for one in jobs]
        if self.talking.declare and not any(specs):
            raise InputError("--declare: no language model persuades; give --model PROVIDER/NAME, too, or leave it out")
        if not self.classifier_base_url:
            specs += [one.classifier for one in jobs]
        if not self.verbalizer_base_url:
            specs += [one.verbalizer for one in jobs]
        check_one_provider(specs, self.base_url, "let them play one after the other")
        for job in jobs:
            check_plan(self.out, job.config)

    def _check_folder(self) -> None:
        """See that nothing else is where a dataset of the plays is to be."""
        manifest = read_manifest(self.out)
        taken = any((self.out / name).exists() for name in (EPISODES, CHARACTERS))
        if manifest is not None and (manifest.suite != SUITE_NAME or taken):
            raise InputError(
                f"{self.out}: holds a dataset, characters, or the episodes of one subject; choose another --out"
            )
        # the manifest of a dataset of plays is written first
        other = next((name for name in (CARD, CONTEXTS, ITEMS) if (self.out / name).exists()), None)
        if self.questions and manifest is None and other is not None:
            raise InputError(
                f"{self.out}: holds {other!r} but no {MANIFEST}, so it is no dataset; choose another --out"
            )

    def job(self, subject: str) -> PersuasionJob:
        """The job that a subject has to do.

        Raises:
            InputError: there is no such policy or provider, or nobody is there to persuade.
        """
        if subject == HUMAN and self.human is None:
            raise InputError("nobody is there to persuade")
        return PersuasionJob(
            subject=subject,
            packs=tuple(self.packs),
            play=self.play,
            talking=self.talking,
            settings=self.client,
            spec=self._spec(subject),
            classifier=self._helper(self.play.classifier, self.classifier_base_url),
            verbalizer=self._helper(self.play.verbalizer, self.verbalizer_base_url),
            human=self.human if subject == HUMAN else None,
        )

    def _helper(self, name: str, base_url: str | None) -> ModelSpec | None:
        """The model that does what else rules do."""
        return None if name == "rules" else parse_spec(name, base_url or self.base_url)

    def _spec(self, subject: str) -> ModelSpec | None:
        kind, _, name = subject.partition("/")
        if subject == HUMAN:
            return None
        if kind not in _SCRIPTED:
            scripted = [f"{one}/{name}" for one, names in _SCRIPTED.items() for name in names()]
            return parse_subject(subject, self.base_url, scripted)
        known = _SCRIPTED[kind]()
        if name not in known:
            raise InputError(f"no {kind} {name[:80]!r}; {did_you_mean(name, known)}")
        return None


async def run_play(request: PlayRequest, report: SubjectReport | None = None) -> tuple[PersuasionMetrics, ...]:
    """The metrics of each subject, one after another, going on where an earlier run of the same request stopped.

    Args:
        report: called with the subject and how far it is.

    Raises:
        InputError: something can't be played, or a folder holds another run.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    found = await run_subjects(request, lambda: _plan(request), report)
    if request.questions:
        write_questions(request.out, request.packs, request.play, request.command)
    return found


async def run_pilot(request: PlayRequest, episodes: int, report: SubjectReport | None = None) -> None:
    """Play so many episodes of each subject in which a model takes part, the first of the run, which goes on from them.

    A run's order is drawn, and goes round all characters before it comes back to one: its first episodes stand for
    the others.

    Raises:
        InputError: too few to learn from, nothing would be left, or there is no model; else as `run_play`.
        ModelError: as `run_play`.
    """
    total = len(request.packs) * request.play.samples
    if not LEAST_PLAYED <= episodes < total:
        raise InputError(
            f"--pilot {episodes}: of the {total} episodes of this run, a pilot plays at least {LEAST_PLAYED} and at "
            f"most {total - 1}"
        )
    request.check()
    with_models = [one for one in request.subjects if request.job(one).client is not None]
    if not with_models:
        raise InputError("--pilot: no model takes part, so there is nothing to pay; leave it out")
    counts = {one.subject: sum(1 for _ in one.episodes()) for one in played_subjects(request.out)}
    waiting = tuple(one for one in with_models if counts.get(one, 0) < episodes)
    await run_subjects(
        replace(request, subjects=waiting),
        lambda: PlayPlan(request.out, episodes, request.job, _measured),
        report,
    )


async def sweep(
    request: PlayRequest, report: SubjectReport | None = None
) -> Mapping[str, tuple[PersuasionMetrics, ...]]:
    """The metrics of each subject by rules: as they are, and without each of their parts; a folder of OUT each.

    Raises:
        InputError, ModelError: as `run_play`.
    """
    names = (request.play.rules, *(f"{request.play.rules}-no-{part}" for part in ABLATIONS))
    requests = {
        name: replace(request, out=request.out / name, play=request.play.model_copy(update={"rules": name}))
        for name in names
    }
    for one in requests.values():
        one.check()
    return {name: await run_play(one, report) for name, one in requests.items()}


def _plan(request: PlayRequest) -> PlayPlan[PersuasionMetrics]:
    request.check()
    return PlayPlan(request.out, len(request.packs) * request.play.samples, request.job, _measured)


def _measured(subject: str, folder: Path, manifest: Manifest) -> PersuasionMetrics:
    return measure(subject, read_lines(folder / EPISODES, Episode))
