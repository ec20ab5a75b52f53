"""Means and contrasts of scores that have a lowest and a highest value, with intervals clustered by scene or dialogue.

An estimate is a sum of means of groups, each times a coefficient: a mean, the mean of several means, the difference of
two, a difference of differences. It is linear in what the clusters add to it; its variance is the bias-reduced
cluster-robust one (CR2) with Bell and McCaffrey's degrees of freedom, as in `dtomtrack.evaluation.statistics`. Where
one of the groups is from a single cluster there is no interval.

- A mean, or a mean of means, has Wilson's interval for the effective number of scores, on the way from the lowest score
  to the highest: near either it reaches further to the middle, as it should (Student's held 89.5 % at a mean of .2).
- A contrast has Student's interval, cut off where it can't go. Where scores are paired, the differences are the scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dtomtrack.evaluation.clustering import (
    LEVEL,
    NOTHING,
    Effect,
    Spread,
    Totals,
    interval_of,
    p_value_of,
    rounded,
    wilson,
)
from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.sums import Addend, dialogues_of_sum, spread_of_sum
from dtomtrack.records import Count, Record

__all__ = ["LEAST_CLUSTERS", "Estimate", "Part", "Range", "estimate", "mean_score"]

LEAST_CLUSTERS = 10
"""With fewer, an estimate has no interval."""
_ROUNDING = 1e-12
"""A smaller variance comes of scores that are alike but for rounding: they are written with six decimals."""

Scores: TypeAlias = Iterable[tuple[int, float]]
"""Numbers of clusters, with a score of each."""


@dataclass(frozen=True)
class Range:
    """The least and the most that a score, or an estimate, can be."""

    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class Part:
    """A group of scores, and what its mean is multiplied by."""

    scores: Scores
    coefficient: float = 1.0


class Estimate(Record):
    """An estimate with its interval, and of how many scores in how many clusters.

    Attributes:
        p_value: of the hypothesis that a contrast is 0, two-sided; None of a mean, and where there is no interval.
    """

    interval: Interval = NOTHING
    scores: Count = 0
    clusters: Count = 0
    p_value: float | None = None


def mean_score(scores: Scores, within: Range, least: int = LEAST_CLUSTERS) -> Estimate:
    """The mean of scores."""
    return estimate([Part(scores)], within, least)


def estimate(parts: Sequence[Part], within: Range, least: int = LEAST_CLUSTERS) -> Estimate:
    """The sum of the means of parts, each times its coefficient; nothing where one of them has no score.

    Args:
        within: where the estimate can be.
        least: clusters that it takes for an interval.
    """
    addends = [Addend(Totals(part.scores), part.coefficient) for part in parts]
    if not addends or not all(totals.items for totals, _ in addends):
        return Estimate()
    value = math.fsum(coefficient * totals.share for totals, coefficient in addends)
    spread = spread_of_sum(addends)
    clusters = len({cluster for totals, _ in addends for cluster in totals.weights})
    items = sum(totals.items for totals, _ in addends)
    if clusters < least or spread.variance is None:
        return Estimate(interval=Interval(value=rounded(value), low=None, high=None), scores=items, clusters=clusters)
    contrast = any(coefficient < 0 for _, coefficient in addends) or within.low < 0
    interval = (
        _student(value, spread, within) if contrast else _wilson(value, spread, within, dialogues_of_sum(addends))
    )
    p_value = p_value_of(value, math.sqrt(spread.variance), spread) if contrast else None
    return Estimate(interval=interval, scores=items, clusters=clusters, p_value=p_value)


def _student(value: float, spread: Spread, within: Range) -> Interval:
    reach = _quantile(spread.freedom) * math.sqrt(spread.variance or 0.0)
    return interval_of(value, max(within.low, value - reach), min(within.high, value + reach))


def _wilson(value: float, spread: Spread, within: Range, clusters: float) -> Interval:
    width = within.high - within.low
    share, variance = (value - within.low) / width, (spread.variance or 0.0) / width**2
    possible = share * (1 - share)
    size = possible / variance if possible > 0 and variance > _ROUNDING else clusters
    found = wilson(share, Effect(size, spread))
    low, high = (within.low + width * (end or 0.0) for end in (found.low, found.high))
    return interval_of(value, low, high)


def _quantile(freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))
