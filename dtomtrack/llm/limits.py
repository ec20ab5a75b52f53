"""Limits: how many calls at once, how many requests and tokens a minute.

A permit is held for one call, not for a dialogue, and not while a call waits for its next try.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest
from dtomtrack.llm.tokens import prompt_tokens

__all__ = ["Limited", "Rate"]

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
        now = self._now()
        start = max(now, self._free_at)
        self._free_at = start + amount / self._a_second
        if start > now:
            await self._sleep(start - now)


class Limited:
    """A model that is not asked more than it may be.

    Args:
        at_once: calls under way together.
        requests, tokens: a minute; None for no limit. Tokens are those of the prompt, estimated, and all that the reply
            may take.
    """

    def __init__(
        self, inner: ChatModel, at_once: int, *, requests: Rate | None = None, tokens: Rate | None = None
    ) -> None:
        self._inner = inner
        self._permits = asyncio.Semaphore(at_once)
        self._requests = requests
        self._tokens = tokens

    @property
    def name(self) -> str:
        """That of the model."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, once it may be asked for."""
        async with self._permits:
            if self._requests is not None:
                await self._requests.take(1)
            if self._tokens is not None:
                await self._tokens.take(prompt_tokens(request) + request.max_tokens)
            return await self._inner.chat(request)
