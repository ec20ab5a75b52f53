"""Who fills the slots of a run where the command line leaves it open."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtomtrack.cli.generate_options import EngineFlags
    from dtomtrack.runs.engines import Engine
    from dtomtrack.runs.job import Job

__all__ = ["chosen_engine", "end_workers", "import_for_workers"]

_FEW = 48
"""The number of dialogues that are made faster in one process than it takes to start others."""


def chosen_engine(work: EngineFlags, job: Job, n: int) -> Engine:
    """The engine of the command line; without one, processes for many dialogues that scripts play.

    Processes help with computation; with models it is the waiting that takes time.

    Args:
        n: slots.

    Raises:
        InputError: there is no such engine, it can't have so many workers, or has no use for an address.
    """
    from dtomtrack.runs.engines import choose_engine
    from dtomtrack.suites.generation.job import GenerationJob

    workers = _workers(work, n, computes=isinstance(job, GenerationJob) and job.models is None)
    return choose_engine(work.engine, workers, work.ray_address)


def import_for_workers(work: EngineFlags, n: int, *modules: str, computes: bool) -> None:
    """Have modules imported that workers will need, where there will be any, while the command gets its job ready.

    Args:
        n: slots.
        computes: whether no model is asked.
    """
    workers = _workers(work, n, computes=computes)
    if work.engine in {None, "processes"} and work.ray_address is None and workers is not None and workers > 1:
        from dtomtrack.runs.engines.processes import import_ahead

        import_ahead(*modules)


def end_workers() -> None:
    """End what workers were started from, if there were any."""
    processes = sys.modules.get("dtomtrack.runs.engines.processes")
    if processes is not None:
        processes.end_imported()


def _workers(work: EngineFlags, n: int, *, computes: bool) -> int | None:
    """How many workers there will be; None leaves it to the engine."""
    if work.workers is None and work.engine is None and work.ray_address is None:
        return os.cpu_count() if computes and n > _FEW else 1
    return work.workers
