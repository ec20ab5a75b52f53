"""A worker as an actor of Ray: messages go by its methods, whichever machine it is on."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence

from dtomtrack.runs.garbage import rare_collections
from dtomtrack.runs.messages import Assignment, Ended, Stored
from dtomtrack.runs.shard import remove_shard
from dtomtrack.runs.worker import Worker, forward_log

__all__ = ["RayWorker"]

_BREATH = 0.002
"""Seconds in which messages come together that go as one."""


class RayWorker:
    """The actor."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._line = _Mailbox()
        self._life: asyncio.Task[None] | None = None

    async def say(self) -> Sequence[object]:
        """The next messages to the run; the first call begins the work."""
        if self._life is None:
            self._life = asyncio.create_task(self._live())
        return await self._line.outgoing()

    async def hear(self, message: object) -> None:
        """A message from the run."""
        self._line.take(message)

    async def forget(self) -> None:
        """The run has all replies of the shard."""
        if self._assignment.shard is not None:
            remove_shard(self._assignment.shard)

    async def _live(self) -> None:
        forward_log(self._line.send, self._assignment.log_levels)
        try:
            with rare_collections():
                await Worker(self._line, self._assignment, socket.gethostname()).work()
        finally:
            self._line.send(Ended())


class _Mailbox:
    """The line of an actor: messages wait here until the run fetches them."""

    def __init__(self) -> None:
        self._out: list[object] = []
        self._in: list[object] = []
        self._hear: Callable[[object], None] = self._in.append
        self._news = asyncio.Event()

    def send(self, message: object) -> bool:
        """Send a message."""
        self._out.append(message)
        self._news.set()
        return True

    def listen(self, hear: Callable[[object], None]) -> None:
        """Pass each message to the event loop, also those that came before."""
        self._hear = hear
        for message in self._in:
            hear(message)

    def take(self, message: object) -> None:
        """A message has come in."""
        self._hear(message)

    async def outgoing(self) -> Sequence[object]:
        """All messages that wait, replies first and as one: nothing that comes of them may be there before."""
        await self._news.wait()
        await asyncio.sleep(_BREATH)
        self._news.clear()
        out, self._out = self._out, []
        rows = tuple(row for message in out if isinstance(message, Stored) for row in message.rows)
        others = [message for message in out if not isinstance(message, Stored)]
        return [Stored(rows), *others] if rows else others
