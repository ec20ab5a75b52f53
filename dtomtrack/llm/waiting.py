"""Waiting that can be cut short: alarms, blocks that are left from outside, a limit to patience.

A process that stood still (stopped, asleep, busy) finds all its alarms due at once, before it has read what came in
meanwhile. Alarms that are late therefore wait for another moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

__all__ = ["Alarms", "Leavable", "TimeLimit"]

_LATE = 0.25
"""Seconds by which a timer that comes later tells of a process that stood still."""
_MOMENT = 1.0
_MOST_MOMENTS = 10


class Alarms:
    """Functions that are called so many seconds after they were set, unless they are taken back before.

    Nearly all are: one timer, set for the first of them, serves all those of an event loop.

    Args:
        seconds: in which the process was awake.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._due: dict[Callable[[], None], float] = {}
        """In the order in which they ring."""
        self._is_timed = False
        self._moments = _MOST_MOMENTS

    @property
    def seconds(self) -> float:
        """The time after which each rings."""
        return self._seconds

    def set(self, ring: Callable[[], None]) -> None:
        """Call a function after the time."""
        due = self._due[ring] = asyncio.get_running_loop().time() + self._seconds
        if not self._is_timed:
            self._look_at(due)

    def clear(self, ring: Callable[[], None]) -> None:
        """Don't call it after all."""
        self._due.pop(ring, None)

    def _look_at(self, due: float) -> None:
        self._is_timed = True
        asyncio.get_running_loop().call_at(due, self._look, due)

    def _look(self, due: float) -> None:
        now = asyncio.get_running_loop().time()
        if now - due > _LATE and self._moments:
            self._moments -= 1
            self._look_at(now + _MOMENT)
            return
        self._moments = _MOST_MOMENTS
        for ring in [ring for ring, due in self._due.items() if due <= now]:
            # another may have taken it back
            if self._due.pop(ring, None) is not None:
                ring()
        self._is_timed = False
        if self._due:
            self._look_at(next(iter(self._due.values())))


class Leavable:
    """A block that can be left from outside, as `asyncio.timeout` does it; use it as a context manager.

    Attributes:
        left: whether it was.
    """

    def __init__(self) -> None:
        self.left = False
        self._task: asyncio.Task[object] | None = None

    def __enter__(self) -> Self:
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task is not None else 0
        return self

    def leave(self) -> None:
        """End the block where it waits."""
        if self._task is not None and not self.left:
            self.left = True
            self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        task, self._task = self._task, None
        if not self.left or task is None:
            return False
        # somebody else may have cancelled it as well
        return task.uncancel() <= self._cancelling and kind is asyncio.CancelledError


class TimeLimit(Leavable):
    """A block that is left when an alarm rings; use it as a context manager.

    Raises:
        TimeoutError: it rang.
    """

    def __init__(self, alarms: Alarms) -> None:
        super().__init__()
        self._alarms = alarms

    def __enter__(self) -> Self:
        self._alarms.set(self.leave)
        return super().__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        self._alarms.clear(self.leave)
        is_ours = super().__exit__(kind, error, traceback)
        if self.left and (is_ours or kind is None):
            raise TimeoutError
        return is_ours
