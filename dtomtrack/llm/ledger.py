"""What calls took, and what they may take: the books of a run, and a model that keeps them.

Sums are those of all sessions of a run: they start from what the journal holds.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass

from dtomtrack.errors import BudgetError
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Usage
from dtomtrack.llm.prices import Price
from dtomtrack.llm.tokens import prompt_tokens

__all__ = ["Budget", "Ledger", "Metered"]

_log = logging.getLogger("dtomtrack.llm")


@dataclass(frozen=True)
class Budget:
    """What a run may spend over all its sessions; None for no limit. Money is in US dollars."""

    cost: float | None = None
    tokens: int | None = None


@dataclass
class Ledger:
    """The books of a run.

    Attributes:
        calls: replies that came in, over all sessions.
        replayed: replies of this session that came from the journal.
        retries: of this session.
        estimated: how many replies came without a token count.
        cost: in US dollars; of models without a known price nothing is in it.
    """

    calls: int = 0
    in_flight: int = 0
    replayed: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """Of prompts and replies."""
        return self.prompt_tokens + self.completion_tokens

    def retry(self) -> None:
        """One more retry."""
        self.retries += 1

    def book(self, usage: Usage, cost: float) -> None:
        """One more reply."""
        self.calls += 1
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
        self.estimated += usage.estimated
        self.cost += cost


class Reserve:
    """The budget of a run, with what calls under way may still take.

    Once a call is refused, all are: the run ends, and what would be under way then would be paid for in vain.
    """

    def __init__(self, ledger: Ledger, budget: Budget) -> None:
        self._ledger = ledger
        self._budget = budget
        self._tokens = 0
        self._cost = 0.0
        self._settled = asyncio.Event()
        self._over = False

    async def hold(self, tokens: int, cost: float) -> None:
        """Set aside what a call may take at most; wait for calls under way if only they stand in between.

        Raises:
            BudgetError: it is more than what is left. No call is under way any more: all that was paid is journaled.
        """
        while not self._over and not self._fits(tokens, cost):
            if self._ledger.in_flight == 0:
                self._over = True
                self._settled.set()
            else:
                self._settled.clear()
                await self._settled.wait()
        if self._over:
            raise BudgetError(self._told())
        self._tokens += tokens
        self._cost += cost
        self._ledger.in_flight += 1

    def release(self, tokens: int, cost: float) -> None:
        """The call is over."""
        self._tokens -= tokens
        self._cost -= cost
        self._ledger.in_flight -= 1
        self._settled.set()

    def _fits(self, tokens: int, cost: float) -> bool:
        most, money = self._budget.tokens, self._budget.cost
        if most is not None and self._ledger.tokens + self._tokens + tokens > most:
            return False
        return money is None or self._ledger.cost + self._cost + cost <= money

    def _told(self) -> str:
        spent = f"{self._ledger.tokens} tokens and ${self._ledger.cost:.4f} are spent"
        limits = [f"{self._budget.tokens} tokens"] if self._budget.tokens is not None else []
        limits += [f"${self._budget.cost:g}"] if self._budget.cost is not None else []
        return f"the next call might exceed the budget of {' and '.join(limits)} ({spent}); raise it to go on"


class Metered:
    """A model whose calls are booked, kept within a budget, and logged without what they say.

    Args:
        price: None where nobody knows it.
        reserve: None where there is no budget.
    """

    def __init__(self, inner: ChatModel, ledger: Ledger, price: Price | None, reserve: Reserve | None = None) -> None:
        self._inner = inner
        self._ledger = ledger
        self._price = price
        self._reserve = reserve

    @property
    def name(self) -> str:
        """That of the model."""
        return self._inner.name

    def cost(self, usage: Usage) -> float:
        """What a call took, in US dollars; 0 where nobody knows."""
        return self._price.of(usage) if self._price is not None else 0.0

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, booked."""
        if self._reserve is None:
            self._ledger.in_flight += 1
            try:
                return await self._ask(request)
            finally:
                self._ledger.in_flight -= 1
        most = Usage(prompt_tokens(request), request.max_tokens)
        tokens, cost = most.prompt_tokens + most.completion_tokens, self.cost(most)
        await self._reserve.hold(tokens, cost)
        try:
            return await self._ask(request)
        finally:
            self._reserve.release(tokens, cost)

    async def _ask(self, request: ChatRequest) -> ChatReply:
        started = time.monotonic()
        reply = await self._inner.chat(request)
        self._ledger.book(reply.usage, self.cost(reply.usage))
        if _log.isEnabledFor(logging.INFO):
            _log.info(
                "slot %d attempt %d %s: %s %s, %d + %d tokens, %.2f s",
                request.call.slot,
                request.call.attempt,
                request.call.name,
                self.name,
                reply.finish,
                reply.usage.prompt_tokens,
                reply.usage.completion_tokens,
                time.monotonic() - started,
            )
        return reply
