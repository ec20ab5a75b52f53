"""The engine ``processes``: slots are filled by worker processes on this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess

from dtomtrack.runs.crew import Crew
from dtomtrack.runs.engines import refuse_address
from dtomtrack.runs.job import Work
from dtomtrack.runs.messages import Assignment, Channel, ShardName
from dtomtrack.runs.shards import refuse_open_shards
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.worker_process import work
from dtomtrack.runs.workplace import Workplace

__all__ = ["START", "ProcessEngine", "end_imported", "engine", "import_ahead"]

_FIRST = "dtomtrack.runs.engines.preloading"
_SPAWN = get_context("spawn")
START: SpawnContext | ForkServerContext = _SPAWN
"""How worker processes come to be: they share nothing with their parent, whatever runs in it."""


def import_ahead(*modules: str) -> None:
    """Have modules imported once, by a process that workers are forked from, while this one gets ready itself.

    For programs that change nothing of their environment from now on: workers have the one of this moment. It is done
    on Linux alone, as elsewhere libraries of the system don't outlive a fork.
    """
    global START
    if START is _SPAWN and sys.platform == "linux":
        START = get_context("forkserver")
        START.set_forkserver_preload([_FIRST, work.__module__, *modules])
        with _signals_blocked():
            forkserver.ensure_running()


def end_imported() -> None:
    """End the process of `import_ahead`, where there is one: what it took of the processor is then this one's."""
    if isinstance(START, ForkServerContext):
        # nothing public does it; left alone, it would end by itself a little later
        forkserver._forkserver._stop()  # type: ignore[attr-defined]


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
        ours, theirs = START.Pipe()
        process = START.Process(target=work, args=(theirs,), daemon=True)
        with _signals_blocked():
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


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Processes that start within leave signals to their parent: what is blocked now is blocked in them from the start.

    Their parent closes down in order when it is told to stop, also by a signal to the whole group.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # multiprocessing's own process, which it would start in here, unblocks them again
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
