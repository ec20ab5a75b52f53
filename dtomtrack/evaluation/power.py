"""The power of a dataset, before anybody is asked: the least difference that it finds with a given probability.

A difference is found if it lies z(1 - level / 2) standard errors from nought; a true difference is found with
probability ``power`` if it is (z(1 - level / 2) + z(power)) standard errors wide. E. Miller, "Adding error bars to
evals" (arXiv:2411.00640, 2024), section 5, has this for paired subjects; J. Fleiss, B. Levin, M. Paik, "Statistical
methods for rates and proportions" (3rd ed., 2003), section 4.2, for one share against a fixed one. Items of a dialogue
go together, which multiplies variances by the design effect 1 + (m - 1) icc (L. Kish, "Survey sampling", 1965), m the
mean size of an item's dialogue.

What has to be assumed is what only answers tell: on which share of the items exactly one of two subjects is right, and
how far what happens in items of a dialogue goes together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist

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
        difference: between the accuracies of two subjects on the same items.
        above_chance: of a subject's accuracy from chance.
        chance: what guessing gets, the mean over the items.
        assumptions: in words.
    """

    items: int
    clusters: int
    difference: float
    above_chance: float
    chance: float
    power: float = _POWER
    level: float = _LEVEL
    assumptions: str = (
        f"exactly one of the two is right on {_DISCORDANT:.0%} of the items, and what happens within dialogues has an "
        f"intraclass correlation of {_WITHIN}"
    )


def detectable(items: Iterable[Item]) -> Detectable | None:
    """The least differences that these items, each asked once, can tell; None of fewer than two dialogues."""
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
    return Detectable(
        items=count,
        clusters=len(sizes),
        difference=_paired(effective),
        above_chance=_above(chance, effective),
        chance=chance,
    )


def _paired(effective: float) -> float:
    """The least difference d of two subjects: d = (z + z') sqrt((discordant - d^2) / n), solved for d."""
    factor = (_z(1 - _LEVEL / 2) + _z(_POWER)) ** 2 / effective
    return sqrt(factor * _DISCORDANT / (1 + factor))


def _above(chance: float, effective: float) -> float:
    """The least d with d sqrt(n) = z sqrt(p (1 - p)) + z' sqrt((p + d) (1 - p - d)), p being chance; by bisection."""
    null = _z(1 - _LEVEL / 2) * sqrt(chance * (1 - chance))
    low, high = 0.0, 1 - chance
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        share = chance + middle
        enough = middle * sqrt(effective) >= null + _z(_POWER) * sqrt(share * (1 - share))
        low, high = (low, middle) if enough else (middle, high)
    return high


def _z(probability: float) -> float:
    return NormalDist().inv_cdf(probability)
