"""Work on a stream: several pieces at once, results in order, nothing piled up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Generic, TypeVar

__all__ = ["WINDOW", "in_order"]

WINDOW = 64 << 20
"""Bytes of results that may wait for their turn: while one hangs, others go on."""
_LEAST = 1 << 10
"""Bytes that any result counts for."""
_LIKELY = 1 << 16
"""Bytes that a result counts for where nobody says."""

Item = TypeVar("Item")
Result = TypeVar("Result")


async def in_order(
    work: Callable[[Item], Awaitable[Result]],
    items: Iterable[Item],
    max_concurrency: int,
    size: Callable[[Result], int] = lambda _: _LIKELY,
) -> AsyncGenerator[Result, None]:
    """The results for ``items``, in their order; at most ``max_concurrency`` are worked on together.

    While a slow one is waited for, later ones go on, until the results that wait for their turn take too much memory.
    What one piece of work raises ends all others, once its turn comes.

    Args:
        size: of a result, in bytes.

    Raises:
        ValueError: ``max_concurrency`` is no positive number.
    """
    if max_concurrency < 1:
        raise ValueError(f"at least one piece of work has to go on at once, not {max_concurrency}")
    window = _Window(work, items, max_concurrency, size)
    try:
        window.start_more()
        while window.started:
            results = await window.first()
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

    def __init__(
        self,
        work: Callable[[Item], Awaitable[Result]],
        items: Iterable[Item],
        max_concurrency: int,
        size: Callable[[Result], int],
    ) -> None:
        self.started: deque[asyncio.Task[tuple[Result, ...]]] = deque()
        self._work = work
        self._left = iter(items)
        self._most = max_concurrency
        self._size = size
        self._running = 0
        self._waiting = 0
        self._beginning = False
        self._over = False

    async def first(self) -> tuple[Result, ...]:
        """The result whose turn it is."""
        results = await self.started[0]
        self.started.popleft()
        self._waiting -= self._bytes_of(results)
        return results

    def start_more(self) -> None:
        """Start one if it may go on; it starts the next, once it has found an item.

        So no more are started than there are items, and between two of them others have their turn, a stop included.
        """
        if not self._over and not self._beginning and self._running < self._most and self._waiting < WINDOW:
            self._running += 1
            self._beginning = True
            self.started.append(asyncio.create_task(self._one()))

    async def close(self) -> None:
        """Give up what is under way."""
        self._over = True
        for task in self.started:
            task.cancel()
        await asyncio.gather(*self.started, return_exceptions=True)

    def _bytes_of(self, results: tuple[Result, ...]) -> int:
        return sum(max(_LEAST, self._size(result)) for result in results)

    async def _one(self) -> tuple[Result, ...]:
        """A result; nothing where no item is left. What taking an item raises comes out in its turn, too."""
        results: tuple[Result, ...] = ()
        try:
            item = next(self._left)
            self._beginning = False
            self.start_more()
            results = (await self._work(item),)
        except StopIteration:
            return results
        finally:
            # behind the last item, and behind whatever was raised, being cancelled included, nothing is begun
            self._over = self._over or not results
            self._running -= 1
        self._waiting += self._bytes_of(results)
        self.start_more()
        return results
