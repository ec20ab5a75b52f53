"""Shares with clustered intervals, and how likely they are by chance alone: what evaluation uses, for scores."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.evaluation.records import Interval

__all__ = ["share_and_p_value"]

_LEAST = 1e-12
"""Smaller probabilities are not told: the approximation says nothing about them."""


def share_and_p_value(
    scores: Sequence[float], expected: Sequence[float], clusters: Sequence[str]
) -> tuple[Interval, float]:
    """The mean of scores from 0 to 1 with its 95 % interval, and how likely it is that much or more by chance alone.

    Both are clustered (`dtomtrack.evaluation.statistics`). From a single cluster there is no interval and nothing is
    unlikely: it doesn't say how clusters differ.

    Args:
        expected: the score of each item that chance gives.
    """
    from dtomtrack.evaluation.statistics import share_against

    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    own = [(numbers[name], score) for name, score in zip(clusters, scores, strict=True)]
    interval, both_sides = share_against(own, expected)  # type: ignore[arg-type]
    if both_sides is None or interval.value is None:
        return interval, 1.0
    above = interval.value * len(expected) > sum(expected)
    return interval, max(_LEAST, both_sides / 2 if above else 1 - both_sides / 2)
