"""``dtomtrack generate``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

import typer

from dtomtrack.cli.consent import ask_before
from dtomtrack.cli.engine_choice import MADE, chosen_engine, import_for_workers
from dtomtrack.cli.generate_options import AskingRunFlags, DatasetFlags, EngineFlags, StageFlags, StyleFlags
from dtomtrack.cli.options import LimitFlags, given_options, with_groups
from dtomtrack.cli.stopping import complain, logging_to, printing, resumable, run_stoppable

if TYPE_CHECKING:
    from dtomtrack.records import Record
    from dtomtrack.runs.engines import Engine
    from dtomtrack.runs.job import Job
    from dtomtrack.scenarios.difficulty import Difficulty
    from dtomtrack.suites.dtom.config import RunConfig
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

_MADE_BY_MODELS = 20
"""Dialogues where nobody says how many."""


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
        _check_numbers(dataset, work)
        n = _count(dataset, stages)
        if dataset.suite != "dtom":
            wanted = _Wanted(n, _on_models(stages, styles, limits), command_line)
            _generate_for_suite(dataset, work, running, wanted)
            return
        if not running.dry_run:
            import_for_workers(work, n, asks=not _computes(stages))
        from dtomtrack.api import make_job, part_records

        records = part_records(dataset.data_format)
        names = _domains("restaurant" if dataset.domain is None else dataset.domain)
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
            planned = job.config.difficulty.comes_apart
            _print_estimate(_estimate(job, n), planned=planned and job.config.models is not None)
            return
        out = dataset.out or _own_folder(names, job.config, stages.actor_model or stages.model or stages.verifier_model)
        if job.models is not None and not running.yes:
            ask_before(out, n, lambda left: _estimate(job, left, n - left))
        with logging_to(running.log, running.trace, asks=job.client is not None):
            _run(job, chosen_engine(work, job, n), _Asked(n, out, command_line, running.quiet, records))


def _check_numbers(dataset: DatasetFlags, work: EngineFlags) -> None:
    """See that numbers are what they can be: also the seed, of which -1 elsewhere means another one each time."""
    from dtomtrack.options import check_range
    from dtomtrack.records import LARGEST_SEED

    check_range("seed", dataset.seed, 0, LARGEST_SEED)
    for name, number in (("n", dataset.n), ("workers", work.workers)):
        if number is not None:
            check_range(name, number, 1)


def _count(dataset: DatasetFlags, stages: StageFlags) -> int:
    """How many dialogues are asked for: with language models few, if nobody says."""
    if dataset.n is not None:
        return dataset.n
    return MADE if _computes(stages) else _MADE_BY_MODELS


def _computes(stages: StageFlags) -> bool:
    """Whether no model is asked."""
    asked = (stages.model, stages.scenario_model, stages.actor_model, stages.verifier_model)
    return all(one in {None, "rules", "scripted"} for one in asked)


def _on_models(stages: StageFlags, styles: StyleFlags, limits: LimitFlags) -> dict[str, object]:
    """The options on models, as the library takes them."""
    options = given_options(stages, styles, limits)
    options.pop("threshold", None)
    if styles.threshold:
        from dtomtrack.verifiers.judging.thresholds import read_thresholds

        grades = read_thresholds(styles.threshold).model_dump()
        options["threshold"] = grades if len(set(grades.values())) > 1 else grades["quality"]
    return options


def _estimate(job: DtomJob, n: int, first: int = 0) -> Estimate:
    # imported late: it needs the workflow, which a run in other processes has no use for here
    from dtomtrack.suites.dtom.estimate import estimate

    return estimate(job, n, first)


class _Difficulty(TypedDict, total=False):
    difficulty: Difficulty
    turns: Sequence[int]


def _difficulty(dataset: DatasetFlags) -> _Difficulty:
    from dtomtrack.errors import InputError
    from dtomtrack.scenarios.dials import difficulty_of

    dials: dict[str, str] = {}
    for one in dataset.dial or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise InputError(f"--dial {one}: a dial is set by NAME=VALUE")
        dial = name.strip().replace("-", "_")
        if dial in dials:
            raise InputError(f"--dial {dial}: is given twice, as {dials[dial]} and as {value.strip()}; give it once")
        dials[dial] = value.strip()
    if "turns" in dials and dataset.turns is not None:
        raise InputError(f"--turns {dataset.turns} and --dial turns={dials['turns']} set the same; give one of them")
    turns = dials.pop("turns", dataset.turns)
    chosen = difficulty_of(dataset.difficulty, dials)
    return {"difficulty": chosen} if turns is None else {"difficulty": chosen, "turns": _lengths(turns)}


def _lengths(turns: str) -> list[int]:
    """The numbers of turns that are asked for."""
    from dtomtrack.errors import InputError

    numbers = [one.strip() for one in turns.split(",")]
    if not all(re.fullmatch(r"-?[0-9]{1,100}", one) for one in numbers):
        raise InputError(f"turns is {turns!r}; it has to be a whole number, or several with commas between them")
    return list(map(int, numbers))


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


def _generate_for_suite(dataset: DatasetFlags, work: EngineFlags, running: AskingRunFlags, wanted: _Wanted) -> None:
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
    out = dataset.out or Path("out") / f"{dataset.suite}-{dataset.seed}"
    if wanted.models and not running.yes:
        ask_before(out, wanted.n, lambda left: estimate_generation(job, left))
    with logging_to(running.log, running.trace, asks=job.client is not None):
        _run(job, chosen_engine(work, job, wanted.n), _Asked(wanted.n, out, wanted.command_line, running.quiet))


def _refuse_difficulty(dataset: DatasetFlags) -> None:
    """Refuse the options that are about dialogues of dtom alone: they were meant otherwise."""
    from dtomtrack.errors import InputError

    usual = DatasetFlags()
    own = {"difficulty": "difficulty", "turns": "turns", "dial": "dial", "format": "data_format"}
    idle = [name for name, field in own.items() if getattr(dataset, field) not in (getattr(usual, field), [])]
    if idle:
        named = ", ".join(f"--{name}" for name in idle)
        raise InputError(f"{named}: is for dialogues of dtom; leave it out with --suite {dataset.suite}")


def _own_folder(names: list[str], config: RunConfig, model: str | None) -> Path:
    """Where a dataset goes if nobody says: a folder that tells what it is, so that two runs don't meet in one."""
    domains = "-".join(Path(name).stem for name in names).encode()[:100].decode("utf-8", "ignore")
    name = "-".join((domains, *_difficulty_name(config), str(config.seed)))
    if model is None:
        return Path("out") / name
    from dtomtrack.runs.names import folder_name

    return Path("out") / f"{name}-{folder_name(model)}"


def _difficulty_name(config: RunConfig) -> Iterator[str]:
    """The preset, the turns if they are not its own, and a digest of the dials if others are set; of paper nothing."""
    from dtomtrack.scenarios.difficulty import PRESETS

    difficulty = config.difficulty
    preset = PRESETS[difficulty.preset]
    if difficulty.preset != DatasetFlags.difficulty:
        yield difficulty.preset
    if config.lengths != (preset.turns,):
        yield f"{'-'.join(map(str, config.lengths))}-turns"
    if difficulty.model_copy(update={"turns": preset.turns}) != preset:
        yield hashlib.sha256(difficulty.model_dump_json().encode()).hexdigest()[:8]


def _print_estimate(estimated: Estimate, *, planned: bool = False) -> None:
    from dtomtrack.cli.summary import show_estimate

    with printing("the estimate", needed=True):
        show_estimate(estimated, planned=planned)


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
