"""``dtomtrack generate``."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypedDict, cast

import typer

from dtomtrack.cli.consent import ask_before, is_somebody_there
from dtomtrack.cli.options import LimitFlags, RayAddress, RunFlags, given_options, with_groups
from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.records import Record
    from dtomtrack.runs.engines import Engine
    from dtomtrack.runs.job import Job
    from dtomtrack.scenarios.difficulty import Difficulty
    from dtomtrack.suites.dtom.job import DtomJob
    from dtomtrack.suites.generation.estimate import Estimate
    from dtomtrack.suites.generation.model_options import ModelOptions

__all__ = ["EXAMPLES", "command"]

EXAMPLES = """
dtomtrack generate --domain restaurant --n 500
dtomtrack generate --difficulty apart --domain travel,medical --n 100
dtomtrack generate --n 20 -m openai/gpt-4o-mini --max-cost 5
dtomtrack generate -m ollama/llama3.1 --scenarios pack --actor-style two-call
dtomtrack generate --suite rectom --n 200
"""

ScenarioSource = Literal["model", "pack"]
ScenarioStyle = Literal["free", "planned"]
ActorStyle = Literal["one-call", "two-call", "free"]
TurnFormat = Literal["json", "text"]
DataFormat = Literal["jsonl", "parquet"]

_MADE, _MADE_BY_MODELS = 500, 20
"""Dialogues where nobody says how many."""
_MOST, _MOST_SEEDS = 10**9, 2**63 - 1
_FEW = 24
"""The number of dialogues that are made faster in one process than it takes to start others."""


@dataclass(frozen=True, kw_only=True)
class DatasetFlags:
    """Flags that say what is to be made, and where."""

    HEADING: ClassVar[str] = "The dataset"

    suite: Annotated[
        str,
        typer.Option(help="The suite whose kind of data is made: dtom, persuasivetom, rectom, tomelp or rhetbench."),
    ] = "dtom"
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            "-d",
            help="A built-in domain, several (restaurant,travel), all, or the path of a pack.  [default: restaurant; "
            "with other suites than dtom, all]",
        ),
    ] = None
    n: Annotated[
        int | None,
        typer.Option("--n", "-n", help="How many dialogues are to be kept.  [default: 500; with a language model 20]"),
    ] = None
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0
    out: Annotated[
        Path | None,
        typer.Option(
            help="The dataset folder.  [default: out/DOMAIN-SEED, with the difficulty behind the domain if it is not "
            "paper, and the model's name]"
        ),
    ] = None
    difficulty: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            help="paper: 2 people, 10 turns, both hear everything. In the others people come and go, take each other "
            "aside, write notes, tell untruths. apart: 2 people and one who passes by, 10 turns; group: 3-4 people, 24 "
            "turns; hard: 3-4, 60; extreme: 4-5, 300.",
        ),
    ] = "paper"
    turns: Annotated[
        int | None, typer.Option(help="Turns of each dialogue, 6 to 400.  [default: the difficulty's]")
    ] = None
    dial: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A dial over the preset, given as often as needed: participants=3-4, topics=2-5, holders=1-2, "
            "revisions=2-4, return_share=.3, resistance_share=.33, decoy_share=.22, signals.none=.4, "
            "apart=absence,note, apart.untruth=2, order=3 and every other of the manifest's difficulty.",
        ),
    ] = None
    max_attempts: Annotated[int, typer.Option(help="How many scenarios may be tried for each dialogue.")] = 5
    data_format: Annotated[
        DataFormat,
        typer.Option(
            "--format",
            help="How data files of dtom are written: jsonl, JSON lines; parquet, in parts of 500 dialogues, a tenth "
            "of the size. Every command reads both.",
        ),
    ] = "jsonl"


@dataclass(frozen=True, kw_only=True)
class EngineFlags:
    """Who works, and on how much at once."""

    HEADING: ClassVar[str] = "Who works"

    engine: Annotated[
        str | None,
        typer.Option(
            help="Who works: local, this process; processes, others beside it; ray, a Ray cluster.  [default: by need]"
        ),
    ] = None
    ray_address: RayAddress = None
    workers: Annotated[
        int | None,
        typer.Option(help="How many processes work.  [default: as many as are of use: one a core, or one with models]"),
    ] = None
    concurrency: Annotated[
        int | None,
        typer.Option(
            help="With models, calls to each at once; without, dialogues at once in each process.  [default: 16; 8]"
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class StageFlags:
    """Which models take part, and where they are."""

    HEADING: ClassVar[str] = "Language models"

    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="SPEC",
            help="A language model for scenarios, actors and verifier, as PROVIDER/NAME.  [default: none]",
        ),
    ] = None
    scenario_model: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who writes the scenarios.  [default: --model]")
    ] = None
    actor_model: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who plays the agents.  [default: --model]")
    ] = None
    verifier_model: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Who verifies behind the rules; rules for nobody.  [default: --model]"),
    ] = None
    base_url: Annotated[str | None, typer.Option(help="Address of the server, if it is not the provider's own.")] = None
    scenario_base_url: Annotated[str | None, typer.Option(help="Address of the server of --scenario-model.")] = None
    actor_base_url: Annotated[str | None, typer.Option(help="Address of the server of --actor-model.")] = None
    verifier_base_url: Annotated[str | None, typer.Option(help="Address of the server of --verifier-model.")] = None


@dataclass(frozen=True, kw_only=True)
class StyleFlags:
    """How models write, play and verify."""

    HEADING: ClassVar[str] = "How models write, play and verify"

    scenario_source: Annotated[
        ScenarioSource | None,
        typer.Option(
            "--scenarios",
            help="Whether the model writes the scenarios, or they are drawn from the pack.  [default: model, if there "
            "is one]",
        ),
    ] = None
    scenario_style: Annotated[
        ScenarioStyle | None,
        typer.Option(
            help="free: a scenario is written at once; planned: a plan is filled in, for weak models.  [default: free]"
        ),
    ] = None
    actor_style: Annotated[
        ActorStyle | None,
        typer.Option(
            help="one-call: a turn is asked for at once; two-call: one thing at a time, for weak models (1 to 3 B), "
            "known thoughts being put in place; free: only changes of mind are directed, for strong ones.  "
            "[default: one-call]"
        ),
    ] = None
    turn_format: Annotated[
        TurnFormat | None,
        typer.Option(help='The form of a turn in one call; text is (thought) "line".  [default: json]'),
    ] = None
    turn_retries: Annotated[
        int | None, typer.Option(help="How often what of a turn breaks a rule is asked for again.  [default: 3]")
    ] = None
    temperature: Annotated[float | None, typer.Option(help="Temperature of writer and actors.  [default: 0.7]")] = None
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GRADE",
            help="Grade (0 to 1) that the verifier has to give a question; or on one criterion, as correctness=.5, "
            "soundness=.5, quality=.5; may be given several times.  [default: 0.6]",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class AskingRunFlags(RunFlags):
    """Flags for a run that asks before it gets dear."""

    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Begin without asking, even if it takes many calls or much money.")
    ] = False


@with_groups
def command(
    dataset: DatasetFlags,
    work: EngineFlags,
    stages: StageFlags,
    styles: StyleFlags,
    limits: LimitFlags,
    running: AskingRunFlags,
) -> None:
    """Make a benchmark: verified dialogues with questions, in a dataset folder.

    Without --model, scenarios are drawn from a domain pack and played by scripted actors: no language model, key or
    network is needed. Models are named openai/..., openrouter/..., vllm/..., ollama/..., llamacpp/..., gguf/PATH or
    langchain/PROVIDER:MODEL; keys come from the environment. A run that was stopped or killed goes on where it was
    when the same command is given again, and pays for no reply twice.
    """
    with resumable() as command_line:
        from dtomtrack.api import make_job, part_records

        _check_numbers(dataset, work)
        if dataset.suite != "dtom":
            wanted = _Wanted(_count(dataset, stages), _on_models(stages, styles, limits), command_line)
            _generate_for_suite(dataset, work, running, wanted)
            return
        records = part_records(dataset.data_format)
        names, n = _domains("restaurant" if dataset.domain is None else dataset.domain), _count(dataset, stages)
        job = make_job(
            names,
            n=n,
            seed=dataset.seed,
            **_difficulty(dataset),
            max_attempts=dataset.max_attempts,
            concurrency=work.concurrency,
            **cast("ModelOptions", _on_models(stages, styles, limits)),
        )
        if running.dry_run:
            from dtomtrack.suites.dtom.estimate import estimate

            _print_estimate(estimate(job, n))
            return
        out = dataset.out or _own_folder(
            names, job.config.difficulty, dataset.seed, stages.actor_model or stages.model or stages.verifier_model
        )
        if job.models is not None and not (running.yes or running.quiet) and is_somebody_there():
            _ask_before(job, n, out)
        with logging_to(running.log, running.trace, asks=job.client is not None):
            engine = _engine(work, work.workers or _workers_of_use(job, n, work))
            _run(job, engine, _Asked(n, out, command_line, running.quiet, records))


def _check_numbers(dataset: DatasetFlags, work: EngineFlags) -> None:
    """See that numbers are what they can be: also the seed, of which -1 elsewhere means another one each time."""
    from dtomtrack.errors import InputError

    ranges = {"n": (dataset.n, 1, _MOST), "seed": (dataset.seed, 0, _MOST_SEEDS), "workers": (work.workers, 1, _MOST)}
    for name, (value, least, most) in ranges.items():
        if value is not None and not least <= value <= most:
            allowed = f"{least} or more" if value < least else f"{most:,} at most"
            raise InputError(f"{name} is {value}; it has to be {allowed}")


def _count(dataset: DatasetFlags, stages: StageFlags) -> int:
    """How many dialogues are asked for: with language models few, if nobody says."""
    if dataset.n is not None:
        return dataset.n
    asked = (stages.model, stages.scenario_model, stages.actor_model, stages.verifier_model)
    return _MADE if all(one in {None, "rules", "scripted"} for one in asked) else _MADE_BY_MODELS


def _on_models(stages: StageFlags, styles: StyleFlags, limits: LimitFlags) -> dict[str, object]:
    """The options on models, as the library takes them."""
    options = given_options(stages, styles, limits)
    options.pop("threshold", None)
    if styles.threshold:
        from dtomtrack.verifiers.judging.thresholds import read_thresholds

        grades = read_thresholds(styles.threshold).model_dump()
        options["threshold"] = grades if len(set(grades.values())) > 1 else grades["quality"]
    return options


def _ask_before(job: DtomJob, n: int, out: Path) -> None:
    """Ask whoever is there whether what is left of a run may take so much."""
    from dtomtrack.runs.folder import read_manifest
    from dtomtrack.suites.dtom.estimate import estimate

    before = read_manifest(out)
    left = n - (before.counts.dialogues + before.counts.unfilled if before else 0)
    if left > 0:
        ask_before(estimate(job, left))


class _Difficulty(TypedDict, total=False):
    difficulty: Difficulty
    turns: int


def _difficulty(dataset: DatasetFlags) -> _Difficulty:
    from dtomtrack.errors import InputError
    from dtomtrack.scenarios.dials import difficulty_of

    dials = {}
    for one in dataset.dial or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise InputError(f"--dial {one}: a dial is set by NAME=VALUE")
        dials[name.strip().replace("-", "_")] = value.strip()
    chosen = difficulty_of(dataset.difficulty, dials)
    return {"difficulty": chosen} if dataset.turns is None else {"difficulty": chosen, "turns": dataset.turns}


def _domains(named: str) -> list[str]:
    from dtomtrack.errors import InputError
    from dtomtrack.scenarios.pack_files import builtin_domains

    if named == "all":
        return builtin_domains()
    names = [name.strip() for name in named.split(",")]
    if not all(names):
        raise InputError(f"domain is {named!r}; names stand between commas, with nothing left out")
    return names


@dataclass(frozen=True)
class _Asked:
    """The rest of what was asked for.

    Attributes:
        n: slots.
        records: of the lines of each data file, where they are written as Parquet.
    """

    n: int
    out: Path
    command: str
    quiet: bool
    records: Mapping[str, type[Record]] | None = None


@dataclass(frozen=True)
class _Wanted:
    """Options as they come to mean something: how many dialogues, with which models, by which command line."""

    n: int
    models: Mapping[str, object]
    command_line: str


def _generate_for_suite(dataset: DatasetFlags, work: EngineFlags, running: RunFlags, wanted: _Wanted) -> None:
    """Make data of another suite's kind: of the options, those that every suite has."""
    from dtomtrack.suites.generating import GenerationRequest, generating_suite
    from dtomtrack.suites.generation.rehearsal import estimate_generation

    _refuse_difficulty(dataset)
    request = GenerationRequest(
        domain="all" if dataset.domain is None else dataset.domain,
        n=wanted.n,
        seed=dataset.seed,
        max_attempts=dataset.max_attempts,
        concurrency=work.concurrency,
        models=wanted.models,
    )
    job = generating_suite(dataset.suite).job(request)
    if running.dry_run:
        _print_estimate(estimate_generation(job, wanted.n))
        return
    workers = work.workers or (os.cpu_count() if work.engine == "processes" else None)
    out = dataset.out or Path("out") / f"{dataset.suite}-{dataset.seed}"
    with logging_to(running.log, running.trace, asks=job.client is not None):
        _run(job, _engine(work, workers), _Asked(wanted.n, out, wanted.command_line, running.quiet))


def _refuse_difficulty(dataset: DatasetFlags) -> None:
    """Refuse the options that are about dialogues of dtom alone: they were meant otherwise."""
    from dtomtrack.errors import InputError

    usual = DatasetFlags()
    own = {"difficulty": "difficulty", "turns": "turns", "dial": "dial", "format": "data_format"}
    idle = [name for name, field in own.items() if getattr(dataset, field) not in (getattr(usual, field), [])]
    if idle:
        named = ", ".join(f"--{name}" for name in idle)
        raise InputError(f"{named}: is for dialogues of dtom; leave it out with --suite {dataset.suite}")


def _engine(work: EngineFlags, workers: int | None) -> Engine:
    from dtomtrack.runs.engines import choose_engine

    return choose_engine(work.engine, workers, work.ray_address)


def _workers_of_use(job: DtomJob, n: int, work: EngineFlags) -> int | None:
    """Workers where nobody says how many: processes help with computation; with models it is the waiting that takes
    time."""
    if work.engine is not None or work.ray_address is not None:
        return None
    return 1 if n <= _FEW or job.models is not None else os.cpu_count()


def _own_folder(names: list[str], difficulty: Difficulty, seed: int, model: str | None) -> Path:
    """Where a dataset goes if nobody says: a folder that tells what it is, so that two runs don't meet in one."""
    domains = "-".join(Path(name).stem for name in names).encode()[:100].decode("utf-8", "ignore")
    name = "-".join((domains, *_difficulty_name(difficulty), str(seed)))
    if model is None:
        return Path("out") / name
    from dtomtrack.runs.names import folder_name

    return Path("out") / f"{name}-{folder_name(model)}"


def _difficulty_name(difficulty: Difficulty) -> Iterator[str]:
    """The preset, the turns if they are not its own, and a digest of the dials if others are set; of paper nothing."""
    from dtomtrack.scenarios.difficulty import PRESETS

    preset = PRESETS[difficulty.preset]
    if difficulty.preset != DatasetFlags.difficulty:
        yield difficulty.preset
    if difficulty.turns != preset.turns:
        yield f"{difficulty.turns}-turns"
    if difficulty.model_copy(update={"turns": preset.turns}) != preset:
        yield hashlib.sha256(difficulty.model_dump_json().encode()).hexdigest()[:8]


def _print_estimate(estimated: Estimate) -> None:
    from dtomtrack.cli.summary import show_estimate

    with printing("the estimate", needed=True):
        show_estimate(estimated)


def _run(job: Job, engine: Engine, asked: _Asked) -> None:
    from dtomtrack.cli.summary import show_progress, summarize
    from dtomtrack.runs.run import run

    out = asked.out
    with show_progress(quiet=asked.quiet) as report:
        filled = run(job, engine, n=asked.n, out=out, command=asked.command, report=report, records=asked.records)
        manifest = run_stoppable(filled)
    if not asked.quiet:
        with printing(f"{manifest.status}: {out}; the summary"):
            summarize(manifest, out)
    if manifest.status != "complete":
        rejected = out / ("rejected.jsonl" if asked.records is None else "rejected")
        complain(
            f"{manifest.counts.unfilled} of {manifest.n} slots stayed empty after {manifest.config['max_attempts']} "
            f"attempts; {rejected} says why. With a larger --max-attempts the same command goes on there"
        )
        raise typer.Exit(1)
