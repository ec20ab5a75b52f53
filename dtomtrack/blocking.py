"""Asynchronous work for programs without an event loop of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from typing import Any, Generic, TypeVar

from dtomtrack.errors import InputError

__all__ = ["Stream", "run_blocking"]

T = TypeVar("T")


def run_blocking(work: Callable[[], Coroutine[Any, Any, T]], instead: str) -> T:
    """The result of a coroutine that ``work`` makes.

    Args:
        instead: how to call it where an event loop runs: "await agenerate(...)".

    Raises:
        InputError: an event loop runs in this thread, as it does in a notebook.
    """
    _check_no_loop(instead)
    return asyncio.run(work())


def _check_no_loop(instead: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InputError(f"an event loop is running here, as in every notebook: write `{instead}` instead")


class Stream(AsyncGenerator[T, None], Generic[T]):
    """Results that come one at a time, with ``async for``, or with ``for`` where no event loop runs.

    Args:
        inner: makes the results.
        name: of the call that made the stream, for messages.
    """

    def __init__(self, inner: AsyncGenerator[T, None], name: str) -> None:
        self._inner = inner
        self._name = name

    async def asend(self, value: None) -> T:
        """The next result."""
        return await self._inner.asend(value)

    async def athrow(self, *error: Any) -> T:
        """Raise within the generator."""
        return await self._inner.athrow(*error)

    def __iter__(self) -> Iterator[T]:
        """The results, from an event loop that runs while one of them is waited for.

        Raises:
            InputError: an event loop runs in this thread.
        """
        _check_no_loop(f"async for one in {self._name}(...)")
        with asyncio.Runner() as runner:
            try:
                while True:
                    try:
                        found = runner.run(self._next())
                    except StopAsyncIteration:
                        return
                    yield found
            finally:
                runner.run(self._inner.aclose())

    async def _next(self) -> T:
        return await anext(self._inner)
