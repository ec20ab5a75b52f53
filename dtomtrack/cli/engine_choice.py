"""Who fills the slots of a run where the command line leaves it open."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dtomtrack.runs.starting import import_ahead

if TYPE_CHECKING:
    from dtomtrack.cli.generate_options import EngineFlags
    from dtomtrack.runs.engines import Engine
    from dtomtrack.runs.job import Job

__all__ = ["MADE", "chosen_engine", "import_early", "import_for_workers"]

MADE = 500
"""Dialogues by scripts where nobody says how many."""
_FEW = 48
"""The number of dialogues that are made faster in one process than it takes to start others."""
_DIALOGUES_A_PROCESS, _CALLS_A_PROCESS = 100, 16
"""Of dialogues by models, so many make up for a process to start; with fewer calls at once it mostly waits."""
_OF_WORKERS = ("dtomtrack.suites.dtom.job", "dtomtrack.suites.dtom.generation")
"""What takes longest to import where dialogues are made."""
_OF_MODELS = ("dtomtrack.llm.clients", "dtomtrack.llm.openai_chat", "dtomtrack.scenarios.acting.model_actor")
"""And where models make them."""
_SAY_WHAT = frozenset(
    ["--domain", "--n", "-n", "--seed", "--out", "--difficulty", "--turns", "--dial", "--max-attempts", "--quiet", "-q"]
)
"""Options that say nothing of how dialogues are made."""


def chosen_engine(work: EngineFlags, job: Job, n: int) -> Engine:
    """The engine of the command line; without one, processes for many dialogues that scripts play.

    With models it is mostly the waiting that takes time: processes help where many calls are made at once, to servers.
    A model that is computed in this process is computed once.

    Args:
        n: slots.

    Raises:
        InputError: there is no such engine, it can't have so many workers, or has no use for an address.
    """
    from dtomtrack.runs.engines import choose_engine
    from dtomtrack.suites.generation.job import GenerationJob

    calls: int | None = 0
    if isinstance(job, GenerationJob):
        models = job.models
        calls = None if models is None else models.client.concurrency if models.on_servers else 0
    return choose_engine(work.engine, _workers(work, n, calls), work.ray_address)


def import_early(words: Sequence[str]) -> None:
    """Have imported what workers will need before the command line is even read, where it plainly asks for them.

    Args:
        words: those of the command line, behind the program's name.
    """
    if (os.cpu_count() or 1) > 1 and _makes_many(words):
        import_ahead(*_OF_WORKERS)


def _makes_many(words: Sequence[str]) -> bool:
    """Whether a command line makes many dialogues by scripts; not where it has options that say more of how."""
    options = {word.partition("=")[0] for word in words if word.startswith("-")}
    if not words or words[0] != "generate" or not options <= _SAY_WHAT:
        return False
    after = dict(pairwise(part for word in words for part in word.split("=", 1)))
    n = after.get("--n", after.get("-n", str(MADE)))
    return n.isascii() and n.isdigit() and (len(n) > len(str(_FEW)) or int(n) > _FEW)


def import_for_workers(work: EngineFlags, n: int, *, asks: bool) -> None:
    """Have imported what workers will need, where there will be any, while the command gets its job ready.

    Args:
        n: slots.
        asks: whether models are asked.
    """
    # of the usual number of calls at once one process is enough
    workers = _workers(work, n, (work.concurrency or 0) if asks else None)
    if work.engine in {None, "processes"} and work.ray_address is None and workers is not None and workers > 1:
        import_ahead(*_OF_WORKERS, *(_OF_MODELS if asks else ()))


def _workers(work: EngineFlags, n: int, calls: int | None) -> int | None:
    """How many workers there will be; None leaves it to the engine.

    Args:
        calls: how many may be made at once from several processes; None where dialogues are computed.
    """
    if work.workers is not None or work.engine is not None or work.ray_address is not None:
        return work.workers
    cores = os.cpu_count() or 1
    if calls is None:
        return cores if n > _FEW else 1
    return max(1, min(n // _DIALOGUES_A_PROCESS, calls // _CALLS_A_PROCESS, cores))
