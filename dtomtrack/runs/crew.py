"""The worker processes of a run, as the run sees them.

Workers are spawned, which is safe under any parent, get a few slots at a time, and end with their parent. Slots come
in the order in which they are done; they wait here until their turn, and no worker runs far ahead.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.context import SpawnProcess

from dtomtrack.errors import BudgetError, InputError, WorkerError
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.in_order import WINDOW
from dtomtrack.runs.job import Job
from dtomtrack.runs.messages import (
    Assignment,
    Channel,
    Counted,
    End,
    Ended,
    Failed,
    Filled,
    Granted,
    Held,
    Logged,
    Ready,
    Refused,
    Released,
    Slots,
)
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.worker import work
from dtomtrack.runs.workplace import Workplace

__all__ = ["Crew"]

_SPARE = 4
"""Slots that wait at a worker, so that it need not wait for the next."""
_GRACE = 10.0
"""Seconds that workers have to store the replies that came in, before they are killed."""


@dataclass(eq=False)
class _Worker:
    """A worker process.

    Attributes:
        busy: slots that it was sent and has not filled yet.
        totals: of its calls.
        ended: it has hung up.
    """

    process: SpawnProcess
    channel: Channel
    ready: bool = False
    busy: int = 0
    totals: UsageTotals = field(default_factory=UsageTotals)
    ended: bool = False


class Crew:
    """The workers of a run."""

    def __init__(self, job: Job, slots: range, place: Workplace, workers: int) -> None:
        self._job = job
        self._place = place
        self._size = workers
        self._most = job.max_concurrency(workers)
        self._before = replace(place.totals)
        self._last_retry = ""
        self._workers: list[_Worker] = []
        self._next = slots.start
        self._stop = slots.stop
        self._filled: dict[int, SlotLines] = {}
        self._waiting = 0
        self._failure: BaseException | None = None
        self._news = asyncio.Event()
        self._asking: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start the workers.

        Raises:
            InputError: the job can't be sent to them.
        """
        try:
            pickle.dumps(self._job)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise InputError(
                f"worker processes can't be given this job ({error}); take one worker, or models that can be pickled"
            ) from error
        for number in range(self._size):
            self._workers.append(self._started(number))

    async def filled(self, index: int) -> SlotLines:
        """The lines of the slot whose turn it is.

        Raises:
            WorkerError: a worker died.
            DtomtrackError: whatever else a worker could not go on with.
        """
        self._assign()
        while index not in self._filled:
            if self._failure is not None:
                raise self._failure
            self._news.clear()
            await self._news.wait()
        lines = self._filled.pop(index)
        self._waiting -= lines.size()
        return lines

    async def stop(self) -> None:
        """End all workers; where models take part, once the replies that came in are stored."""
        try:
            if self._job.client is not None:
                await self._dismiss()
        finally:
            for task in self._asking:
                task.cancel()
            for worker in self._workers:
                # one that waits for what a killed one held would keep this process from ending
                worker.process.kill()
                worker.process.join()

    async def _dismiss(self) -> None:
        """Tell workers that this is the end, and wait for them, but not for ever."""
        for worker in self._workers:
            worker.channel.send(End())
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                while not all(worker.ended for worker in self._workers):
                    self._news.clear()
                    await self._news.wait()

    def _started(self, number: int) -> _Worker:
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=work, args=(theirs,), daemon=True)
        with _signals_blocked():
            process.start()
        # else this process would keep a channel open that nobody else is at any more
        theirs.close()
        worker = _Worker(process, Channel(ours))
        place, log = self._place, logging.getLogger("dtomtrack.llm")
        assignment = Assignment(
            self._job, number, self._size, place.journal, place.reservation is not None, log.getEffectiveLevel()
        )
        worker.channel.listen(partial(self._hear, worker), first=assignment)
        return worker

    def _assign(self) -> None:
        """Give workers slots, as many as keep them busy, unless those that wait for their turn take too much memory."""
        if self._waiting >= WINDOW:
            return
        for worker in self._workers:
            count = min(self._most + _SPARE - worker.busy, self._stop - self._next)
            if worker.ready and worker.busy <= self._most and count > 0:
                worker.channel.send(Slots(range(self._next, self._next + count)))
                worker.busy += count
                self._next += count

    # -- messages --------------------------------------------------------------------------------------------------

    def _hear(self, worker: _Worker, message: object) -> None:
        if isinstance(message, Filled):
            worker.busy -= len(message.slots)
            self._filled.update((slot.index, slot) for slot in message.slots)
            self._waiting += sum(slot.size() for slot in message.slots)
            self._assign()
        elif isinstance(message, Ready):
            worker.ready = True
            self._assign()
        elif isinstance(message, Counted):
            if message.totals.retries > worker.totals.retries:
                self._last_retry = message.totals.last_retry
            worker.totals = message.totals
            self._count()
        elif isinstance(message, Held):
            asking = asyncio.ensure_future(self._hold(worker, message))
            self._asking.add(asking)
            asking.add_done_callback(self._asking.discard)
        elif isinstance(message, Released) and self._place.reservation is not None:
            self._place.reservation.release(message.held, message.taken)
        elif isinstance(message, Logged):
            logging.getLogger(message.record.name).handle(message.record)
        elif isinstance(message, Failed):
            self._failure = self._failure or message.error
        elif isinstance(message, Ended) or message is None:
            worker.ended, worker.ready = True, False
            worker.totals.in_flight = 0
            self._count()
            self._failure = self._failure or WorkerError(_DIED)
        self._news.set()

    def _count(self) -> None:
        totals = sum((one.totals for one in self._workers), self._before)
        self._place.totals.become(replace(totals, last_retry=self._last_retry))

    async def _hold(self, worker: _Worker, call: Held) -> None:
        """Set aside what a call of a worker may take."""
        if self._place.reservation is None:
            return
        try:
            await self._place.reservation.hold(call.most)
        except BudgetError as error:
            worker.channel.send(Refused(call.number, str(error)))
        else:
            worker.channel.send(Granted(call.number))


_CONTEXT = get_context("spawn")
_DIED = "a worker process died, perhaps for want of memory; fewer --workers need less"


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
