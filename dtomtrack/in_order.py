"""Work on a stream: several pieces at once, results in order, nothing piled up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import TypeVar

__all__ = ["in_order"]

Item = TypeVar("Item")
Result = TypeVar("Result")


async def in_order(
    work: Callable[[Item], Awaitable[Result]], items: Iterable[Item], at_once: int
) -> AsyncGenerator[Result, None]:
    """The results for ``items``, in their order; at most ``at_once`` of them are taken before their turn.

    What one piece of work raises ends all others.

    Raises:
        ValueError: ``at_once`` is no positive number.
    """
    if at_once < 1:
        raise ValueError(f"at least one piece of work has to go on at once, not {at_once}")
    left = iter(items)
    running: deque[asyncio.Future[Result]] = deque()

    def start_next() -> None:
        for item in left:
            running.append(asyncio.ensure_future(work(item)))
            return

    try:
        for _ in range(at_once):
            start_next()
        while running:
            result = await running[0]
            running.popleft()
            start_next()
            yield result
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
