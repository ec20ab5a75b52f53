"""The workers of a run, as the run sees them.

Workers get a few slots at a time. Slots come in the order in which they are done; they wait here until their turn, and
no worker runs far ahead. What a worker had that died is given to another, where its staff replaces it.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial

from dtomtrack.errors import BudgetError, InputError, WorkerError, WriteError
from dtomtrack.llm.budget import NOTHING, Spending
from dtomtrack.llm.journal_rows import totals_of
from dtomtrack.llm.spans import SPANS
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.in_order import WINDOW
from dtomtrack.runs.job import Work
from dtomtrack.runs.merging import Merging
from dtomtrack.runs.messages import (
    Assignment,
    Counted,
    End,
    Ended,
    Failed,
    Filled,
    Found,
    Granted,
    Held,
    Logged,
    Lost,
    Ready,
    Refused,
    Released,
    ShardName,
    Slots,
    Sought,
    Stored,
)
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.staff import Hired, Staff
from dtomtrack.runs.workplace import Workplace

__all__ = ["Crew"]

_GRACE = 10.0
"""Seconds that workers have to store the replies that came in, before they are killed."""
_MOST_DEATHS, _MOST_STILLBORN = 20, 5
"""So many workers may die that had a slot, or before they are ready while none is; more are no accident."""
_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
"""Seconds until a worker is replaced whose predecessors died before they were ready: for the second, and at most."""
_AROUND = 2048
"""Bytes that a slot takes beside its lines."""
_LOGGERS = ("dtomtrack.llm", SPANS)
"""Records of these come from workers, too."""


@dataclass(eq=False)
class _Worker:
    """A worker.

    Attributes:
        number: its share of the limits; whoever replaces it has the same.
        slots: that it was sent and has not filled yet.
        held: what its calls under way have set aside.
        totals: of its calls, as it told.
        merged: of its replies that the run has, where it has a shard; ``unmerged``, when one could not be stored.
        ended: it has hung up, or is no more; ``dismissed``, when all it had is here.
    """

    number: int
    shard: ShardName | None
    hired: Hired = field(init=False)
    ready: bool = False
    slots: set[int] = field(default_factory=set)
    held: list[Spending] = field(default_factory=list)
    totals: UsageTotals = field(default_factory=UsageTotals)
    merged: UsageTotals = field(default_factory=UsageTotals)
    unmerged: bool = False
    ended: bool = False
    dismissed: bool = False


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
        self._workers: list[_Worker] = []
        self._slots = slots
        self._next = slots.start
        self._materials = materials
        self._given: dict[int, object] = {}
        self._returned: list[int] = []
        self._deaths: Counter[int] = Counter()
        self._stillborn: Counter[int] = Counter()
        self._filled: dict[int, SlotLines] = {}
        self._waiting = 0
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
            index = self._slots.start
            while await self._comes(index):
                yield self._taken(index)
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
        while index < self._slots.stop and index not in self._filled:
            if self._failure is not None:
                raise self._failure
            self._news.clear()
            await self._news.wait()
        return index < self._slots.stop

    def _taken(self, index: int) -> SlotLines:
        lines = self._filled.pop(index)
        self._waiting -= _size_of(lines)
        return lines

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
                await worker.hired.end(merged=self._is_struck_off(worker))

    def _is_struck_off(self, worker: _Worker) -> bool:
        """Whether nothing of a worker is needed any more; then the list of shards doesn't name its own.

        It is struck off before it is removed: one that is listed and gone would be looked for for ever.
        """
        if worker.dismissed and worker.shard is not None and self._merging is not None:
            try:
                self._merging.shards.merged(worker.shard)
            except WriteError:
                # it stays open, and the next run finds it
                return False
        return worker.dismissed

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
        worker = _Worker(number, None if merging is None else merging.shards.new_name(number))
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
            more = self._take(self._most + self._staff.spare - len(worker.slots))
            if more.indices:
                worker.slots.update(more.indices)
                with _sendable("what these slots are about", "or contexts that can be pickled"):
                    worker.hired.send(more)

    def _take(self, most: int) -> Slots:
        """The next slots; where those that wait for their turn take too much memory, only what they wait for."""
        if self._returned:
            indices, self._returned = self._returned[:most], self._returned[most:]
            return self._with_materials(tuple(indices), begun=True)
        if self._waiting >= WINDOW:
            return Slots(())
        self._draw(most)
        first, self._next = self._next, min(self._next + most, self._slots.stop)
        return self._with_materials(tuple(range(first, self._next)))

    def _draw(self, most: int) -> None:
        """Draw the materials of the next slots; where they end, so do the slots."""
        if self._materials is None:
            return
        wanted = range(self._next, min(self._next + most, self._slots.stop))
        drawn = dict(zip(wanted, self._materials, strict=False))
        self._given |= drawn
        if len(drawn) < len(wanted):
            self._slots = range(self._slots.start, self._next + len(drawn))

    def _with_materials(self, indices: tuple[int, ...], *, begun: bool = False) -> Slots:
        if self._materials is None:
            return Slots(indices, begun)
        return Slots(indices, begun, tuple(self._given[index] for index in indices))

    # -- messages --------------------------------------------------------------------------------------------------

    def _hear(self, worker: _Worker, message: object) -> None:
        try:
            self._take_up(worker, message)
        except Exception as error:
            # a journal that can't be written, say; whatever it is, it ends the run, which would wait for ever else
            self._failure = self._failure or error
        self._news.set()

    def _take_up(self, worker: _Worker, message: object) -> None:
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
        elif isinstance(message, Held):
            self._do(self._hold(worker, message))
        elif isinstance(message, Released) and self._place.reservation is not None:
            worker.held.remove(message.held)
            self._place.reservation.release(message.held, message.taken)
        elif isinstance(message, Logged):
            logging.getLogger(message.record.name).handle(message.record)
        elif isinstance(message, Failed):
            self._failure = self._failure or message.error
        elif isinstance(message, Ended | Lost) or message is None:
            self._part(worker, message)

    def _take_lines(self, worker: _Worker, message: Filled) -> None:
        worker.slots.difference_update(slot.index for slot in message.slots)
        self._filled.update((slot.index, slot) for slot in message.slots)
        self._waiting += sum(map(_size_of, message.slots))
        for slot in message.slots:
            self._given.pop(slot.index, None)
        self._assign()

    def _keep(self, worker: _Worker, message: Stored | Sought, merging: Merging) -> None:
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

    def _welcome(self, worker: _Worker, message: Ready) -> None:
        if worker.shard is not None and self._merging is not None:
            # before it gets slots: what is written down here is looked for after a kill
            self._merging.shards.opened(worker.shard, message.machine)
        worker.ready = True
        del self._stillborn[worker.number]
        self._assign()

    def _part(self, worker: _Worker, message: object) -> None:
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
        self._deaths.update(worker.slots)
        self._stillborn[worker.number] += not was_ready
        if self._none_lives() or any(self._deaths[slot] >= _MOST_DEATHS for slot in worker.slots):
            reason = message.reason if isinstance(message, Lost) else "it hung up"
            self._failure = self._failure or WorkerError(f"workers die again and again; the last one: {reason}")
            return
        self._do(self._replace(worker, registered=was_ready), self._recoveries)

    async def _replace(self, worker: _Worker, *, registered: bool) -> None:
        """Find what a worker stored and did not send, give its slots to others, and start another in its place."""
        if self._place.reservation is not None:
            for most in worker.held:
                self._place.reservation.release(most, NOTHING)
        if registered:
            await self._recover(worker)
        if self._over or self._failure is not None:
            return
        self._returned = sorted({*self._returned, *worker.slots})
        self._assign()
        self._do(self._start_again(worker.number))

    async def _start_again(self, number: int) -> None:
        """Start a worker in the place of one that died; where it had not got ready, as on a broken machine, later."""
        if (stillborn := self._stillborn[number]) > 1:
            await asyncio.sleep(min(_PAUSE * 2 ** (stillborn - 2), _LONGEST_PAUSE))
        if not self._over and self._failure is None:
            self._start(number)

    def _none_lives(self) -> bool:
        """Whether no worker is ready, and those of each share have died before they were, several times in all."""
        if any(worker.ready for worker in self._workers):
            return False
        stillborn = [self._stillborn[number] for number in range(self._size)]
        return all(stillborn) and sum(stillborn) >= _MOST_STILLBORN

    async def _recover(self, worker: _Worker) -> None:
        """Take up what a worker stored and did not send, where it has a shard."""
        if worker.shard is None or self._merging is None:
            return
        rows = await self._staff.recover(worker.shard)
        worker.merged += await self._merging.recover(worker.shard, rows)
        await self._staff.discard(worker.shard)
        worker.totals = replace(worker.merged, retries=worker.totals.retries, replayed=worker.totals.replayed)
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

    async def _hold(self, worker: _Worker, call: Held) -> None:
        """Set aside what a call of a worker may take."""
        reservation = self._place.reservation
        if reservation is None:
            return
        try:
            await reservation.hold(call.most)
        except BudgetError as error:
            worker.hired.send(Refused(call.number, str(error)))
            return
        if worker.ended:
            reservation.release(call.most, NOTHING)
            return
        worker.held.append(call.most)
        worker.hired.send(Granted(call.number))


def _size_of(lines: SlotLines) -> int:
    """Bytes that lines take while they wait, with all that is around them."""
    return lines.size() + _AROUND


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


_DIED = "a worker process died, perhaps for want of memory; fewer --workers need less"
