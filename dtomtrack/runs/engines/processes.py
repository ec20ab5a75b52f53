"""The engine ``processes``: slots are filled by worker processes on this machine."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator

from dtomtrack.runs.crew import Crew
from dtomtrack.runs.job import Job
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

__all__ = ["ProcessEngine", "engine"]


class ProcessEngine:
    """Works in so many processes; with language models, in no more than calls may be made at once."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    async def map(self, job: Job, slots: range, place: Workplace) -> AsyncGenerator[SlotLines, None]:
        """The lines of slots, in their order.

        Raises:
            InputError: the job can't be sent to other processes.
            WorkerError: a worker process died.
        """
        most = self._workers if job.client is None else job.client.concurrency
        crew = Crew(job, slots, place, min(self._workers, most))
        try:
            crew.start()
            for index in slots:
                yield await crew.filled(index)
        finally:
            await crew.stop()


def engine(workers: int | None) -> ProcessEngine:
    """The engine; with a worker a core, if nobody says how many."""
    return ProcessEngine(workers or os.cpu_count() or 1)
