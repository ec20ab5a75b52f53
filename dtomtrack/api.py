"""The library: what the command line does, for programs.

    from dtomtrack import generate

    manifest = generate("restaurant", n=20, out="my-dataset")

`agenerate` is the same for programs that run an event loop, `dialogues` gives one dialogue at a time and writes
nothing. `dtomtrack.beliefs.conversations` has what it takes to ask about conversations that were not generated.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Unpack

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import InputError, PlanError
from dtomtrack.runs.lines import digest
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.run import Progress, RunRequest, run
from dtomtrack.scenarios.checks import check_scenario
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.scenarios.pack_rules import problems
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.model_options import ModelOptions, cast_of

__all__ = [
    "MAX_TURNS",
    "MIN_TURNS",
    "GeneratedDialogue",
    "Options",
    "agenerate",
    "dialogues",
    "generate",
    "request_run",
]

MIN_TURNS, MAX_TURNS = 6, 60

Domains = str | DomainPack | Sequence[str | DomainPack]
"""Built-in names, paths of packs, or packs; several take turns."""


class Options(ModelOptions, total=False):
    """What may be said of a run, beside its domains, n and folder and what `ModelOptions` has of language models.

    Attributes:
        seed: slot i depends on (seed, i) alone; 0 if not given.
        turns: of each dialogue, 6 to 60; 10 if not given.
        max_attempts: how many scenarios a slot may try; 5 if not given.
        difficulty: how eventful the dialogues are, and every other dial; the paper's if not given.
        scenarios: to be played as they are in slots 0, 1, ...; their topics and values are those of the one domain.
        workers: processes to share the work of scripted actors; 1 if not given. With more, a script needs
            ``if __name__ == "__main__":``.
        concurrency: with language models, calls to each at once, 16 if not given; without, dialogues under way at once
            in each process, 8 if not given.
    """

    seed: int
    turns: int
    max_attempts: int
    difficulty: Difficulty
    scenarios: Sequence[Scenario]
    workers: int
    concurrency: int | None


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
    return asyncio.run(agenerate(domains, n=n, out=out, report=report, **options))


async def agenerate(
    domains: Domains,
    *,
    n: int,
    out: str | PathLike[str],
    report: Callable[[Progress], None] | None = None,
    **options: Unpack[Options],
) -> Manifest:
    """Make a dataset folder of ``n`` kept dialogues, or go on where an earlier run of the same request stopped.

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
    return await run(request_run(domains, n=n, out=Path(out), **options), report)


async def dialogues(domains: Domains, *, n: int, **options: Unpack[Options]) -> AsyncGenerator[GeneratedDialogue, None]:
    """Kept dialogues, one at a time; slots that used up their attempts are passed over.

    Raises:
        InputError: a domain, number or scenario can't be used.
        ModelError: a model gives no answer.
    """
    from dtomtrack.suites.dtom.generation import build_context, build_model_context, fill_slots

    made = request_run(domains, n=n, out=Path(), **options)
    async with AsyncExitStack() as exits:
        if made.cast is None:
            context = build_context(made.config, made.packs, made.scenarios)
        else:
            from dtomtrack.llm.clients import Clients

            clients = await exits.enter_async_context(Clients(made.cast.client))
            context = await build_model_context(made.config, made.packs, made.scenarios, made.cast, clients)
        slots = await exits.enter_async_context(aclosing(fill_slots(context, made.config, range(n), concurrency=1)))
        async for slot in slots:
            if slot.dialogue is not None:
                yield GeneratedDialogue(slot.dialogue, slot.questions)


def request_run(domains: Domains, *, n: int, out: Path, command: str = "", **options: Unpack[Options]) -> RunRequest:
    """A request from what a user gives.

    Raises:
        InputError: a domain is unknown, a pack or scenario is wrong, or a number is out of range.
    """
    turns, max_attempts = options.get("turns", 10), options.get("max_attempts", 5)
    workers, concurrency = options.get("workers", 1), options.get("concurrency")
    _check_range("n", n, 1)
    _check_range("turns", turns, MIN_TURNS, MAX_TURNS)
    _check_range("max-attempts", max_attempts, 1)
    _check_range("workers", workers, 1)
    _check_range("concurrency", 1 if concurrency is None else concurrency, 1)
    packs = _packs(domains)
    scenarios = options.get("scenarios", ())
    _check_scenarios(scenarios, packs, n)
    cast = cast_of(options, concurrency or 16)
    config = RunConfig(
        domains=tuple(packs),
        packs={name: digest(pack) for name, pack in packs.items()},
        seed=options.get("seed", 0),
        turns=turns,
        max_attempts=max_attempts,
        generator=(cast[0].actor if cast else None) or "scripted",
        scenarios=digest(*scenarios) if scenarios else None,
        models=cast[0] if cast else None,
        difficulty=options.get("difficulty", Difficulty()),
    )
    return RunRequest(
        config=config,
        packs=packs,
        n=n,
        out=out,
        scenarios=dict(enumerate(scenarios)) or None,
        command=command,
        workers=workers,
        concurrency=concurrency or 8,
        cast=cast[1] if cast else None,
    )


def _check_range(name: str, value: int, least: int, most: int | None = None) -> None:
    if value < least or (most is not None and value > most):
        allowed = f"{least} or more" if most is None else f"from {least} to {most}"
        raise InputError(f"{name} is {value}; it has to be {allowed}")


def _packs(domains: Domains) -> Mapping[str, DomainPack]:
    given = [domains] if isinstance(domains, str | DomainPack) else list(domains)
    if not given:
        raise InputError("no domain is given; name at least one")
    packs: dict[str, DomainPack] = {}
    for one in given:
        pack = load_pack(find_pack(one)) if isinstance(one, str) else _checked(one)
        if pack.name in packs:
            raise InputError(f"the domain {pack.name!r} is given twice")
        packs[pack.name] = pack
    return packs


def _checked(pack: DomainPack) -> DomainPack:
    wrong = problems(pack)
    if wrong:
        where = ".".join(str(part) for part in wrong[0].path)
        raise InputError(f"pack {pack.name!r}: {where}: {wrong[0].message}")
    return pack


def _check_scenarios(scenarios: Sequence[Scenario], packs: Mapping[str, DomainPack], n: int) -> None:
    if not scenarios:
        return
    if len(packs) > 1:
        raise InputError(f"scenarios of your own are of one domain; {len(packs)} are given")
    if len(scenarios) > n:
        raise InputError(f"{len(scenarios)} scenarios are given for {n} slots; n has to be as large")
    for index, scenario in enumerate(scenarios):
        try:
            check_scenario(next(iter(packs.values())), scenario)
        except PlanError as error:
            raise InputError(f"scenario {index}: {error}") from error
