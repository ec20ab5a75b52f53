"""The workers of a run, as the run sees them.

Workers get a few slots at a time. Slots come in the order in which they are done; they wait here until their turn, and
no worker runs far ahead (`allotment.py`). What a worker had that died is given to another, where its staff replaces it
(`recovery.py`).
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

from dtomtrack.errors import InputError, WorkerError, WriteError
from dtomtrack.llm.journal_rows import totals_of
from dtomtrack.llm.spans import SPANS
from dtomtrack.runs.allotment import Allotment
from dtomtrack.runs.job import Work
from dtomtrack.runs.member import Member
from dtomtrack.runs.merging import Merging
from dtomtrack.runs.messages import (
    Assignment,
    Counted,
    End,
    Ended,
    Failed,
    Filled,
    Found,
    Held,
    Logged,
    Lost,
    Ready,
    Released,
    Sought,
    Stored,
)
from dtomtrack.runs.recovery import Recovery
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.staff import Staff
from dtomtrack.runs.workplace import Workplace

__all__ = ["Crew"]

_GRACE = 10.0
"""Seconds that workers have to store the replies that came in, before they are killed."""
_LOGGERS = ("dtomtrack.llm", SPANS)
"""Records of these come from workers, too."""


class Crew:
    """The workers of a run.

    Args:
        staff: where they come from.
        merging: takes up their replies where they have shards.
        materials: what has to be known of each slot beside its number; where they end, so do the slots.
    """

    def __init__(
        self,
        job: Work,
        slots: range,
        place: Workplace,
        workers: int,
        staff: Staff,
        merging: Merging | None = None,
        materials: Iterator[object] | None = None,
    ) -> None:
        self._job = job
        self._place = place
        self._size = workers
        self._staff = staff
        self._merging = merging
        self._most = job.max_concurrency(workers)
        self._before = replace(place.totals)
        self._last_retry = ""
        self._workers: list[Member] = []
        self._allotment = Allotment(slots, materials)
        self._recovery = Recovery(workers, staff, merging)
        self._failure: BaseException | None = None
        self._over = False
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._recoveries: set[asyncio.Task[None]] = set()

    async def lines(self) -> AsyncGenerator[SlotLines, None]:
        """The lines of all slots, in their order; the workers are there as long as this goes on.

        Raises:
            InputError: the job can't be sent to workers.
            WorkerError: a worker died.
            DtomtrackError: whatever else a worker could not go on with.
        """
        try:
            self._start_all()
            index = self._allotment.first
            while await self._comes(index):
                yield self._allotment.take(index)
                index += 1
        finally:
            await self._stop()

    def _start_all(self) -> None:
        with _sendable("this job", "or models that can be pickled"):
            pickle.dumps(self._job)
        for number in range(self._size):
            self._start(number)

    async def _comes(self, index: int) -> bool:
        """Wait for the slot whose turn it is; False if there is none."""
        self._assign()
        while self._allotment.has(index) and not self._allotment.is_filled(index):
            if self._failure is not None:
                raise self._failure
            self._news.clear()
            await self._news.wait()
        return self._allotment.has(index)

    async def _stop(self) -> None:
        """End all workers; where models take part, once the replies that came in are stored."""
        self._over = True
        try:
            if self._job.client is not None:
                await self._dismiss()
            if self._recoveries:
                # what a worker that died last had stored would stay open behind a run that is done
                await asyncio.wait(self._recoveries, timeout=_GRACE)
        finally:
            for task in (*self._tasks, *self._recoveries):
                task.cancel()
            for worker in self._workers:
                # one that waits for what a killed one held would keep this process from ending
                await worker.hired.end(merged=self._recovery.strike_off(worker))

    async def _dismiss(self) -> None:
        """Tell workers that this is the end, and wait for them, but not for ever; one that is not ready has nothing."""
        for worker in self._workers:
            worker.hired.send(End())
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                while any(worker.ready and not worker.ended for worker in self._workers):
                    self._news.clear()
                    await self._news.wait()

    def _start(self, number: int) -> None:
        merging, place = self._merging, self._place
        worker = Member(number, None if merging is None else merging.shards.new_name(number))
        assignment = Assignment(
            self._job,
            number,
            self._size,
            place.journal if merging is None else None,
            place.reservation is not None,
            place.trace,
            {name: logging.getLogger(name).getEffectiveLevel() for name in _LOGGERS},
            worker.shard,
            merging is not None and merging.holds_replies,
        )
        worker.hired = self._staff.start(assignment, partial(self._hear, worker))
        self._workers.append(worker)

    def _assign(self) -> None:
        """Give workers slots, as many as keep them busy."""
        for worker in self._workers:
            if not worker.ready or len(worker.slots) > self._most:
                continue
            more = self._allotment.give(self._most + self._staff.spare - len(worker.slots))
            if more.indices:
                worker.slots.update(more.indices)
                with _sendable("what these slots are about", "or contexts that can be pickled"):
                    worker.hired.send(more)

    # -- messages --------------------------------------------------------------------------------------------------

    def _hear(self, worker: Member, message: object) -> None:
        try:
            self._take_up(worker, message)
        except Exception as error:
            # a journal that can't be written, say; whatever it is, it ends the run, which would wait for ever else
            self._failure = self._failure or error
        self._news.set()

    def _take_up(self, worker: Member, message: object) -> None:
        reservation = self._place.reservation
        if isinstance(message, Filled):
            self._take_lines(worker, message)
        elif isinstance(message, Stored | Sought) and self._merging is not None:
            self._keep(worker, message, self._merging)
        elif isinstance(message, Ready):
            self._welcome(worker, message)
        elif isinstance(message, Counted):
            if message.totals.retries > worker.totals.retries:
                self._last_retry = message.totals.last_retry
            worker.totals = message.totals
            self._count()
        elif isinstance(message, Held) and reservation is not None:
            self._do(worker.set_aside(message, reservation))
        elif isinstance(message, Released) and reservation is not None:
            worker.give_back(message, reservation)
        elif isinstance(message, Logged):
            logging.getLogger(message.record.name).handle(message.record)
        elif isinstance(message, Failed):
            self._failure = self._failure or message.error
        elif isinstance(message, Ended | Lost) or message is None:
            self._part(worker, message)

    def _take_lines(self, worker: Member, message: Filled) -> None:
        worker.slots.difference_update(slot.index for slot in message.slots)
        self._allotment.fill(message.slots)
        self._assign()

    def _keep(self, worker: Member, message: Stored | Sought, merging: Merging) -> None:
        """Take up replies of a shard, or look for one."""
        if isinstance(message, Sought):
            worker.hired.send(Found(message.number, merging.find(message.key)))
            return
        try:
            merging.store(message.rows)
        except WriteError:
            worker.unmerged = True
            raise
        worker.merged += totals_of(message.rows)

    def _welcome(self, worker: Member, message: Ready) -> None:
        if worker.shard is not None and self._merging is not None:
            # before it gets slots: what is written down here is looked for after a kill
            self._merging.shards.opened(worker.shard, message.machine)
        worker.ready = True
        self._recovery.got_ready(worker)
        self._assign()

    def _part(self, worker: Member, message: object) -> None:
        """A worker has hung up."""
        if worker.ended:
            return
        was_ready, worker.ready, worker.ended = worker.ready, False, True
        worker.dismissed = isinstance(message, Ended) and not worker.unmerged
        worker.totals.in_flight = worker.totals.pending = 0
        self._count()
        if self._over:
            if was_ready and not worker.dismissed:
                self._do(self._recover(worker), self._recoveries)
            return
        if not self._staff.replaces:
            self._failure = self._failure or WorkerError(_DIED)
            return
        self._recovery.count(worker, was_ready=was_ready)
        if self._recovery.is_hopeless(worker, self._workers):
            reason = message.reason if isinstance(message, Lost) else "it hung up"
            self._failure = self._failure or WorkerError(f"workers die again and again; the last one: {reason}")
            return
        self._do(self._replace(worker, registered=was_ready), self._recoveries)

    async def _replace(self, worker: Member, *, registered: bool) -> None:
        """Find what a worker stored and did not send, give its slots to others, and start another in its place."""
        if self._place.reservation is not None:
            worker.give_all_back(self._place.reservation)
        if registered:
            await self._recover(worker)
        if self._over or self._failure is not None:
            return
        self._allotment.give_again(worker.slots)
        self._assign()
        self._do(self._start_again(worker.number))

    async def _start_again(self, number: int) -> None:
        """Start a worker in the place of one that died; where it had not got ready, as on a broken machine, later."""
        await asyncio.sleep(self._recovery.pause(number))
        if not self._over and self._failure is None:
            self._start(number)

    async def _recover(self, worker: Member) -> None:
        """Take up what a worker stored and did not send, where it has a shard."""
        if await self._recovery.take_up(worker):
            self._count()

    def _count(self) -> None:
        totals = sum((one.totals for one in self._workers), self._before)
        self._place.totals.become(replace(totals, last_retry=self._last_retry))

    def _do(self, work: Coroutine[None, None, None], among: set[asyncio.Task[None]] | None = None) -> None:
        """Do this beside all else; whatever it raises ends the run, which would wait for ever else."""
        task = asyncio.ensure_future(work)
        tasks = self._tasks if among is None else among
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        task.add_done_callback(self._see_failure)

    def _see_failure(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._failure = self._failure or error
            self._news.set()


@contextmanager
def _sendable(what: str, instead: str) -> Iterator[None]:
    """For what is packed to be sent to workers.

    Raises:
        InputError: it can't be.
    """
    try:
        yield
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise InputError(f"worker processes can't be given {what} ({error}); take one worker, {instead}") from error


_DIED = "a worker process died, perhaps for want of memory; fewer of them need less, as with --workers 1"
