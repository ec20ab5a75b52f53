"""Waiting that can be cut short: alarms, blocks that are left from outside, a limit to patience.

A process that stood still (stopped, asleep, busy) finds all its alarms due at once, before it has read what came in
meanwhile. An alarm that is late therefore waits for another moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

__all__ = ["Alarm", "Leavable", "patience"]

_LATE = 0.25
"""Seconds by which an alarm that comes later tells of a process that stood still."""
_MOMENT = 1.0
_MOST_MOMENTS = 10


class Alarm:
    """Calls a function after so many seconds in which the process was awake; use it as a context manager."""

    def __init__(self, seconds: float, ring: Callable[[], None]) -> None:
        self._seconds = seconds
        self._ring = ring
        self._moments = _MOST_MOMENTS

    def __enter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._set(self._seconds)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def again(self, seconds: float) -> None:
        """Ring after so many seconds, once it has rung."""
        self._set(seconds)

    def _set(self, seconds: float) -> None:
        self._due = self._loop.time() + seconds
        self._timer = self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        if self._loop.time() - self._due > _LATE and self._moments:
            self._moments -= 1
            self._set(_MOMENT)
        else:
            self._ring()


class Leavable:
    """A block that can be left from outside, as `asyncio.timeout` does it; use it as an async context manager.

    Attributes:
        left: whether it was.
    """

    def __init__(self) -> None:
        self.left = False
        self._task: asyncio.Task[object] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task is not None else 0
        return self

    def leave(self) -> None:
        """End the block where it waits."""
        if self._task is not None and not self.left:
            self.left = True
            self._task.cancel()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        task, self._task = self._task, None
        if not self.left or task is None:
            return False
        # somebody else may have cancelled it as well
        return task.uncancel() <= self._cancelling and kind is asyncio.CancelledError


class patience(Leavable):  # noqa: N801 - used as `asyncio.timeout` is; a generator would cost each call more
    """Wait no longer than this for a block; use it as an async context manager.

    Raises:
        TimeoutError: it took longer.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._alarm = Alarm(seconds, self.leave)

    async def __aenter__(self) -> Self:
        self._alarm.__enter__()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        self._alarm.__exit__(kind, error, traceback)
        swallowed = await super().__aexit__(kind, error, traceback)
        if self.left and (swallowed or kind is None):
            raise TimeoutError
        return swallowed
