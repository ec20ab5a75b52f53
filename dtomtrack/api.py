"""The library: what the command line does, for programs.

    from dtomtrack import generate

    manifest = generate("restaurant", n=20, out="my-dataset")

`agenerate` is the same for programs that run an event loop, `dialogues` gives one dialogue at a time and writes
nothing. `dtomtrack.beliefs.conversations` has what it takes to ask about conversations that were not generated.
"""

from __future__ import annotations

import reprlib
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Literal, Unpack, cast

from pydantic import ValidationError

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.blocking import Stream, run_blocking
from dtomtrack.errors import InputError, PlanError
from dtomtrack.options import MOST_AT_ONCE, check_options, check_range, path_of
from dtomtrack.records import Record, first_problem, option_problem
from dtomtrack.runs.engines import choose_engine
from dtomtrack.runs.lines import digest
from dtomtrack.runs.manifest import DataFormat, Manifest
from dtomtrack.runs.run import Progress, run
from dtomtrack.runs.workplace import Workplace
from dtomtrack.scenarios.checks import check_scenario
from dtomtrack.scenarios.dials import check_difficulty, checked, difficulty_of
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.scenarios.pack_rules import problems
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.job import DtomJob
from dtomtrack.suites.generation.model_options import ModelOptions, stage_models

__all__ = [
    "GeneratedDialogue",
    "Options",
    "agenerate",
    "dialogues",
    "generate",
    "make_job",
    "part_records",
]

Domain = str | PathLike[str] | DomainPack
"""A built-in name, the path of a pack, or a pack."""
Domains = Domain | Sequence[Domain]
"""Several take turns."""


class Options(ModelOptions, total=False):
    """Options of a run, beside its domains, n and folder; those on language models are in `ModelOptions`.

    Attributes:
        seed: slot i depends on (seed, i) alone; from 0 to 2**63 - 1, 0 if not given.
        turns: of each dialogue, 6 to 400; those of the difficulty if not given. Of several numbers the first four
            dialogues of each domain have the first, its next four the second, and so on, from the last back to the
            first: dialogues of all these lengths, as many of each.
        max_attempts: how many scenarios a slot may try; 5 if not given.
        difficulty: how eventful the dialogues are, and every other dial, or the name of a preset ("paper", "apart",
            "group", "hard", "extreme"); the paper's if not given.
        scenarios: to be played as they are in slots 0, 1, ..., at most ``n``; the slots behind them are as without.
            Their topics and values are those of the one domain, and each is a `Scenario`, or what a dialogue's line has
            for one. Their ``divergences`` are left out: minds come apart by who is there and who hears what, and by
            nothing else.
        engine: "local" for this process, "processes" for others on this machine, "ray" for a Ray cluster; if not given,
            "ray" where there is a ``ray_address``, "processes" where ``workers`` is more than 1.
        ray_address: of the cluster, "auto" or "HOST:PORT"; if not given, what RAY_ADDRESS says, or this machine alone.
        workers: processes that share the work; 1 if not given, with "ray" a core each of all there are. With more, a
            script needs ``if __name__ == "__main__":``.
        concurrency: with language models, calls to each at once, 16 if not given; without, dialogues under way at once
            in each process, 8 if not given; at most 10,000.
        format: of the data files: "jsonl", JSON lines, or "parquet", in parts as Parquet, which takes a tenth of the
            room; "jsonl" if not given.
    """

    seed: int
    turns: int | Sequence[int]
    max_attempts: int
    difficulty: Difficulty | str
    scenarios: Sequence[Scenario | Mapping[str, object]]
    engine: Literal["local", "processes", "ray"]
    ray_address: str
    workers: int
    concurrency: int | None
    format: DataFormat


class _Numbered(Options):
    """The options with the number of dialogues, for checks of their types."""

    n: int


_MOST_LENGTHS = 16
"""Lengths of dialogues in one dataset."""
_OF_FOLDERS = ("engine", "ray_address", "workers", "format")
"""Options on who fills a folder, and with what files."""


@dataclass(frozen=True)
class GeneratedDialogue:
    """A kept dialogue with its questions."""

    dialogue: Dialogue
    questions: tuple[Question, ...]


def generate(
    domains: Domains,
    *,
    n: int,
    out: str | PathLike[str],
    report: Callable[[Progress], None] | None = None,
    **options: Unpack[Options],
) -> Manifest:
    """Make a dataset folder of ``n`` kept dialogues; see `agenerate`."""
    return run_blocking(
        lambda: agenerate(domains, n=n, out=out, report=report, **options), "await dtomtrack.agenerate(...)"
    )


async def agenerate(
    domains: Domains,
    *,
    n: int,
    out: str | PathLike[str],
    report: Callable[[Progress], None] | None = None,
    **options: Unpack[Options],
) -> Manifest:
    """Make a dataset folder of ``n`` kept dialogues, or go on where an earlier run of the same request stopped.

    Without language models a dialogue takes the event loop for as long as it is computed: some 20 ms, one of 300 turns
    a second or two. With ``workers=2`` others do that.

    Args:
        report: called after every slot.
        options: see `Options`.

    Returns:
        the manifest; its status is "incomplete" if slots used up their attempts.

    Raises:
        InputError: a domain, number, scenario or folder can't be used.
        WriteError: the folder can't be written; what is there is safe.
        ModelError: a model gives no answer, or the budget is spent; what is there is safe, the same call goes on.
    """
    place = path_of("out", out)
    job = make_job(domains, n=n, **options)
    engine = choose_engine(options.get("engine"), options.get("workers"), options.get("ray_address"))
    records = part_records(options.get("format", "jsonl"))
    return await run(job, engine, n=n, out=place, report=report, records=records)


def dialogues(domains: Domains, *, n: int, **options: Unpack[Options]) -> Stream[GeneratedDialogue]:
    """Kept dialogues, one at a time; slots that used up their attempts are passed over.

    They come with ``async for``, or with ``for`` where no event loop runs. This process makes them, and writes nothing.
    Without language models each takes the event loop for as long as it is computed: some 20 ms, one of 300 turns a
    second or two.

    Raises:
        InputError: a domain, number or scenario can't be used, or an option is about files or other processes.
        ModelError: a model gives no answer.
    """
    idle = [name for name in _OF_FOLDERS if options.get(name) is not None]
    if idle:
        raise InputError(
            f"{', '.join(idle)}: dialogues takes no such option, as it writes nothing and works in this process; "
            "leave it out, or use generate"
        )
    return Stream(_dialogues(make_job(domains, n=n, **options), n), "dialogues")


async def _dialogues(job: DtomJob, n: int) -> AsyncGenerator[GeneratedDialogue, None]:
    from dtomtrack.suites.dtom.generation import fill_slots

    async with (
        job.context(Workplace()) as context,
        aclosing(fill_slots(context, job.config, range(n), concurrency=1)) as slots,
    ):
        async for slot in slots:
            if slot.dialogue is not None:
                yield GeneratedDialogue(slot.dialogue, slot.questions)


def make_job(domains: Domains, *, n: int, **options: Unpack[Options]) -> DtomJob:
    """The job that a user's options ask for.

    Raises:
        InputError: a domain is unknown, a pack, scenario or model is wrong, or a number is out of range.
    """
    check_options({"n": n, **options}, _Numbered)
    check_range("n", n, 1)
    concurrency = options.get("concurrency")
    if concurrency is not None:
        check_range("concurrency", concurrency, 1, MOST_AT_ONCE)
    packs = _packs(domains)
    scenarios = _scenarios(options)
    how, models = stage_models(options) or (None, None)
    chosen = options.get("difficulty", "paper")
    difficulty = difficulty_of(chosen) if isinstance(chosen, str) else checked(chosen)
    turns = _turns(options.get("turns", difficulty.turns))
    for length in turns:
        check_difficulty(difficulty, length, packs.values(), own_scenarios=bool(scenarios))
    if difficulty.comes_apart and options.get("scenario_model") not in (None, "scripted"):
        raise InputError(
            "--scenario-model: where minds come apart the plan is the program's, and no model writes scenarios: leave "
            "it out, as --model and --actor-model write the words, or use --difficulty paper"
        )
    if how is not None and how.actor is not None and how.actor_style == "free" and difficulty.comes_apart:
        raise InputError(
            "--actor-style free: who is there and who hears what is planned where minds come apart, and free actors "
            "know no plan; use --difficulty paper, or --actor-style one-call"
        )
    given: dict[str, object] = {
        "domains": tuple(packs),
        "packs": {name: digest(pack) for name, pack in packs.items()},
        "generator": (how and how.actor) or "scripted",
        "scenarios": digest(*scenarios) if scenarios else None,
        "models": how,
        "turns": turns if len(turns) > 1 else turns[0],
        "difficulty": difficulty.model_copy(update={"turns": max(turns)}),
        **{name: options[name] for name in ("seed", "max_attempts") if name in options},
    }
    try:
        config = RunConfig.model_validate(given)
    except ValidationError as error:
        raise InputError(option_problem(error, RunConfig.model_fields)) from error
    _check_lengths(config, n)
    _check_scenarios(scenarios, packs, n, config)
    given_scenarios = dict(enumerate(scenarios)) or None
    return DtomJob(config, packs, given_scenarios, models=models, concurrency=concurrency or 8)


def part_records(data_format: DataFormat) -> Mapping[str, type[Record]] | None:
    """The records of the lines of each data file, where they are to be written as Parquet; None for JSON lines.

    Raises:
        InputError: pyarrow is missing.
    """
    if data_format == "jsonl":
        return None
    # imported late: only this needs it
    from dtomtrack.runs.parts import check_pyarrow
    from dtomtrack.suites.dtom.suite import SUITE

    check_pyarrow("data in Parquet")
    return SUITE.records


def _packs(domains: Domains) -> Mapping[str, DomainPack]:
    several = isinstance(domains, Iterable) and not isinstance(domains, str | bytes | PathLike | DomainPack)
    given = list(cast("Iterable[Domain]", domains if several else [domains]))
    if not given:
        raise InputError("no domain is given; name at least one")
    packs: dict[str, DomainPack] = {}
    for one in given:
        pack = _pack(one)
        if pack.name in packs:
            raise InputError(f"the domain {pack.name!r} is given twice")
        packs[pack.name] = pack
    return packs


def _pack(domain: Domain) -> DomainPack:
    if isinstance(domain, str | PathLike):
        return load_pack(find_pack(fspath(domain)))
    if not isinstance(domain, DomainPack):
        raise InputError(f"the domain {domain!r} is none; give a name, the path of a pack, or a pack")
    return _checked(domain)


def _checked(pack: DomainPack) -> DomainPack:
    wrong = problems(pack)
    if wrong:
        where = ".".join(str(part) for part in wrong[0].path)
        raise InputError(f"pack {pack.name!r}: {where}: {wrong[0].message}")
    return pack


def _turns(given: int | Sequence[int]) -> tuple[int, ...]:
    """The lengths of dialogues."""
    turns = (given,) if isinstance(given, int) else tuple(given)
    if not turns:
        raise InputError("turns is empty; give a number, or leave it out")
    if len(turns) > _MOST_LENGTHS:
        raise InputError(f"turns has {len(turns)} numbers; give {_MOST_LENGTHS} at most")
    for one in turns:
        if not isinstance(one, int) or isinstance(one, bool):
            raise InputError(f"turns has {one!r} in it; each has to be a whole number")
        if turns.count(one) > 1:
            raise InputError(f"turns has {one} twice; name each length once")
    return turns


def _check_lengths(config: RunConfig, n: int) -> None:
    """See that there will be dialogues of all lengths."""
    lengths = len(config.lengths)
    if n <= config.a_round * (lengths - 1):
        raise InputError(
            f"n is {n}, and of {lengths} lengths each has {config.a_round} dialogues (four of each domain) before the "
            f"next: ask for n={config.a_round * lengths}, or for fewer lengths"
        )


def _scenarios(options: Options) -> Sequence[Scenario]:
    """The scenarios that somebody brings, read where they are as a dialogue's line has them."""
    given: Sequence[object] = options.get("scenarios", ())
    if not given and "scenarios" in options:
        raise InputError("scenarios is empty; give one at least, or leave it out")
    return [_scenario(index, one) for index, one in enumerate(given)]


def _scenario(index: int, given: object) -> Scenario:
    if isinstance(given, Scenario):
        # a copy with changes (`model_copy`) is validated by nobody
        given = given.model_dump(warnings=False)
    if not isinstance(given, Mapping):
        raise InputError(
            f"scenario {index} is {reprlib.repr(given)}; it has to be a Scenario, or what one is written as"
        )
    if "scenario" in given:
        raise InputError(f"scenario {index} is a dialogue's whole line; give what that has under 'scenario'")
    try:
        return Scenario.model_validate(given)
    except ValidationError as error:
        problem = first_problem(error, _WHOLE).removeprefix(f"{_WHOLE}: ")
        raise InputError(f"scenario {index}: {problem}") from error


_WHOLE = "scenario"
"""What stands for no field of a scenario."""


def _check_scenarios(scenarios: Sequence[Scenario], packs: Mapping[str, DomainPack], n: int, config: RunConfig) -> None:
    if not scenarios:
        return
    if len(packs) > 1:
        raise InputError(f"scenarios of your own are of one domain; {len(packs)} are given")
    if len(scenarios) > n:
        raise InputError(
            f"{len(scenarios)} scenarios are given, and n is {n}; ask for n={len(scenarios)}, or give fewer"
        )
    for index, scenario in enumerate(scenarios):
        try:
            check_scenario(next(iter(packs.values())), scenario, config.turns_of(index))
        except PlanError as error:
            raise InputError(f"scenario {index}: {error}") from error
