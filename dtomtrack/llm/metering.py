"""Metering: a model whose calls are counted, kept within a budget, and logged without what they say."""

from __future__ import annotations

import logging
import time

from dtomtrack.llm.budget import NOTHING, Reservation, Spending
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Usage
from dtomtrack.llm.prices import Price
from dtomtrack.llm.tokens import prompt_tokens
from dtomtrack.llm.usage import UsageTotals

__all__ = ["Metered"]

_log = logging.getLogger("dtomtrack.llm")


class Metered:
    """A model whose calls are counted, kept within a budget, and logged without what they say.

    Args:
        price: None where nobody knows it.
        reservation: None where there is no budget.
    """

    def __init__(
        self, inner: ChatModel, totals: UsageTotals, price: Price | None, reservation: Reservation | None = None
    ) -> None:
        self._inner = inner
        self._totals = totals
        self._price = price
        self._reservation = reservation

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    def cost(self, usage: Usage) -> float:
        """The price of a call, in US dollars; 0 where nobody knows."""
        return self._price.of(usage) if self._price is not None else 0.0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, counted.

        Raises:
            BudgetError: the call might exceed the budget.
        """
        if self._reservation is None:
            return await self._counted(request)
        most = self._spending(Usage(prompt_tokens(request), request.max_tokens))
        await self._reservation.hold(most)
        taken = NOTHING
        try:
            reply = await self._counted(request)
            taken = self._spending(reply.usage)
        finally:
            self._reservation.release(most, taken)
        return reply

    def _spending(self, usage: Usage) -> Spending:
        return Spending(usage.prompt_tokens + usage.completion_tokens, self.cost(usage))

    async def _counted(self, request: ChatRequest) -> ChatReply:
        started = time.monotonic()
        self._totals.in_flight += 1
        try:
            reply = await self._inner.chat(request)
        finally:
            self._totals.in_flight -= 1
        self._totals.count(reply.usage, self.cost(reply.usage))
        if _log.isEnabledFor(logging.INFO):
            usage, seconds = reply.usage, time.monotonic() - started
            _log.info(
                "%s: %s %s, %d + %d tokens, %.2f s",
                request.call,
                self.name,
                reply.finish,
                usage.prompt_tokens,
                usage.completion_tokens,
                seconds,
            )
        return reply
