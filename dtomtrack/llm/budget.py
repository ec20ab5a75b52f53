"""The budget of a run: calls set aside what they may take at most before they are made."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from dtomtrack.errors import BudgetError
from dtomtrack.llm.usage import UsageTotals

__all__ = ["NOTHING", "Budget", "BudgetReservation", "Reservation", "Spending", "reservation_for"]


@dataclass(frozen=True)
class Budget:
    """The most that a run may spend over all its sessions; None for no limit. Money is in US dollars."""

    cost: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens and US dollars of a call: the most that it may take, or what it took."""

    tokens: int
    cost: float


NOTHING = Spending(0, 0.0)


class Reservation(Protocol):
    """Whoever watches over a budget: in this process, or in the one that started it."""

    async def hold(self, most: Spending) -> None:
        """Set aside what a call may take at most; wait for calls under way if only they stand in between.

        Raises:
            BudgetError: it is more than what is left. No call is under way any more.
        """
        ...

    def release(self, held: Spending, taken: Spending) -> None:
        """The call is over: give back what it held, and take what it took."""
        ...


class BudgetReservation:
    """The budget of a run, with what calls under way may still take.

    Once a call is refused, all are: the run ends, and what would be under way then would be paid for in vain.

    Args:
        spent: in earlier sessions.
    """

    def __init__(self, budget: Budget, spent: Spending = NOTHING) -> None:
        self._budget = budget
        self._tokens, self._cost = spent.tokens, spent.cost
        self._held_tokens, self._held_cost = 0, 0.0
        self._in_flight = 0
        self._settled = asyncio.Event()
        self._over = False

    async def hold(self, most: Spending) -> None:
        """Set aside what a call may take at most; wait for calls under way if only they stand in between.

        Raises:
            BudgetError: it is more than what is left. No call is under way any more.
        """
        while not self._over and not self._fits(most):
            if self._in_flight == 0:
                self._over = True
                self._settled.set()
            else:
                self._settled.clear()
                await self._settled.wait()
        if self._over:
            raise BudgetError(self._refusal(), self._tokens + most.tokens, self._cost + most.cost)
        self._held_tokens += most.tokens
        self._held_cost += most.cost
        self._in_flight += 1

    def release(self, held: Spending, taken: Spending) -> None:
        """The call is over: give back what it held, and take what it took."""
        self._held_tokens -= held.tokens
        self._held_cost -= held.cost
        self._tokens += taken.tokens
        self._cost += taken.cost
        self._in_flight -= 1
        self._settled.set()

    def _fits(self, more: Spending) -> bool:
        tokens, cost = self._budget.tokens, self._budget.cost
        if tokens is not None and self._tokens + self._held_tokens + more.tokens > tokens:
            return False
        return cost is None or self._cost + self._held_cost + more.cost <= cost

    def _refusal(self) -> str:
        spent = f"{self._tokens} tokens and ${self._cost:.4f} are spent"
        limits = [f"{self._budget.tokens} tokens"] if self._budget.tokens is not None else []
        limits += [f"${self._budget.cost:g}"] if self._budget.cost is not None else []
        return f"the next call might exceed the budget of {' and '.join(limits)} ({spent}); raise it to go on"


def reservation_for(budget: Budget, spent: UsageTotals) -> BudgetReservation | None:
    """The watch over a budget of which some is spent; None where there is no limit."""
    return None if budget == Budget() else BudgetReservation(budget, Spending(spent.tokens, spent.cost))
