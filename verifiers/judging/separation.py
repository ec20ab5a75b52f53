"""How far a judge's grades tell intact questions from broken ones, and which threshold does it best, by criterion.

Grades of a weak judge crowd together: then no threshold helps, and that has to be said.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from dtomtrack.runs.calibration import Separation

if TYPE_CHECKING:
    from dtomtrack.verifiers.verdicts import Criterion

__all__ = ["BROKEN_BY", "Grades", "area_under_curve", "best_threshold", "separation"]

BROKEN_BY: Mapping[Criterion, frozenset[str]] = {
    "correctness": frozenset({"swap_gold", "never_voiced"}),
    "soundness": frozenset({"two_right_options", "never_voiced"}),
    "quality": frozenset({"swap_gold", "two_right_options"}),
}
"""The faults that should lower the grade of a criterion."""

_PLACES, _MOST_PLACES = 4, 18


@dataclass
class Grades:
    """Grades of one criterion, from 0 to 1, for intact questions and for those with a fault that it is about."""

    intact: list[float] = field(default_factory=list)
    broken: list[float] = field(default_factory=list)


def area_under_curve(grades: Grades) -> float | None:
    """The probability that an intact question gets the higher grade, ties counted half (AUROC; Hanley & McNeil 1982).

    0.5 is chance; None where one of the two kinds has no grades.
    """
    if not grades.intact or not grades.broken:
        return None
    broken = sorted(grades.broken)
    ranks = (bisect_left(broken, one) + bisect_right(broken, one) for one in grades.intact)
    return sum(ranks) / 2 / len(broken) / len(grades.intact)


def best_threshold(grades: Grades) -> float | None:
    """The threshold with the largest share of intact questions kept plus broken ones rejected (Youden's J).

    It lies in the middle between two grades, rounded to so many places as tell it from both; of several that are as
    good, the lowest counts. None without two grades.
    """
    intact, broken = sorted(grades.intact), sorted(grades.broken)
    if not intact or not broken:
        return None
    return max(_between(intact, broken), key=lambda one: (_gain(one, intact, broken), -one), default=None)


def _between(*grades: Sequence[float]) -> Iterator[float]:
    return (_middle(low, high) for low, high in pairwise(sorted({one for some in grades for one in some})))


def _middle(low: float, high: float) -> float:
    middle = (low + high) / 2
    rounded = (round(middle, places) for places in range(_PLACES, _MOST_PLACES))
    # what is at least the threshold is kept
    return next((one for one in rounded if low < one < high), high)


def _gain(threshold: float, intact: Sequence[float], broken: Sequence[float]) -> float:
    kept = (len(intact) - bisect_left(intact, threshold)) / len(intact)
    return kept + bisect_left(broken, threshold) / len(broken)


def separation(criterion: Criterion, grades: Grades) -> Separation:
    """What the grades of a criterion tell."""
    area = area_under_curve(grades)
    return Separation(
        criterion=criterion,
        intact=len(grades.intact),
        broken=len(grades.broken),
        auroc=None if area is None else round(area, 4),
        threshold=best_threshold(grades),
    )
