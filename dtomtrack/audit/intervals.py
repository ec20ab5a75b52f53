"""Shares with clustered intervals, beside chance: what evaluation uses, for credits."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.evaluation.records import Interval

__all__ = ["share_and_luck"]


def share_and_luck(
    credits: Sequence[float], chances: Sequence[float], clusters: Sequence[str]
) -> tuple[Interval, float]:
    """The mean of credits from 0 to 1 with its 95 % interval, and how likely guessing gets that much or more.

    Both are clustered (`dtomtrack.evaluation.statistics`). Where all items are of one cluster, each counts for itself.
    """
    from dtomtrack.evaluation.statistics import share_against

    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    own = [numbers[name] for name in clusters] if len(numbers) > 1 else range(len(clusters))
    interval, both_sides = share_against(list(zip(own, credits, strict=True)), chances)  # type: ignore[arg-type]
    if both_sides is None or interval.value is None:
        return interval, 1.0
    above = interval.value * len(chances) > sum(chances)
    return interval, both_sides / 2 if above else 1 - both_sides / 2
