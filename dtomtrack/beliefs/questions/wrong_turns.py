"""Wrong turns for a question on when a mind changed: they come about as the right one does.

Right ones lie at some share of the way from a state's first expression to the end. Wrong ones are drawn about the
shares at which states of the same dialogue changed, so that how early a turn is, and where it stands among those on
offer, tells nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random

__all__ = ["wrong_turns"]

_WIDTH = 0.08
"""The standard deviation about each share, as a share of the way."""
_ANYWHERE = tuple((share, 1.0) for share in (0.2, 0.4, 0.6, 0.8))
"""The shares where no state changed."""
_TILT, _TILT_OF_FEW = 2.0, 2.0
"""How much more turns weigh at that end of the way to which right ones tend, since a kernel spreads to both sides; and
how much more beside that about a single share, of which it tells less where others lie."""
_BROAD = 0.08
"""What turns far from all shares weigh, beside the whole of all others: of few, the right one would stand alone."""
_LEAST = 1e-6
"""The weight of turns far from all shares, such as those before the state was voiced: taken if there are no others."""


def wrong_turns(
    prior: Mapping[int, float],
    way: tuple[int, int],
    shares: Sequence[tuple[float, float]],
    count: int,
    rng: Random,
    tilt: int = 0,
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        prior: turns to choose from, without the right one, each with what it weighs by itself.
        way: the turn at which the state was first voiced, and the last turn.
        shares: the shares of their ways at which states changed, each with its weight.
        tilt: 1 where right turns tend to be late, -1 where early.
    """
    voiced, end = way
    steepness = tilt * (_TILT + _TILT_OF_FEW / max(1, len(shares)))
    at = {turn: (turn - voiced) / max(1, end - voiced) for turn in prior}
    weights = {turn: prior[turn] * _weight(one, shares or _ANYWHERE) * exp(steepness * one) for turn, one in at.items()}
    chosen: list[int] = []
    while weights and len(chosen) < count:
        turn = rng.choices(list(weights), list(weights.values()))[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def _weight(share: float, shares: Sequence[tuple[float, float]]) -> float:
    if not 0 <= share <= 1:
        return _LEAST
    broad = _BROAD / len(shares)
    return _LEAST + sum(weight * (broad + exp(-(((share - one) / _WIDTH) ** 2) / 2)) for one, weight in shares)
