"""Calibration: how far the probabilities of letters are to be believed.

Sources: C. Guo et al., "On calibration of modern neural networks", ICML 2017 (expected calibration error over bins of
equal width); G. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from dtomtrack.evaluation.records import CalibrationBin, CalibrationFigures
from dtomtrack.evaluation.scored import ScoredAnswer

__all__ = ["calibration"]

_BINS = 10


def calibration(answers: Iterable[ScoredAnswer]) -> CalibrationFigures | None:
    """Calibration over the answers that came with probabilities; None where none did."""
    sure = [one for one in answers if one.probabilities is not None]
    if not sure:
        return None
    binned: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for one in sure:
        confidence = max(one.probabilities or (0.0,))
        binned[min(_BINS - 1, int(confidence * _BINS))].append((confidence, one.right))
    bins = [_bin(number, pairs) for number, pairs in enumerate(binned) if pairs]
    return CalibrationFigures(
        items=len(sure),
        ece=round(math.fsum(one.items * abs(one.accuracy - one.confidence) for one in bins) / len(sure), 6),
        brier=round(math.fsum(_squared_distance(one) for one in sure) / len(sure), 6),
        bins=tuple(bins),
    )


def _bin(number: int, pairs: Sequence[tuple[float, bool]]) -> CalibrationBin:
    return CalibrationBin(
        low=number / _BINS,
        high=(number + 1) / _BINS,
        items=len(pairs),
        confidence=round(math.fsum(confidence for confidence, _ in pairs) / len(pairs), 6),
        accuracy=round(sum(right for _, right in pairs) / len(pairs), 6),
    )


def _squared_distance(answer: ScoredAnswer) -> float:
    gold = answer.asked.gold
    shares = answer.probabilities or ()
    return math.fsum((share - (position in gold)) ** 2 for position, share in enumerate(shares))
