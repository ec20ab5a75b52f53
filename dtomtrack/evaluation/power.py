"""The power of a dataset, before anybody is asked: the least difference that it finds with a given probability.

A difference is found if it lies t(1 - level / 2) standard errors from nought; a true difference is found with
probability ``power`` if it is (t(1 - level / 2) + t(power)) standard errors wide. E. Miller, "Adding error bars to
evals" (arXiv:2411.00640, 2024), section 5, has this for paired subjects; J. Fleiss, B. Levin, M. Paik, "Statistical
methods for rates and proportions" (3rd ed., 2003), section 4.2, for one share against a fixed one. Quantiles are those
of the tests themselves: Student's, with degrees of freedom by the dialogues. Items of a dialogue go together, which
multiplies variances by the design effect 1 + (m - 1) icc (L. Kish, "Survey sampling", 1965), m the mean size of an
item's dialogue.

What has to be assumed is what only answers tell: on which share of the items exactly one of two subjects is right, and
how far what happens in items of a dialogue goes together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from dtomtrack.evaluation.clustering import Spread
from dtomtrack.evaluation.statistics import check_packages
from dtomtrack.items.item import Item

__all__ = ["Detectable", "detectable"]

_LEVEL = 0.05
_POWER = 0.8
_DISCORDANT = 0.3
"""Two subjects of like accuracy near a half whose answers correlate by 0.4."""
_WITHIN = 0.05
"""Intraclass correlation within dialogues."""
_ROUNDS = 60


@dataclass(frozen=True)
class Detectable:
    """The least differences that are found with a probability of ``power`` at a level of significance.

    Attributes:
        difference: between the accuracies of two subjects on the same items; None where none is large enough.
        above_chance: of a subject's accuracy from chance; None where even a perfect one is not told from guessing.
        chance: what guessing gets, the mean over the items.
        assumptions: in words.
    """

    items: int
    clusters: int
    difference: float | None
    above_chance: float | None
    chance: float
    power: float = _POWER
    level: float = _LEVEL
    assumptions: str = (
        f"exactly one of the two is right on {_DISCORDANT:.0%} of the items, and what happens within dialogues has an "
        f"intraclass correlation of {_WITHIN}"
    )


def detectable(items: Iterable[Item]) -> Detectable | None:
    """The least differences that these items, each asked once, can tell; None of fewer than two dialogues.

    Raises:
        InputError: an extra is missing.
    """
    check_packages()
    sizes: Counter[str] = Counter()
    chances = []
    for item in items:
        sizes[item.cluster] += 1
        chances.append(item.chance)
    if len(sizes) < 2:
        return None
    count, chance = len(chances), fsum(chances) / len(chances)
    mean_size = sum(size * size for size in sizes.values()) / count
    effective = count / (1 + (mean_size - 1) * _WITHIN)
    weights = {number: size / count for number, size in enumerate(sizes.values())}
    level, power = _quantiles(Spread.of(dict.fromkeys(weights, 0.0), weights).freedom)
    # answers that are all right are alike: each dialogue then tells as much as one answer
    perfect = (1 - chance) * sqrt(min(effective, len(sizes))) >= level * sqrt(chance * (1 - chance))
    return Detectable(
        items=count,
        clusters=len(sizes),
        difference=_paired(level + power, effective),
        above_chance=_above(chance, level, power, effective) if perfect else None,
        chance=chance,
    )


def _paired(errors: float, effective: float) -> float | None:
    """The least difference d of two subjects: d = (t + t') sqrt((discordant - d^2) / n), solved for d."""
    factor = errors**2 / effective
    found = sqrt(factor * _DISCORDANT / (1 + factor))
    # more can't differ than are discordant
    return None if found > _DISCORDANT else found


def _above(chance: float, level: float, power: float, effective: float) -> float | None:
    """The least d with d sqrt(n) = t sqrt(p (1 - p)) + t' sqrt((p + d) (1 - p - d)), p being chance; by bisection."""

    def enough(more: float) -> bool:
        share = min(1.0, chance + more)
        needed = level * sqrt(chance * (1 - chance)) + power * sqrt(share * (1 - share))
        return more * sqrt(effective) >= needed

    low, high = 0.0, 1 - chance
    if not enough(high):
        return None
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _quantiles(freedom: float) -> tuple[float, float]:
    """Student's, of the level of significance and of the power."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - _LEVEL / 2)), float(stdtrit(freedom, _POWER))
