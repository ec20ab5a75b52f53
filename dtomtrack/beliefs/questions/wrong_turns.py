"""Wrong turns for a question on when a mind changed: they come about as the right one does.

A mind that changes k times does so at about any turn behind the one in which its state was first voiced. A first change
is then like the least of k such turns, a last one like the greatest, and so are the wrong turns beside it: how early a
turn is, and where it stands among those on offer, tells nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

__all__ = ["wrong_turns"]

_BEFORE, _BEHIND = 2, 2
"""Turns between the first expression and the first change, and behind the last one, that there mostly are."""
_NEAR, _NEARER = 4, 3
"""A turn with a marker is looked for over this part of the span, one in so many turns, and so many fewer in all."""
_DRAWS = 24
_SIGNALLED = 0.95
"""How often a turn with a marker is taken where one is near."""


def wrong_turns(
    eligible: Sequence[int],
    signalled: Collection[int],
    voiced: int,
    changes: int,
    count: int,
    rng: Random,
    *,
    first: bool,
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        eligible: turns to choose from: the agent's own, without the right one.
        signalled: turns with a marker; where one is near a turn that was drawn, it is mostly taken instead.
        voiced: the turn at which the state was first voiced.
        changes: how often the mind changes; of one that does not, how often others do.
        first: it is asked for the first change, not the last.
    """
    left = [turn for turn in eligible if turn > voiced] or list(eligible)
    low, high = voiced + _BEFORE, max(eligible, default=0) - _BEHIND
    width = max(1.0, (high - low) / _NEAR - _NEARER)
    chosen: list[int] = []
    for _ in range(_DRAWS):
        if len(chosen) == count or not left:
            break
        drawn = [rng.uniform(low, max(low, high)) for _ in range(max(1, changes))]
        at = min(drawn) if first else max(drawn)
        near = [turn for turn in left if abs(turn - at) <= width and turn in signalled]
        pool = near if near and rng.random() < _SIGNALLED else left
        turn = min(pool, key=lambda one: abs(one - at))
        chosen.append(turn)
        left.remove(turn)
    return chosen
