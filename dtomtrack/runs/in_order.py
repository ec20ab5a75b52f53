"""Work on a stream: several pieces at once, results in order, nothing piled up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Generic, TypeVar

__all__ = ["AHEAD", "in_order"]

AHEAD = 3
"""Pieces that are under way or finished before their turn, for each that may be worked on."""

Item = TypeVar("Item")
Result = TypeVar("Result")


async def in_order(
    work: Callable[[Item], Awaitable[Result]], items: Iterable[Item], max_concurrency: int
) -> AsyncGenerator[Result, None]:
    """The results for ``items``, in their order; at most ``max_concurrency`` are worked on together.

    While a slow one is waited for, later ones go on: so many finished results are kept until their turn comes. What
    one piece of work raises ends all others, once its turn comes.

    Raises:
        ValueError: ``max_concurrency`` is no positive number.
    """
    if max_concurrency < 1:
        raise ValueError(f"at least one piece of work has to go on at once, not {max_concurrency}")
    window = _Window(work, items, max_concurrency)
    try:
        window.start_more()
        while window.started:
            results = await window.started[0]
            window.started.popleft()
            window.start_more()
            for result in results:
                yield result
    finally:
        await window.close()


class _Window(Generic[Item, Result]):
    """The pieces of work that are under way, or finished before their turn.

    Attributes:
        started: in the order of the items.
    """

    def __init__(self, work: Callable[[Item], Awaitable[Result]], items: Iterable[Item], max_concurrency: int) -> None:
        self.started: deque[asyncio.Future[tuple[Result, ...]]] = deque()
        self._work = work
        self._left = iter(items)
        self._most = max_concurrency
        self._running = 0
        self._over = False

    def start_more(self) -> None:
        """Start as many as may go on."""
        while not self._over and self._running < self._most and len(self.started) < self._most * AHEAD:
            task = asyncio.ensure_future(self._one())
            self._running += 1
            self.started.append(task)
            task.add_done_callback(self._finished)

    async def close(self) -> None:
        """Give up what is under way."""
        self._over = True
        for task in self.started:
            task.cancel()
        await asyncio.gather(*self.started, return_exceptions=True)

    async def _one(self) -> tuple[Result, ...]:
        """A result; nothing where no item is left. What taking an item raises comes out in its turn, too."""
        try:
            item = next(self._left)
        except StopIteration:
            self._over = True
            return ()
        return (await self._work(item),)

    def _finished(self, task: asyncio.Future[tuple[Result, ...]]) -> None:
        self._running -= 1
        self._over = self._over or task.cancelled() or task.exception() is not None
        self.start_more()
