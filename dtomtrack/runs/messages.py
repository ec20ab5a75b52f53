"""The words between a run and its workers, and the line over which they go to a process of this machine."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from logging import LogRecord
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from dtomtrack.errors import BudgetError
from dtomtrack.llm.budget import Spending
from dtomtrack.llm.journal_rows import Row
from dtomtrack.llm.tracing import RunTrace
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.job import Work
from dtomtrack.runs.slot_lines import SlotLines

__all__ = [
    "Assignment",
    "Channel",
    "Counted",
    "End",
    "Ended",
    "Failed",
    "Filled",
    "Found",
    "Granted",
    "Held",
    "Line",
    "Logged",
    "Lost",
    "Ready",
    "Refused",
    "Released",
    "ShardName",
    "Slots",
    "Sought",
    "Stored",
]


# -- from the run to a worker ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShardName:
    """The shard of a worker: where the replies of its calls are kept on its own machine.

    Attributes:
        run: whose it is.
    """

    run: str
    name: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """The first message: the job, and the worker's place in the run.

    Attributes:
        journal: the run's, for workers that can open it.
        shard: what those write that can't.
        seeking: whether the run may hold replies for which a worker with a shard has to ask.
        budgeted: whether calls have to be asked for before they are made.
        trace: the run, as logs and spans know it.
        log_levels: of the loggers whose records the run wants.
    """

    job: Work
    number: int
    workers: int
    journal: Path | None
    budgeted: bool
    trace: RunTrace
    log_levels: Mapping[str, int]
    shard: ShardName | None = None
    seeking: bool = False


@dataclass(frozen=True, slots=True)
class Slots:
    """More slots to be filled.

    Attributes:
        begun: whether another worker had them before, so that the run may hold replies.
        materials: what has to be known of each beside its number, if anything.
    """

    indices: tuple[int, ...]
    begun: bool = False
    materials: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Granted:
    """A call may be made."""

    number: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A call might exceed the budget."""

    number: int
    error: BudgetError


@dataclass(frozen=True, slots=True)
class End:
    """There is nothing more to do: give up what is under way, close what is open, and end."""


@dataclass(frozen=True, slots=True)
class Found:
    """The reply that was sought, as a row of the journal; None if there is none."""

    number: int
    row: Row | None


# -- from a worker to the run ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ready:
    """The job is open.

    Attributes:
        machine: where the worker is, if it is not here.
    """

    machine: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """Slots that are done."""

    slots: tuple[SlotLines, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """Sums over the calls of this worker."""

    totals: UsageTotals


@dataclass(frozen=True, slots=True)
class Held:
    """A call asks for its share of the budget, under a number of the worker's own."""

    number: int
    most: Spending


@dataclass(frozen=True, slots=True)
class Released:
    """A call is over."""

    held: Spending
    taken: Spending


@dataclass(frozen=True, slots=True)
class Stored:
    """Replies that are in the shard of this worker, as rows of the journal."""

    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Sought:
    """Whether the run holds a reply with this key is asked, under a number of the worker's own."""

    number: int
    key: bytes


@dataclass(frozen=True, slots=True)
class Logged:
    """A line for the log."""

    record: LogRecord


@dataclass(frozen=True, slots=True)
class Ended:
    """All that was open is closed; the process may be killed."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The worker is no more; said in its stead by the line."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The worker can't go on."""

    error: BaseException


class Line(Protocol):
    """One end of the line between a run and a worker, however far it goes."""

    def send(self, message: object) -> bool:
        """Send a message; False if nobody is there any more."""
        ...

    def listen(self, hear: Callable[[object], None]) -> None:
        """Pass each message, and None at the end, to the event loop."""
        ...


class Channel:
    """One end of the line between a run and a worker on this machine."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = threading.Lock()

    def send(self, message: object) -> bool:
        """Send a message; False if nobody is there any more."""
        packed = pickle.dumps(message)
        try:
            with self._sending:
                self._connection.send_bytes(packed)
        except OSError:
            return False
        return True

    def receive(self) -> object:
        """The next message; None if nobody is there any more."""
        try:
            message: object = pickle.loads(self._connection.recv_bytes())  # noqa: S301 - from a process of this run
        except (EOFError, OSError):
            return None
        return message

    def listen(self, hear: Callable[[object], None], first: object = None) -> None:
        """Pass each message, and None at the end, to the event loop; in a thread that ends with the channel.

        Args:
            first: a message to send before; who is to receive it may not be there yet.
        """
        loop = asyncio.get_running_loop()

        def keep_listening() -> None:
            if first is not None:
                self.send(first)
            with suppress(RuntimeError):
                # the loop is closed: nobody listens any more
                while (message := self.receive()) is not None:
                    loop.call_soon_threadsafe(hear, message)
                loop.call_soon_threadsafe(hear, None)
            # by nobody else: who reads from a channel that is closed meanwhile fails in any of several ways
            self._connection.close()

        threading.Thread(target=keep_listening, daemon=True).start()
