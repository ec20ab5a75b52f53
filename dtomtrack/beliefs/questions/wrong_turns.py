"""Wrong turns for a question on when a mind changed: they come about as the right one does.

Right ones lie at some share of the way from a state's first expression to the end. Wrong ones are drawn about the
shares at which other states of the same dialogue changed, so that how early a turn is, and where it stands among those
on offer, tells nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp
from random import Random

__all__ = ["wrong_turns"]

_WIDTH = 0.08
"""The standard deviation about each share, as a share of the way."""
_ANYWHERE = (0.2, 0.4, 0.6, 0.8)
"""The shares where no other state changed."""
_SIGNALLED = 16.0
"""How much likelier a turn with a marker is than another nearby."""
_LEAST = 1e-6
"""The weight of turns far from all shares, such as those before the state was voiced: taken if there are no others."""


def wrong_turns(
    eligible: Sequence[int],
    signalled: Collection[int],
    way: tuple[int, int],
    elsewhere: Sequence[float],
    count: int,
    rng: Random,
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        eligible: turns to choose from: the agent's own, without the right one.
        signalled: turns with a marker.
        way: the turn at which the state was first voiced, and the last turn.
        elsewhere: the shares of their ways at which other states changed.
    """
    voiced, end = way
    weights = {turn: _weight((turn - voiced) / max(1, end - voiced), elsewhere or _ANYWHERE) for turn in eligible}
    weights = {turn: weight * (_SIGNALLED if turn in signalled else 1.0) for turn, weight in weights.items()}
    chosen: list[int] = []
    while weights and len(chosen) < count:
        turn = rng.choices(list(weights), list(weights.values()))[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def _weight(share: float, elsewhere: Sequence[float]) -> float:
    return _LEAST + sum(exp(-(((share - one) / _WIDTH) ** 2) / 2) for one in elsewhere)
