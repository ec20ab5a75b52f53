"""The engine ``processes``: slots are filled by worker processes on this machine."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Iterator
from multiprocessing.process import BaseProcess

from dtomtrack.runs import starting
from dtomtrack.runs.crew import Crew
from dtomtrack.runs.engines import refuse_address
from dtomtrack.runs.job import Work
from dtomtrack.runs.messages import Assignment, Channel, ShardName
from dtomtrack.runs.shards import refuse_open_shards
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.starting import signals_blocked
from dtomtrack.runs.worker_process import work
from dtomtrack.runs.workplace import Workplace

__all__ = ["ProcessEngine", "engine"]


class ProcessEngine:
    """Works in so many processes; with language models, in no more than calls may be made at once."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def map(
        self, job: Work, slots: range, place: Workplace, materials: Iterator[object] | None = None
    ) -> AsyncGenerator[SlotLines, None]:
        """The lines of slots, in their order.

        Raises:
            InputError: the job can't be sent to other processes.
            WorkerError: a worker process died.
        """
        refuse_open_shards(place)
        most = self._workers if job.client is None else job.client.concurrency
        workers = max(1, min(self._workers, most, len(slots)))
        return Crew(job, slots, place, workers, _Processes(), materials=materials).lines()


def engine(workers: int | None, address: str | None = None) -> ProcessEngine:
    """The engine; with a worker a core, if nobody says how many.

    Raises:
        InputError: an address is given.
    """
    refuse_address("processes", address)
    return ProcessEngine(workers or os.cpu_count() or 1)


class _Processes:
    """Starts worker processes: not forked from this one, which is safe whatever it does, and ending with it."""

    spare = 4
    replaces = False

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> _HiredProcess:
        """Start one."""
        ours, theirs = starting.CONTEXT.Pipe()
        process = starting.CONTEXT.Process(target=work, args=(theirs,), daemon=True)
        with signals_blocked():
            process.start()
        # else this process would keep a channel open that nobody else is at any more
        theirs.close()
        channel = Channel(ours)
        channel.listen(hear, first=assignment)
        return _HiredProcess(process, channel)

    async def recover(self, shard: ShardName) -> None:
        """Nothing: all write the journal of the run."""

    async def discard(self, shard: ShardName) -> None:
        """Nothing: there are none."""


class _HiredProcess:
    """A worker process."""

    def __init__(self, process: BaseProcess, channel: Channel) -> None:
        self._process = process
        self.send = channel.send

    async def end(self, *, merged: bool) -> None:
        """Kill it."""
        self._process.kill()
        self._process.join()
