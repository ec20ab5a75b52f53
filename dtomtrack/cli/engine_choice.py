"""Who fills the slots of a run where the command line leaves it open."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtomtrack.cli.generate_options import EngineFlags
    from dtomtrack.runs.engines import Engine
    from dtomtrack.runs.job import Job

__all__ = ["chosen_engine"]

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

    workers = work.workers
    if workers is None and work.engine is None and work.ray_address is None:
        computes = isinstance(job, GenerationJob) and job.models is None
        workers = os.cpu_count() if computes and n > _FEW else 1
    return choose_engine(work.engine, workers, work.ray_address)
