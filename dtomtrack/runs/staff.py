"""Where the workers of a run come from: processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Sequence
from typing import Protocol

from dtomtrack.llm.journal_rows import Row
from dtomtrack.runs.messages import Assignment, ShardName

__all__ = ["Hired", "Staff"]


class Hired(Protocol):
    """A worker, as the run reaches it."""

    def send(self, message: object) -> bool:
        """Send a message; False if nobody is there any more."""
        ...

    async def end(self, *, merged: bool) -> None:
        """End it, whatever it does.

        Args:
            merged: whether the run has all replies of its shard, which need not stay.
        """
        ...


class Staff(Protocol):
    """Starts workers.

    Attributes:
        spare: slots that wait at a worker, so that it need not wait for the next.
        replaces: whether a worker that died is replaced; otherwise the run ends.
    """

    @property
    def spare(self) -> int: ...

    @property
    def replaces(self) -> bool: ...

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> Hired:
        """Start a worker.

        Args:
            hear: called in the event loop with each message of it, and with `Lost` or None when it is no more.
        """
        ...

    async def recover(self, shard: ShardName) -> AsyncIterable[Sequence[Row]] | None:
        """The replies in the shard of a worker that is no more, piece by piece; None where it can't be reached.

        Raises:
            DatasetError: it is damaged.
        """
        ...

    async def discard(self, shard: ShardName) -> None:
        """Remove a shard of which the run has all."""
        ...
