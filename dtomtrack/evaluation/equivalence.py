"""Whether a difference is nought, give or take a margin: two one-sided tests at 5 %, read off a 90 % interval.

That a difference was not found says nothing: it may be there, and the sample small. Equivalence is said where the whole
90 % interval of the mean of paired differences lies within the margin (Schuirmann's two one-sided tests). Its ends are
the farther ones of two: Student's with CR2 variance; and those put together from Wilson's bounds of what went up and of
what went down (MOVER), since pairs that hardly ever differ seem to have no variance at all.

Sources: D. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", Journal of
Pharmacokinetics and Biopharmaceutics 15 (1987). G. Zou, A. Donner, "Construction of confidence limits about effect
measures", Statistics in Medicine 27 (2008): limits of a difference from those of its parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from dtomtrack.evaluation.bounded import LEAST_CLUSTERS, Range
from dtomtrack.evaluation.clustering import Spread, Totals, interval_of, rounded, wilson
from dtomtrack.evaluation.records import Interval
from dtomtrack.records import Record

__all__ = ["MARGIN", "Equivalence", "equivalence"]

MARGIN = 0.05
"""The margin, as a share of the way from a score's lowest value to its highest."""
_LEVEL = 0.90
_FEW = 5
"""Clusters in which something changed, below which pairs of a cluster are taken for one observation."""

Verdict: TypeAlias = Literal["equivalent", "different", "undecided"]


class Equivalence(Record):
    """What can be said of a mean of paired differences and a margin.

    Attributes:
        margin: in units of the score.
        interval: the mean of the differences, with its 90 % interval; no ends where there are too few clusters.
        verdict: ``equivalent`` where the interval lies within the margin, ``different`` where it lies beyond it.
    """

    margin: float
    interval: Interval
    verdict: Verdict

    @property
    def least(self) -> float | None:
        """The least margin within which the difference would be said to lie."""
        low, high = self.interval.low, self.interval.high
        return None if low is None or high is None else max(abs(low), abs(high))


def equivalence(differences: Iterable[tuple[int, float]], score: Range, share: float = MARGIN) -> Equivalence | None:
    """Whether paired differences of a score are nought on average; None where there are none.

    Args:
        differences: numbers of clusters, with a difference of each pair.
        score: the lowest and the highest value of the score itself.
        share: the margin, as a share of the way between the two.
    """
    width = score.high - score.low
    scaled = [(cluster, one / width) for cluster, one in differences]
    totals = Totals(scaled)
    if not totals.items:
        return None
    if len(totals.weights) < LEAST_CLUSTERS:
        unknown = Interval(value=rounded(width * totals.share), low=None, high=None)
        return Equivalence(margin=share * width, interval=unknown, verdict="undecided")
    low, high = _ends(totals, scaled)
    interval = interval_of(width * totals.share, width * low, width * high)
    return Equivalence(margin=share * width, interval=interval, verdict=_verdict(low, high, share))


def _verdict(low: float, high: float, share: float) -> Verdict:
    if -share < low and high < share:
        return "equivalent"
    return "different" if low > share or high < -share else "undecided"


def _ends(totals: Totals, scaled: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """The ends of the 90 % interval, on a scale on which scores go from 0 to 1."""
    up = _wilson([(cluster, max(0.0, one)) for cluster, one in scaled])
    down = _wilson([(cluster, max(0.0, -one)) for cluster, one in scaled])
    rare_low = totals.share - math.hypot(up[0] - up[1], down[2] - down[0])
    rare_high = totals.share + math.hypot(up[2] - up[0], down[0] - down[1])
    reach = _student(Spread.of(totals.parts(), totals.weights))
    return max(-1.0, min(rare_low, totals.share - reach)), min(1.0, max(rare_high, totals.share + reach))


def _wilson(parts: Sequence[tuple[int, float]]) -> tuple[float, float, float]:
    """A mean of what lies between 0 and 1, its lower bound and its upper bound."""
    totals = Totals(parts)
    effect = totals.effect()
    if len({cluster for cluster, one in parts if one}) < _FEW:
        # too few tell how alike the pairs of a cluster are: each cluster may be one observation
        effect = replace(effect, size=min(effect.size, len(totals.weights)))
    found = wilson(totals.share, effect, _LEVEL)
    return totals.share, found.low or 0.0, found.high or 0.0


def _student(spread: Spread) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(spread.freedom, (1 + _LEVEL) / 2)) * math.sqrt(spread.variance or 0.0)
