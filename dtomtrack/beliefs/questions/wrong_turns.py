"""Wrong turns for a question on when a mind changed: they come about as the right one does.

Right ones lie at some share of the way from a state's first expression to the end. Wrong ones are drawn as right ones
are distributed over all dialogues of such a length, independently of the right one: then neither how early a turn is
nor where it stands among those on offer tells anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod
from random import Random

__all__ = ["by_part", "wrong_turns", "wrong_turns_of_few"]


def by_part(prior: Mapping[int, float], way: tuple[int, int], typical: Sequence[float]) -> dict[int, float]:
    """What turns weigh, with the weights of equal parts of a way, of which ``way`` is the first and the last turn."""
    return {turn: weight * typical[_part(turn, way, len(typical))] for turn, weight in prior.items()}


def wrong_turns(
    prior: Mapping[int, float], way: tuple[int, int], typical: Sequence[float], count: int, rng: Random
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        prior: turns to choose from, without the right one, each with what it weighs by itself.
        way: the first and the last turn at which the state could have changed.
        typical: weights of equal parts of the way, the first first.
    """
    weights = by_part(prior, way, typical)
    chosen: list[int] = []
    while weights and len(chosen) < count:
        turn = rng.choices(list(weights), list(weights.values()))[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def wrong_turns_of_few(weights: Mapping[int, float], count: int, rng: Random) -> list[int]:
    """So many turns of a short dialogue, drawn together: of each set on offer any turn may then be the right one.

    Drawn one after the other, neighbours of the right one would be on offer more often than not.

    Args:
        weights: turns to choose from, without the right one, each with what it weighs; a set weighs their product.
    """
    sets = list(combinations(weights, min(count, len(weights))))
    return list(rng.choices(sets, [prod(weights[turn] for turn in one) for one in sets])[0])


def _part(turn: int, way: tuple[int, int], parts: int) -> int:
    """In which of the parts a turn lies."""
    first, last = way
    return max(0, min(parts - 1, parts * (turn - first) // max(1, last - first)))
