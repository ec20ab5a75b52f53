"""Work on a stream: several pieces at once, results in order, nothing piled up."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import TypeVar

__all__ = ["AHEAD", "in_order"]

AHEAD = 3
"""Pieces that are under way or finished before their turn, for each that may be worked on."""

Item = TypeVar("Item")
Result = TypeVar("Result")


async def in_order(
    work: Callable[[Item], Awaitable[Result]], items: Iterable[Item], at_once: int
) -> AsyncGenerator[Result, None]:
    """The results for ``items``, in their order; at most ``at_once`` are worked on together.

    While a slow one is waited for, later ones go on: so many finished results are kept until their turn comes. What
    one piece of work raises ends all others, once its turn comes.

    Raises:
        ValueError: ``at_once`` is no positive number.
    """
    if at_once < 1:
        raise ValueError(f"at least one piece of work has to go on at once, not {at_once}")
    left = iter(items)
    started: deque[asyncio.Future[tuple[Result, ...]]] = deque()
    running = 0
    over = False

    async def one() -> tuple[Result, ...]:
        """A result; nothing where no item is left. What taking an item raises comes out in its turn, too."""
        nonlocal over
        try:
            item = next(left)
        except StopIteration:
            over = True
            return ()
        return (await work(item),)

    def start_more() -> None:
        nonlocal running
        while not over and running < at_once and len(started) < at_once * AHEAD:
            task = asyncio.ensure_future(one())
            running += 1
            started.append(task)
            task.add_done_callback(finished)

    def finished(task: asyncio.Future[tuple[Result, ...]]) -> None:
        nonlocal running, over
        running -= 1
        over = over or task.cancelled() or task.exception() is not None
        start_more()

    try:
        start_more()
        while started:
            results = await started[0]
            started.popleft()
            start_more()
            for result in results:
                yield result
    finally:
        over = True
        for task in started:
            task.cancel()
        await asyncio.gather(*started, return_exceptions=True)
