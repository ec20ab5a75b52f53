"""Sums of means of groups, each times a coefficient: the spread of a mean of means, and of a contrast.

It is what the regression of all answers on their groups gives: a dialogue that is a small share of all answers may be
half of a group, and leaves as much of the group's mean unknown. So its residuals are adjusted group by group, for its
share of each group, and then added, since answers to items of several groups in one dialogue may go together.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

from dtomtrack.evaluation.clustering import Spread, Totals

__all__ = ["Addend", "dialogues_of_sum", "spread_of_sum"]

_Profile: TypeAlias = tuple[tuple[int, float], ...]
"""Of a dialogue the places of the groups that it is in, with its share of each."""


class Addend(NamedTuple):
    """A group of answers, and what its mean is multiplied by."""

    totals: Totals
    coefficient: float


def spread_of_sum(addends: Sequence[Addend]) -> Spread:
    """CR2 and its degrees of freedom; no variance where a group is of one dialogue, which doesn't say how they differ.

    With w dialogue g's share of group j, c the group's coefficient, and r the residual sum, the variance is
    sum_g (sum_j c r / sqrt(1 - w))^2.
    """
    if any(len(totals.weights) < 2 for totals, _ in addends):
        return Spread(None, 0.0)
    adjusted: dict[int, float] = {}
    for totals, coefficient in addends:
        for dialogue, part in totals.parts().items():
            one = coefficient * part / math.sqrt(1 - totals.weights[dialogue])
            adjusted[dialogue] = adjusted.get(dialogue, 0.0) + one
    return Spread(math.fsum(one**2 for one in adjusted.values()), _freedom(addends))


def dialogues_of_sum(addends: Sequence[Addend]) -> float:
    """How many dialogues of a single mean would tell as much: no more than there are, fewer where a group has few."""
    there = len({dialogue for totals, _ in addends for dialogue in totals.weights})
    whole = math.fsum(abs(coefficient) for _, coefficient in addends)
    return min(there, whole**2 / math.fsum(coefficient**2 / len(totals.weights) for totals, coefficient in addends))


def _freedom(addends: Sequence[Addend]) -> float:
    """trace(M)^2 / trace(M^2), M the covariance matrix of the adjusted residuals if answers were independent and alike.

    With k = c^2 / n of a group of n answers and u = w / sqrt(1 - w), M has sum_j k w in its diagonal and
    -sum_j k u_g u_h beside it.
    """
    scales = [coefficient**2 / totals.items for totals, coefficient in addends]
    squares = 0.0
    together: dict[tuple[int, int], float] = defaultdict(float)
    for profile, times in _profiles(addends).items():
        adjusted = [(place, weight / math.sqrt(1 - weight)) for place, weight in profile]
        diagonal = math.fsum(scales[place] * weight for place, weight in profile)
        squares += times * (diagonal**2 - math.fsum(scales[place] * one**2 for place, one in adjusted) ** 2)
        for (place, one), (other, two) in combinations_with_replacement(adjusted, 2):
            together[place, other] += times * one * two
    return math.fsum(scales) ** 2 / (squares + _crossed(scales, together))


def _profiles(addends: Sequence[Addend]) -> Counter[_Profile]:
    """How many dialogues are in the same groups with the same shares: mostly many."""
    found: dict[int, list[tuple[int, float]]] = {}
    for place, (totals, _) in enumerate(addends):
        for dialogue, weight in totals.weights.items():
            found.setdefault(dialogue, []).append((place, weight))
    return Counter(map(tuple, found.values()))


def _crossed(scales: Sequence[float], together: Mapping[tuple[int, int], float]) -> float:
    """The sum over all pairs of groups, of which those of two different ones stand there once."""
    return math.fsum(
        (1 if one == other else 2) * scales[one] * scales[other] * found**2 for (one, other), found in together.items()
    )
