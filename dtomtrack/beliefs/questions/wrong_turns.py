"""Wrong turns for a question on when a mind changed: they come about as the right one does.

Right ones lie at some share of the way from a state's first expression to the end. Wrong ones are drawn as right ones
are distributed over all dialogues of such a length, independently of the right one: then neither how early a turn is
nor where it stands among those on offer tells anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

__all__ = ["wrong_turns"]


def wrong_turns(
    prior: Mapping[int, float], way: tuple[int, int], typical: Sequence[float], count: int, rng: Random
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        prior: turns to choose from, without the right one, each with what it weighs by itself.
        way: the first and the last turn at which the state could have changed.
        typical: weights of equal parts of the way, the first first.
    """
    weights = {turn: weight * typical[_part(turn, way, len(typical))] for turn, weight in prior.items()}
    chosen: list[int] = []
    while weights and len(chosen) < count:
        turn = rng.choices(list(weights), list(weights.values()))[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def _part(turn: int, way: tuple[int, int], parts: int) -> int:
    """In which of the parts a turn lies."""
    first, last = way
    return max(0, min(parts - 1, parts * (turn - first) // max(1, last - first)))
