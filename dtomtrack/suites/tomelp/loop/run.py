"""The closed loop on the scenes of a dataset: subjects talk, each into a folder of its own in ``DIR/loops``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import check_one_provider
from dtomtrack.options import check_range
from dtomtrack.records import LARGEST_SEED, option_problem
from dtomtrack.runs.engines import Engine, open_engine
from dtomtrack.runs.files import refuse_links
from dtomtrack.runs.folder import read_manifest
from dtomtrack.runs.lines import digest, read_lines
from dtomtrack.runs.manifest import Manifest
from dtomtrack.scenarios.route.pack import RoutePack
from dtomtrack.scenarios.route.pack_files import builtin_topics, find_topics
from dtomtrack.scenarios.route.terms import Variant
from dtomtrack.suites.subjects import PlayPlan, SubjectReport, parse_subject, refuse_twice, run_subjects
from dtomtrack.suites.tomelp.asking import Asking
from dtomtrack.suites.tomelp.loop.job import NEEDS, TURNS, LoopConfig, LoopJob
from dtomtrack.suites.tomelp.loop.metrics import LoopMetrics, measure_loops
from dtomtrack.suites.tomelp.loop.records import LOOPS, LoopEpisode
from dtomtrack.suites.tomelp.loop.scripted import check_loop_policy, loop_policies
from dtomtrack.suites.tomelp.scripted import PREFIX
from dtomtrack.suites.tomelp.states import StateFile, digest_of_states, open_scenes

__all__ = ["LOOP", "LoopRequest", "count_calls", "finished_loops", "run_loops"]

LOOP = "loops"
_CALLS_INFERRED = 3
"""A turn's calls at most, where states are worked out: for them, for them again where they can't be read, and for the
message."""


@dataclass(frozen=True)
class LoopRequest:
    """A request to talk.

    Attributes:
        folder: a finished dataset of the suite, made by generate.
        subjects: policy/NAME or models.
        given: the states that persuaders are given, each beside none.
        needs: needs for cognition of the listeners, 0 to 1: each scene has one listener of each.
        topics: packs of topics that are not built in.
        limit: only the first so many scenes.
        out: the folder that gets a folder a subject; ``FOLDER/loops``, where a report looks, if not given.
    """

    folder: Path
    subjects: tuple[str, ...]
    given: tuple[Variant, ...] = ("inferred",)
    needs: tuple[float, ...] = NEEDS
    turns: int = TURNS
    topics: tuple[str, ...] = ()
    asking: Asking = field(default_factory=Asking)
    limit: int | None = None
    seed: int = 0
    client: ClientSettings = field(default_factory=ClientSettings)
    base_url: str | None = None
    out: Path | None = None
    engine: Engine = field(default_factory=lambda: open_engine("local"))
    command: str = ""

    @property
    def place(self) -> Path:
        """The folder that gets a folder a subject."""
        return self.folder / LOOP if self.out is None else self.out

    def job(self, subject: str, packs: Mapping[str, RoutePack]) -> LoopJob:
        """The job of a subject.

        Raises:
            InputError: it can't be used as it is named, or a setting is out of range.
        """
        scripted = [f"{PREFIX}{name}" for name in loop_policies()]
        spec = None if subject.startswith(PREFIX) else parse_subject(subject, self.base_url, scripted)
        try:
            config = LoopConfig(
                subject=subject,
                addresses={} if spec is None or spec.base_url is None else {spec.label: spec.base_url},
                needs=tuple(dict.fromkeys(self.needs)),
                variants=tuple(dict.fromkeys(("no_tom", *self.given))),
                turns=self.turns,
                seed=self.seed,
                topics={name: digest(pack) for name, pack in packs.items()},
                states=digest_of_states(self.folder),
                asking=None if spec is None else self.asking,
            )
        except ValidationError as error:
            raise InputError(option_problem(error, LoopConfig.model_fields)) from error
        return LoopJob(self.folder, packs, config, spec, settings=self.client)

    def check(self, manifest: Manifest | None) -> tuple[Mapping[str, RoutePack], int]:
        """Make sure that all of it can be played, before anything is: the packs, and how many slots there are.

        Raises:
            InputError: it can't.
        """
        refuse_twice(self.subjects)
        check_range("seed", self.seed, 0, LARGEST_SEED)
        if self.limit is not None:
            check_range("limit", self.limit, 1)
        scenes = len(StateFile(self.folder, self.limit).firsts())
        packs = _packs(self.folder, manifest, self.topics)
        jobs = {subject: self.job(subject, packs) for subject in self.subjects}
        check_one_provider([job.spec for job in jobs.values()], self.base_url, "let them play one after the other")
        for subject, job in jobs.items():
            if job.spec is None:
                check_loop_policy(subject.removeprefix(PREFIX))
        if "shuffled" in self.given:
            states, job = StateFile(self.folder), next(iter(jobs.values()))
            for first in states.firsts()[:scenes]:
                job.elsewhere(states, first)
        return packs, scenes * len(next(iter(jobs.values())).config.needs)


def _packs(folder: Path, manifest: Manifest | None, given: Sequence[str]) -> Mapping[str, RoutePack]:
    """The packs that the scenes were drawn from: they have what the listener says next."""
    drawn = None if manifest is None else manifest.config.get("topics")
    written = manifest is not None and manifest.config.get("models") is not None
    if written or not isinstance(drawn, dict):
        raise InputError(
            f"{folder}: the closed loop needs scenes in the packs' words, which its listener goes on with; make some "
            "by generate without a model"
        )
    known = {**builtin_topics(), **{pack.id: pack for pack in (find_topics(given) if given else ())}}
    for name, drawn_from in drawn.items():
        if name not in known or digest(known[name]) != drawn_from:
            raise InputError(f"{folder}: topic {name!r} is not that of its scenes here; name its pack by --topics")
    return {name: known[name] for name in drawn}


async def run_loops(request: LoopRequest, report: SubjectReport | None = None) -> tuple[LoopMetrics, ...]:
    """The metrics of each subject, one after another, going on where an earlier run of the same request stopped.

    Args:
        report: called with the subject and how far it is.

    Raises:
        InputError: something can't be played, or a folder holds another run.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    with open_scenes(request.folder) as manifest:
        return await run_subjects(request, lambda: _plan(request, manifest), report)


def _plan(request: LoopRequest, manifest: Manifest | None) -> PlayPlan[LoopMetrics]:
    packs, slots = request.check(manifest)
    refuse_links([request.place])
    return PlayPlan(
        request.place, slots, lambda subject: request.job(subject, packs), lambda _, *played: _measured(*played)
    )


def _measured(out: Path, manifest: Manifest) -> LoopMetrics:
    config = LoopConfig.model_validate(manifest.config)
    episodes = read_lines(out / LOOPS, LoopEpisode)
    spent = manifest.calls, manifest.tokens, manifest.cost
    return measure_loops(config.subject, episodes, config.turns, *spent, seed=config.seed)


def finished_loops(folder: Path) -> tuple[list[LoopMetrics], list[str]]:
    """The metrics of all finished loops of a dataset, added up again from what was said; and folders of the others.

    Raises:
        DatasetError: one is damaged, or of other states.
    """
    root = folder / LOOP
    found, unfinished = list[LoopMetrics](), list[str]()
    for out in sorted(one for one in root.iterdir() if (one / "manifest.json").is_file()) if root.is_dir() else []:
        manifest = read_manifest(out)
        if manifest is None or manifest.status not in {"complete", "incomplete"}:
            unfinished.append(out.name)
            continue
        if manifest.config.get("states") != digest_of_states(folder):
            raise DatasetError(f"{out}: is of other states; move it away, or play again")
        found.append(_measured(out, manifest))
    return found, unfinished


def count_calls(request: LoopRequest) -> tuple[int, int]:
    """The conversations of a request with one subject, and the most calls of a model that they take.

    Raises:
        InputError: something can't be played.
    """
    with open_scenes(request.folder) as manifest:
        packs, slots = request.check(manifest)
    config = request.job(request.subjects[0], packs).config
    models = sum(not one.startswith(PREFIX) for one in request.subjects)
    by_turn = sum(_CALLS_INFERRED if one == "inferred" else 1 for one in config.variants)
    return slots * len(config.variants), models * slots * config.turns * by_turn
