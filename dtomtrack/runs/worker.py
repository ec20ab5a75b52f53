"""A worker: fills the slots that its run sends, and sends back their lines, wherever it is."""

from __future__ import annotations

import asyncio
import logging
import logging.handlers
import pickle
import traceback
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from dtomtrack.errors import DtomtrackError, WorkerError
from dtomtrack.llm.budget import NOTHING, Spending
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.messages import (
    Assignment,
    Counted,
    Failed,
    Filled,
    Found,
    Granted,
    Held,
    Line,
    Logged,
    Ready,
    Refused,
    Released,
    Slots,
)
from dtomtrack.runs.pieces import followed
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

if TYPE_CHECKING:
    from dtomtrack.runs.shard import Shard

__all__ = ["Worker", "forward_log"]

_TICK = 0.25
"""Seconds between two messages of what calls took."""


def forward_log(send: Callable[[object], object], levels: Mapping[str, int]) -> None:
    """Send each record of these loggers to the run, from their level on."""

    class Forwarding(logging.handlers.QueueHandler):
        """Sends each line of the log to the run."""

        def enqueue(self, record: logging.LogRecord) -> None:
            send(Logged(record))

    for name, level in levels.items():
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.addHandler(Forwarding(None))  # type: ignore[arg-type]


class _Reservation:
    """The budget as a worker sees it: the run watches over it, and is asked for each call."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._numbers = count()
        self._asked: dict[int, tuple[asyncio.Future[None], Spending]] = {}

    async def hold(self, most: Spending) -> None:
        """Set aside what a call may take at most.

        Raises:
            BudgetError: it is more than what is left.
        """
        number = next(self._numbers)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer, most
        self._line.send(Held(number, most))
        try:
            await answer
        except asyncio.CancelledError:
            if answer.done() and not answer.cancelled() and answer.exception() is None:
                # it was granted at the very moment
                self.release(most, NOTHING)
            raise

    def release(self, held: Spending, taken: Spending) -> None:
        """The call is over."""
        self._line.send(Released(held, taken))

    def hear(self, answer: Granted | Refused) -> None:
        """The run has decided."""
        asked, most = self._asked.pop(answer.number)
        if asked.done():
            if isinstance(answer, Granted):
                # whoever asked was cancelled meanwhile
                self.release(most, NOTHING)
            return
        if isinstance(answer, Refused):
            asked.set_exception(answer.error)
        else:
            asked.set_result(None)


class Worker:
    """Fills slots, several at once, until it hears that this is the end.

    Args:
        line: to the run.
        machine: where this is, for a run that is elsewhere.
    """

    def __init__(self, line: Line, assignment: Assignment, machine: str = "") -> None:
        self._line = line
        self._machine = machine
        self._job = assignment.job
        self._reservation = _Reservation(line)
        self._totals = UsageTotals()
        self._place = Workplace(
            assignment.journal,
            self._totals,
            self._reservation if assignment.budgeted else None,
            assignment.number,
            assignment.workers,
            trace=assignment.trace,
        )
        self._assignment = assignment
        self._shard: Shard | None = None
        self._most = assignment.job.max_concurrency(assignment.workers)
        self._waiting: deque[int] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._filled: list[SlotLines] = []
        self._over = asyncio.Event()
        self._failed = False

    async def work(self) -> None:
        """Work until the end."""
        try:
            async with self._counting(), self._sharded() as place, self._job.open(place) as filler:
                fill = followed(filler, place.trace)
                self._line.listen(partial(self._hear, fill))
                self._line.send(Ready(self._machine))
                await self._over.wait()
                await self._give_up()
        except Exception as error:
            self._fail(error)

    def _hear(self, fill: SlotFiller, message: object) -> None:
        if isinstance(message, Slots):
            if message.begun and self._shard is not None:
                self._shard.seeking = True
            self._place.materials.update(zip(message.indices, message.materials, strict=False))
            self._waiting.extend(message.indices)
            self._start(fill)
        elif isinstance(message, Found) and self._shard is not None:
            self._shard.hear(message)
        elif isinstance(message, Granted | Refused):
            self._reservation.hear(message)
        else:
            self._over.set()

    @asynccontextmanager
    async def _sharded(self) -> AsyncIterator[Workplace]:
        """This place, with a shard where the run's journal is on another machine."""
        name = self._assignment.shard
        if name is None:
            yield self._place
            return
        # imported late: workers beside the journal don't need it
        from dtomtrack.runs.shard import Shard

        self._shard = Shard(name, self._line, seeking=self._assignment.seeking)
        try:
            yield replace(self._place, shard=self._shard)
        finally:
            await self._shard.end()

    def _start(self, fill: SlotFiller) -> None:
        while self._waiting and len(self._running) < self._most and not self._over.is_set():
            task = asyncio.ensure_future(self._fill(fill, self._waiting.popleft()))
            self._running.add(task)
            task.add_done_callback(partial(self._end, fill))

    def _end(self, fill: SlotFiller, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._start(fill)

    async def _fill(self, fill: SlotFiller, index: int) -> None:
        try:
            lines = await fill(index)
        except Exception as error:
            self._fail(error)
            return
        if not self._filled:
            # what is done until then goes in one message
            asyncio.get_running_loop().call_soon(self._send_filled)
        self._filled.append(lines)

    def _send_filled(self) -> None:
        slots, self._filled = tuple(self._filled), []
        self._line.send(Filled(slots))

    def _fail(self, error: BaseException) -> None:
        if not self._failed:
            self._failed = True
            self._line.send(Failed(_sendable(error)))

    async def _give_up(self) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    @asynccontextmanager
    async def _counting(self) -> AsyncIterator[None]:
        """Tell the run again and again what calls took, and once more at the end."""

        async def tick() -> None:
            while True:
                await asyncio.sleep(_TICK)
                self._tell_totals()

        ticker = asyncio.create_task(tick())
        try:
            yield
        finally:
            ticker.cancel()
            with suppress(asyncio.CancelledError):
                await ticker
            self._tell_totals()

    def _tell_totals(self) -> None:
        if self._totals != UsageTotals():
            self._line.send(Counted(replace(self._totals)))


def _sendable(error: BaseException) -> BaseException:
    """An error that can be sent; one that nobody raised on purpose, with its traceback."""
    if not isinstance(error, DtomtrackError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - packed just here
    except Exception:
        # what packing may raise is up to the classes in it
        return WorkerError("".join(traceback.format_exception(error)))
    return error
