"""Choosing what to ask about: so that the distances over which something has to be remembered come out even."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TypeVar

__all__ = ["BY_LAG", "in_drawn_order"]

T = TypeVar("T")

BY_LAG = (14.0, 0.3, 0.6, 1.0, 2.4, 6.0)
"""Weights by how far from the end an answer was said, in sixths of the dialogue: what is rare weighs more."""
_PLAIN = 0.05
"""How much less weight has what was also said last."""


def in_drawn_order(
    candidates: Iterable[T],
    lag: Callable[[T], int],
    plain: Callable[[T], bool],
    turns: int,
    rng: Random,
    by_lag: Sequence[float] = BY_LAG,
) -> list[T]:
    """Candidates in an order drawn by weight (Efraimidis and Spirakis, 2006).

    Args:
        lag: turns from when a candidate's answer was said to the end.
        plain: whether that is also what was said last at any turn that can be asked about.
        turns: of the dialogue.
        by_lag: a weight for each equal part of the dialogue, the end first.
    """

    def key(one: T) -> float:
        weight = by_lag[min(len(by_lag) - 1, lag(one) * len(by_lag) // turns)] * (_PLAIN if plain(one) else 1.0)
        return -math.pow(rng.random(), 1 / weight)

    return sorted(candidates, key=key)
