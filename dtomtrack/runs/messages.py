"""The words between a run and its worker processes, and the lines over which they go."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from logging import LogRecord
from multiprocessing.connection import Connection
from pathlib import Path

from dtomtrack.llm.budget import Spending
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.job import Job
from dtomtrack.runs.slot_lines import SlotLines

__all__ = [
    "Assignment",
    "Channel",
    "Counted",
    "End",
    "Ended",
    "Failed",
    "Filled",
    "Granted",
    "Held",
    "Logged",
    "Ready",
    "Refused",
    "Released",
    "Slots",
]


# -- from the run to a worker ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assignment:
    """The first message: the job, and the worker's place in the run.

    Attributes:
        budgeted: whether calls have to be asked for before they are made.
        log_level: of the language-model layer.
    """

    job: Job
    number: int
    workers: int
    journal: Path | None
    budgeted: bool
    log_level: int


@dataclass(frozen=True, slots=True)
class Slots:
    """More slots to be filled."""

    indices: range


@dataclass(frozen=True, slots=True)
class Granted:
    """A call may be made."""

    number: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A call might exceed the budget."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class End:
    """There is nothing more to do: give up what is under way, close what is open, and end."""


# -- from a worker to the run ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ready:
    """The job is open."""


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
class Logged:
    """A line for the log."""

    record: LogRecord


@dataclass(frozen=True, slots=True)
class Ended:
    """All that was open is closed; the process may be killed."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The worker can't go on."""

    error: BaseException


class Channel:
    """One end of the channel between a run and a worker."""

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
