"""Wrong turns for a question on when a mind changed: they come about as the right one does.

Right ones lie at some share of the way from a state's first expression to the end. Wrong ones are drawn about the
shares at which other states of the same dialogue changed, so that how early a turn is, and where it stands among those
on offer, tells nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random

__all__ = ["wrong_turns"]

_WIDTH = 0.08
"""The standard deviation about each share, as a share of the way."""
_ANYWHERE = tuple((share, 1.0) for share in (0.2, 0.4, 0.6, 0.8))
"""The shares where no other state changed."""
_TILT = 2.5
"""How much more turns weigh at that end of the way to which right ones tend, since a kernel spreads to both sides."""
_BROAD = 0.08
"""What turns far from all shares weigh, beside the whole of all others: of few, the right one would stand alone."""
_LEAST = 1e-6
"""The weight of turns far from all shares, such as those before the state was voiced: taken if there are no others."""


def wrong_turns(
    prior: Mapping[int, float],
    way: tuple[int, int],
    elsewhere: Sequence[tuple[float, float]],
    count: int,
    rng: Random,
    tilt: int = 0,
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        prior: turns to choose from, without the right one, each with what it weighs by itself.
        way: the turn at which the state was first voiced, and the last turn.
        elsewhere: the shares of their ways at which other states changed, each with its weight.
        tilt: 1 where right turns tend to be late, -1 where early.
    """
    voiced, end = way
    shares = {turn: (turn - voiced) / max(1, end - voiced) for turn in prior}
    weights = {
        turn: prior[turn] * _weight(one, elsewhere or _ANYWHERE) * exp(_TILT * tilt * one)
        for turn, one in shares.items()
    }
    chosen: list[int] = []
    while weights and len(chosen) < count:
        turn = rng.choices(list(weights), list(weights.values()))[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def _weight(share: float, elsewhere: Sequence[tuple[float, float]]) -> float:
    if not 0 <= share <= 1:
        return _LEAST
    broad = _BROAD / len(elsewhere)
    return _LEAST + sum(weight * (broad + exp(-(((share - one) / _WIDTH) ** 2) / 2)) for one, weight in elsewhere)
