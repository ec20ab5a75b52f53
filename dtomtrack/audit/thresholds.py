"""From figures for options to choices: the largest, or all above a threshold where a set is to be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from dtomtrack.audit.audit_item import AuditItem, Choice

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Scores", "best_threshold", "chosen"]

Scores = Sequence["np.ndarray"]
"""A figure for each option, item by item."""
_ALIKE = 1e-9


def chosen(item: AuditItem, scores: np.ndarray, threshold: float) -> Choice:
    """The options with the largest figure, or those from the threshold on, at least the largest."""
    import numpy as np

    least = scores.max() - _ALIKE
    if item.is_set:
        least = min(least, threshold)
    return [int(position) for position in np.flatnonzero(scores >= least)]


def best_threshold(items: Sequence[AuditItem], scores: Scores) -> float:
    """The threshold with which most of these sets are chosen rightly; 0 where there are none.

    An item is right from just above its best wrong option to its worst right one: the point is sought that lies between
    these for most items.
    """
    ends: list[tuple[float, int]] = []
    for item, own in zip(items, scores, strict=True):
        right = min(float(own[position]) for position in item.gold)
        wrong = max((float(one) for position, one in enumerate(own) if position not in item.gold), default=-1e9)
        if wrong < right:
            ends += [(wrong, 1), (right, -1)]
    ends.sort(key=lambda end: (end[0], end[1]))
    if not ends:
        return 0.0
    open_now = list(accumulate(change for _, change in ends))
    best = max(range(len(ends)), key=open_now.__getitem__)
    after = ends[best + 1][0] if best + 1 < len(ends) else ends[best][0]
    return (ends[best][0] + after) / 2
