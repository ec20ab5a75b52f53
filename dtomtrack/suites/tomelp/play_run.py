"""A play: subjects persuade in the states of a dataset, each into a folder of its own in ``DIR/play``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import ModelSpec, check_one_provider
from dtomtrack.options import check_range
from dtomtrack.records import LARGEST_SEED
from dtomtrack.runs.engines import Engine, open_engine
from dtomtrack.runs.files import refuse_links
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.route.terms import ABLATIONS, DISTURBANCES, VARIANTS, Ablation, Disturbance, Variant
from dtomtrack.suites.subjects import PlayPlan, SubjectReport, parse_subject, refuse_twice, run_subjects
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.learned_judge import learned_routes
from dtomtrack.suites.tomelp.measuring import PlayedBy, measure_play
from dtomtrack.suites.tomelp.metrics import PlayMetrics
from dtomtrack.suites.tomelp.play_job import RULES, PlayConfig, RoutePlayJob, judge_spec
from dtomtrack.suites.tomelp.played import PLAYS, PlayedState
from dtomtrack.suites.tomelp.rule_judge import RulePanel
from dtomtrack.suites.tomelp.scoring import Scene
from dtomtrack.suites.tomelp.scripted import PREFIX, ScriptedSubject, scripted_names
from dtomtrack.suites.tomelp.states import StateFile, digest_of_states, open_scenes

__all__ = ["PERTURBATIONS", "PLAY", "PlayRequest", "given_ablations", "measured_play", "run_play", "scenes_played"]

PLAY = "play"
PERTURBATIONS: dict[str, tuple[Disturbance, ...]] = {
    "none": (),
    "all": DISTURBANCES,
    "with-null": (*DISTURBANCES, "redraw"),
}
"""What replies are written under beside clean ones; with-null adds a redraw, which retention is compared with."""


def given_states(named: Sequence[str]) -> tuple[Variant, ...]:
    """The variants beside no_tom, by the names that users give them; none adds nothing.

    Raises:
        InputError: a name is unknown.
    """
    known = {one: one for one in VARIANTS if one != "no_tom"}
    unknown = next((one for one in named if one != "none" and one not in known), None)
    if unknown is not None:
        raise InputError(
            f"no mental states {unknown[:80]!r}; --tom takes one of none, {', '.join(known)}, and may be given "
            "several times"
        )
    return tuple(dict.fromkeys(known[one] for one in named if one in known))


def given_ablations(named: Sequence[str]) -> tuple[Ablation, ...]:
    """The parts of the design that are taken away, by the names that users give them.

    Raises:
        InputError: a name is unknown.
    """
    known: dict[str, Ablation] = {one: one for one in ABLATIONS}
    unknown = next((one for one in named if one not in known), None)
    if unknown is not None:
        raise InputError(f"nothing to take away is called {unknown[:80]!r}; --ablate takes {', '.join(known)}")
    return tuple(dict.fromkeys(known[one] for one in named))


@dataclass(frozen=True)
class PlayRequest:
    """A request to play.

    Attributes:
        folder: a finished dataset of the suite.
        subjects: policy/NAME or models; ``judge``: rules, or a model.
        given: the mental states that writers are given, each beside none.
        ablations: parts of the design that are taken away, each beside the whole.
        limit: only the states of the first so many scenes.
        out: the folder that gets a folder a subject; ``FOLDER/play``, where a report looks, if not given.
    """

    folder: Path
    subjects: tuple[str, ...]
    judge: str = RULES
    given: tuple[Variant, ...] = ("inferred",)
    perturb: str = "none"
    ablations: tuple[Ablation, ...] = ()
    asking: Asking = field(default_factory=Asking)
    limit: int | None = None
    seed: int = 0
    client: ClientSettings = field(default_factory=ClientSettings)
    base_url: str | None = None
    judge_base_url: str | None = None
    out: Path | None = None
    engine: Engine = field(default_factory=lambda: open_engine("local"))
    command: str = ""

    @property
    def place(self) -> Path:
        """The folder that gets a folder a subject."""
        return self.folder / PLAY if self.out is None else self.out

    @property
    def variants(self) -> tuple[Variant, ...]:
        """All variants, the one without states first."""
        return tuple(dict.fromkeys(("no_tom", *self.given)))

    @property
    def disturbances(self) -> tuple[Disturbance, ...]:
        """What replies are written under beside clean ones.

        Raises:
            InputError: there is no such choice.
        """
        if self.perturb not in PERTURBATIONS:
            raise InputError(f"no perturbation {self.perturb!r}; there are {', '.join(PERTURBATIONS)}")
        return PERTURBATIONS[self.perturb]

    @property
    def asks_models(self) -> bool:
        """Whether any language model takes part."""
        return self.judge != RULES or any(not one.startswith(PREFIX) for one in self.subjects)

    @property
    def asks_about_minds(self) -> bool:
        """Whether there are published questions, at whose options inferred states are placed.

        Raises:
            DatasetError: a line of states is damaged.
        """
        return any(state.questions for state in StateFile(self.folder, self.limit))

    def job(self, subject: str) -> RoutePlayJob:
        """The job of a subject.

        Raises:
            InputError: subject or judge can't be used as they are named.
        """
        scripted = [f"{PREFIX}{name}" for name in scripted_names()]
        spec = None if subject.startswith(PREFIX) else parse_subject(subject, self.base_url, scripted)
        judge = judge_spec(self.judge, self.judge_base_url or self.base_url)
        config = PlayConfig(
            subject=subject,
            judge=self.judge,
            addresses=_addresses(spec, judge),
            variants=self.variants,
            disturbances=self.disturbances,
            ablations=self.ablations,
            seed=self.seed,
            states=digest_of_states(self.folder),
            asking=None if spec is None else self.asking,
        )
        return RoutePlayJob(self.folder, config, spec, judge, settings=self.client)

    def check(self) -> int:
        """Make sure that all of it can be played, before anything is; how many states there are.

        Raises:
            InputError: it can't.
        """
        refuse_twice(self.subjects)
        check_range("seed", self.seed, 0, LARGEST_SEED)
        if self.limit is not None:
            check_range("limit", self.limit, 1)
        self._check_ablations()
        states = StateFile(self.folder, self.limit)
        first = states[0]
        if first.resources is None:
            raise InputError(
                f"{states.path}: the states have no facts and cues; import them with --model, which writes them"
            )
        jobs = {subject: self.job(subject) for subject in self.subjects}
        sharing = [job.spec for job in jobs.values()]
        check_one_provider(sharing, self.base_url, "let them play one after the other")
        sharing += [job.judge_spec for job in jobs.values() if self.judge_base_url is None]
        check_one_provider(sharing, self.base_url, "give the judge's address by --judge-base-url")
        for subject, job in jobs.items():
            if job.spec is None:
                ScriptedSubject(subject.removeprefix(PREFIX), first)
            if job.judge_spec is None:
                RulePanel(first)
        if "gold" in self.given and all(state.gold_mind("persuadee") is None for state in states):
            raise InputError(f"{states.path}: no state has gold mental states of the persuadee; leave out --tom gold")
        if "shuffled" in self.given:
            whole = StateFile(self.folder)
            for index in range(len(states)):
                whole.elsewhere(index, self.seed)
        return len(states)

    def _check_ablations(self) -> None:
        if "unwarned" in self.ablations and not self.disturbances:
            raise InputError("--ablate unwarned takes warnings from disturbed prompts; give --perturb all, too")
        if "elaboration-swapped" in self.ablations and self.judge != RULES:
            raise InputError(
                f"--ablate elaboration-swapped changes the formulas of the judge rules, and {self.judge} has none; "
                "leave it out, or judge by rules"
            )


def _addresses(subject: ModelSpec | None, judge: ModelSpec | None) -> dict[str, str]:
    """Addresses by label; where two servers have one label, the judge's is under "judge" and the label."""
    own = [one for one in (subject, judge) if one is not None and one.base_url is not None]
    alike = len({one.label for one in own}) < len({one.base_url for one in own})
    return {f"judge {one.label}" if alike and one is judge else one.label: one.base_url or "" for one in own}


async def run_play(request: PlayRequest, report: SubjectReport | None = None) -> tuple[PlayMetrics, ...]:
    """The metrics of each subject, one after another, going on where an earlier run of the same request stopped.

    Args:
        report: called with the subject and how far it is.

    Raises:
        InputError: something can't be played, or a folder holds another play.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    with open_scenes(request.folder):
        return await run_subjects(request, lambda: _plan(request), report)


def _plan(request: PlayRequest) -> PlayPlan[PlayMetrics]:
    states = request.check()
    refuse_links([request.place])

    def measure(subject: str, out: Path, manifest: Manifest) -> PlayMetrics:
        by = PlayedBy(subject, request.judge, manifest.calls, manifest.tokens, manifest.cost)
        return measured_play(by, request.folder, out)

    return PlayPlan(request.place, states, request.job, measure)


def measured_play(by: PlayedBy, folder: Path, out: Path) -> PlayMetrics:
    """The metrics of a finished play, the learnt judge's findings among them."""
    metrics = measure_play(by, scenes_played(folder, out))
    return metrics.model_copy(update={"learned": learned_routes(scenes_played(folder, out))})


def scenes_played(folder: Path, out: Path) -> Iterator[Scene]:
    """The states of a play, one at a time.

    Raises:
        DatasetError: a line is damaged, or the play is of other states.
    """
    states, numbers = StateFile(folder), dict[str, int]()
    for played in read_lines(out / PLAYS, PlayedState):
        if played.index >= len(states) or (state := states[played.index]).id != played.state:
            raise DatasetError(f"{out / PLAYS}: state {played.state!r} is not in {states.path}; play again")
        yield Scene(numbers.setdefault(played.scene, len(numbers)), state, played)
