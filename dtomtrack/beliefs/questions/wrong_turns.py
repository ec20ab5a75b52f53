"""Wrong turns for a question on when a mind changed: they come about as the right one does.

Right ones lie at some share of the way from a state's first expression to the end. Wrong ones are drawn as right ones
are distributed over all dialogues of such a length, independently of the right one: then neither how early a turn is
nor where it stands among those on offer tells anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

__all__ = ["sides", "wrong_turns"]


def wrong_turns(
    prior: Mapping[int, float],
    way: tuple[int, int],
    typical: Sequence[float],
    count: int,
    rng: Random,
    parities: Sequence[int] = (),
) -> list[int]:
    """So many turns, or fewer if there are not enough.

    Args:
        prior: turns to choose from, without the right one, each with what it weighs by itself.
        way: the first and the last turn at which the state could have changed.
        typical: weights of equal parts of the way, the first first.
        parities: for the first of them in order, whether an even (0) or an odd turn (1) is wanted, where there is one.
    """
    weights = {turn: weight * typical[_part(turn, way, len(typical))] for turn, weight in prior.items()}
    chosen: list[int] = []
    while weights and len(chosen) < count:
        wanted = parities[len(chosen)] if len(chosen) < len(parities) else None
        fitting = [one for one in weights if one % 2 == wanted] or list(weights)
        turn = rng.choices(fitting, [weights[one] for one in fitting])[0]
        del weights[turn]
        chosen.append(turn)
    return chosen


def sides(gold: int, count: int, rng: Random) -> list[int]:
    """Parities of so many wrong turns with which that of the right one tells nothing.

    Two who mostly take turns have even and odd ones. Of four turns there are two of each; of three one stands out,
    which has to be the right one in a third.
    """
    same, other = gold % 2, 1 - gold % 2
    if count == 3 or rng.random() < 2 / 3:
        return [same, *[other] * (count - 1)]
    return [other] * count


def _part(turn: int, way: tuple[int, int], parts: int) -> int:
    """In which of the parts a turn lies."""
    first, last = way
    return max(0, min(parts - 1, parts * (turn - first) // max(1, last - first)))
