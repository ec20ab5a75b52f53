"""Limits: how many calls at once, how many requests and tokens a minute.

A permit is held for one call, not for a dialogue, and not while a call waits for its next try.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest
from dtomtrack.llm.tokens import prompt_tokens

__all__ = ["Limited", "Rate", "Rated", "Rates"]

_MINUTE = 60.0


class Rate:
    """So many a minute, evenly spread: each waits until what was taken before it has been worked off.

    Args:
        now, sleep: the clock; others than the real one for tests.
    """

    def __init__(
        self,
        a_minute: float,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._a_second = a_minute / _MINUTE
        self._now = now
        self._sleep = sleep
        self._free_at = now()

    async def take(self, amount: float) -> None:
        """Wait until there is room for this much; who comes first goes first."""
        start = self.earliest()
        self.book(start, amount)
        await self.until(start)

    def earliest(self) -> float:
        """The earliest time when there is room."""
        return max(self._now(), self._free_at)

    def book(self, start: float, amount: float) -> None:
        """Take this much at that time."""
        self._free_at = start + amount / self._a_second

    async def until(self, start: float) -> None:
        """Wait until that time."""
        left = start - self._now()
        if left > 0:
            await self._sleep(left)


@dataclass(frozen=True)
class Rates:
    """How many requests and tokens a minute; None for no limit.

    Tokens are those of the prompt, estimated, and all that the reply may take.
    """

    requests: Rate | None = None
    tokens: Rate | None = None

    async def room_for(self, request: ChatRequest) -> None:
        """Wait until both have room: one after the other, calls that wait for tokens would pile up."""
        shares = [(self.requests, 1.0)] if self.requests is not None else []
        if self.tokens is not None:
            shares.append((self.tokens, prompt_tokens(request) + request.max_tokens))
        if not shares:
            return
        start = max(rate.earliest() for rate, _ in shares)
        for rate, amount in shares:
            rate.book(start, amount)
        await shares[0][0].until(start)


class Rated:
    """A model that is asked only so often."""

    def __init__(self, inner: ChatModel, rates: Rates) -> None:
        self._inner = inner
        self._rates = rates

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, once there is room for the request."""
        await self._rates.room_for(request)
        return await self._inner.chat(request)


class Limited:
    """A model of which only so many calls are under way together.

    Args:
        permits: so many; others may take of them, too.
    """

    def __init__(self, inner: ChatModel, permits: asyncio.Semaphore) -> None:
        self._inner = inner
        self._permits = permits

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, once it may be asked for."""
        async with self._permits:
            return await self._inner.chat(request)
