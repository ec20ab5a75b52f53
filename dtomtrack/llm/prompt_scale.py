"""How many tokens a model's prompts take, as its server counts them: more than estimated where words are odd."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from dtomtrack.llm.chat import ChatRequest, Usage
from dtomtrack.llm.tokens import prompt_tokens

__all__ = ["PromptScale"]


class PromptScale:
    """The largest ratio of counted tokens to estimated ones in the prompts of one model, at least 1."""

    def __init__(self) -> None:
        self._ratio: float | None = None
        self._first = asyncio.Lock()

    @asynccontextmanager
    async def known(self) -> AsyncIterator[None]:
        """Calls go one at a time until one is counted: all that are made before are off by as much as the first."""
        async with AsyncExitStack() as stack:
            if self._ratio is None:
                await stack.enter_async_context(self._first)
            if self._ratio is not None:
                await stack.aclose()
            yield

    def most(self, request: ChatRequest) -> int:
        """Tokens that a prompt may take."""
        return math.ceil(prompt_tokens(request) * (self._ratio or 1.0))

    def learn(self, request: ChatRequest, usage: Usage) -> None:
        """A call was counted."""
        self._ratio = max(self._ratio or 1.0, usage.prompt_tokens / (prompt_tokens(request) or 1))
