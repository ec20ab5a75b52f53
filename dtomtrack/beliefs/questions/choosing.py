"""Choosing what to ask about: so that the distances over which something has to be remembered come out even."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

__all__ = ["BY_LAG", "MANY_TURNS", "LagBalance"]

T = TypeVar("T")

SPANS = 6
"""Equal parts of a dialogue into which lags fall."""
BY_LAG = (7.0, 0.6, 0.7, 0.8, 1.0, 1.2)
"""Weights by how far from the end an answer was said, in sixths of the dialogue: what is rare weighs more."""
_PLAIN = 0.05
"""How much less weight has what was also said last."""
_EVENNESS = 3
"""How steeply the weight of a span falls with what has been asked over it: the steeper, the more even lags come out."""
_PART = (3.4, 0.97, 0.8, 0.6, 1.0, 1.15)
"""The part of what is asked that a span is filled up to, beside a sixth: where little can be asked of most dialogues,
more is asked of those in which there is something, and less where there is much."""
_COMMONEST = 3
"""The span over which there is most to ask about: neither said late nor forgotten by what came after."""
MANY_TURNS = 40
"""Turns from which on there is enough to ask about over each span."""


class LagBalance:
    """Keeps count of the lags that are asked about in a dialogue, and puts what may be asked next in order.

    Lag is the number of turns from when an answer was said to the end.
    """

    def __init__(self, turns: int, rng: Random) -> None:
        self._turns, self._rng = turns, rng
        self._asked = [0] * SPANS

    def count(self, lag: int | None) -> None:
        """Something was asked over this lag."""
        if lag is not None:
            self._asked[self._span(lag)] += 1

    def is_full(self, lag: int) -> bool:
        """Whether more than its part of what was asked was asked over a span already."""
        span = self._span(lag)
        part = _PART[span] if self._turns < MANY_TURNS else 1.0
        return self._asked[span] * SPANS >= sum(self._asked) * part

    def is_commonest(self, lag: int) -> bool:
        """Whether it is in the span over which there is most to ask about."""
        return self._span(lag) == _COMMONEST

    def ordered(
        self,
        candidates: Iterable[T],
        lag: Callable[[T], int],
        plain: Callable[[T], bool] = lambda _: False,
        by_lag: Sequence[float] = BY_LAG,
    ) -> list[T]:
        """Candidates in an order drawn by weight: one span after the other, those first over which least is asked.

        Args:
            plain: whether an answer is also what was said last at any turn that can be asked about.
            by_lag: a weight for each span, the end first.
        """
        spans: list[list[T]] = [[] for _ in range(SPANS)]
        for one in self._in_drawn_order(list(candidates), plain):
            spans[self._span(lag(one))].append(one)
        asked, order = list(self._asked), []

        def weight(at: int) -> float:
            return by_lag[at] / float((1 + asked[at]) ** _EVENNESS) if spans[at] else 0.0

        weights = [weight(at) for at in range(SPANS)]
        while any(spans):
            (at,) = self._rng.choices(range(SPANS), weights)
            order.append(spans[at].pop())
            asked[at] += 1
            weights[at] = weight(at)
        return order

    def _in_drawn_order(self, candidates: list[T], plain: Callable[[T], bool]) -> list[T]:
        """Candidates, the last of which are to be asked about first (Efraimidis and Spirakis, 2006)."""
        keyed = [(self._rng.random() ** (1 / (_PLAIN if plain(one) else 1.0)), one) for one in candidates]
        return [one for _, one in sorted(keyed, key=lambda pair: pair[0])]

    def _span(self, lag: int) -> int:
        return min(SPANS - 1, lag * SPANS // self._turns)
