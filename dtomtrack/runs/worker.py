"""A worker process: fills the slots that its run sends, and sends back their lines."""

from __future__ import annotations

import asyncio
import logging
import logging.handlers
import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait

from dtomtrack.errors import BudgetError, DtomtrackError, WorkerError
from dtomtrack.llm.budget import NOTHING, Spending
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.garbage import rare_collections
from dtomtrack.runs.job import SlotFiller
from dtomtrack.runs.messages import (
    Assignment,
    Channel,
    Counted,
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
from dtomtrack.runs.workplace import Workplace

__all__ = ["work"]

_TICK = 0.25
"""Seconds between two messages of what calls took."""


def work(connection: Connection) -> None:
    """The life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    channel = Channel(connection)
    assignment = channel.receive()
    if isinstance(assignment, Assignment):
        _forward_log(channel, assignment.log_level)
        with rare_collections():
            asyncio.run(_Worker(channel, assignment).work())
        channel.send(Ended())


def _end_with_parent() -> None:
    """A worker whose parent is killed ends by itself."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _forward_log(channel: Channel, level: int) -> None:
    class Forwarding(logging.handlers.QueueHandler):
        """Sends each line of the log to the run."""

        def enqueue(self, record: logging.LogRecord) -> None:
            channel.send(Logged(record))

    logger = logging.getLogger("dtomtrack.llm")
    logger.setLevel(level)
    logger.addHandler(Forwarding(None))  # type: ignore[arg-type]


class _Reservation:
    """The budget as a worker sees it: the run watches over it, and is asked for each call."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
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
        self._channel.send(Held(number, most))
        await answer

    def release(self, held: Spending, taken: Spending) -> None:
        """The call is over."""
        self._channel.send(Released(held, taken))

    def hear(self, answer: Granted | Refused) -> None:
        """The run has decided."""
        asked, most = self._asked.pop(answer.number)
        if asked.done():
            if isinstance(answer, Granted):
                # whoever asked was cancelled meanwhile
                self.release(most, NOTHING)
            return
        if isinstance(answer, Refused):
            asked.set_exception(BudgetError(answer.reason))
        else:
            asked.set_result(None)


class _Worker:
    """Fills slots, several at once, until it hears that this is the end."""

    def __init__(self, channel: Channel, assignment: Assignment) -> None:
        self._channel = channel
        self._job = assignment.job
        self._reservation = _Reservation(channel)
        self._totals = UsageTotals()
        self._place = Workplace(
            assignment.journal,
            self._totals,
            self._reservation if assignment.budgeted else None,
            assignment.number,
            assignment.workers,
        )
        self._most = assignment.job.max_concurrency(assignment.workers)
        self._waiting: deque[int] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._filled: list[SlotLines] = []
        self._over = asyncio.Event()
        self._failed = False

    async def work(self) -> None:
        """Work until the end."""
        try:
            async with self._counting(), self._job.open(self._place) as fill:
                self._channel.listen(partial(self._hear, fill))
                self._channel.send(Ready())
                await self._over.wait()
                await self._give_up()
        except Exception as error:
            self._fail(error)

    def _hear(self, fill: SlotFiller, message: object) -> None:
        if isinstance(message, Slots):
            self._waiting.extend(message.indices)
            self._start(fill)
        elif isinstance(message, Granted | Refused):
            self._reservation.hear(message)
        else:
            self._over.set()

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
        self._channel.send(Filled(slots))

    def _fail(self, error: BaseException) -> None:
        if not self._failed:
            self._failed = True
            self._channel.send(Failed(_sendable(error)))

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
            self._channel.send(Counted(replace(self._totals)))


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
