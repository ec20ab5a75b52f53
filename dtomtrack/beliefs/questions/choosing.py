"""Choosing what to ask about: so that the distances over which something has to be remembered come out even."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from random import Random
from typing import TypeVar

__all__ = ["in_drawn_order"]

T = TypeVar("T")

_BY_LAG = (7.0, 0.8, 0.7, 0.8, 1.2, 4.0)
"""Weights by how far from the end an answer was said, in sixths of the dialogue: what is rare weighs more."""
_PLAIN = 0.05
"""How much less weight has what was also said last."""


def in_drawn_order(
    candidates: Iterable[T],
    lag: Callable[[T], int],
    plain: Callable[[T], bool],
    turns: int,
    rng: Random,
) -> list[T]:
    """Candidates in an order drawn by weight (Efraimidis and Spirakis, 2006).

    Args:
        lag: turns from when a candidate's answer was said to the end.
        plain: whether that is also what was said last at any turn that can be asked about.
        turns: of the dialogue.
    """

    def key(one: T) -> float:
        weight = _BY_LAG[min(len(_BY_LAG) - 1, lag(one) * len(_BY_LAG) // turns)] * (_PLAIN if plain(one) else 1.0)
        return -math.pow(rng.random(), 1 / weight)

    return sorted(candidates, key=key)
