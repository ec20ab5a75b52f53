"""Calibration: how far the probabilities of letters are to be believed.

Where several options may be right, each with a probability of its own, every option counts as a forecast.

Sources: C. Guo et al., "On calibration of modern neural networks", ICML 2017 (expected calibration error over bins of
equal width); G. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from dtomtrack.evaluation.records import CalibrationBin, CalibrationFigures
from dtomtrack.evaluation.scored import ScoredAnswer

__all__ = ["calibration", "calibration_error"]

_BINS = 10


def calibration(answers: Iterable[ScoredAnswer]) -> CalibrationFigures | None:
    """Calibration over the answers that came with probabilities; None where none did."""
    sure = [one for one in answers if one.probabilities is not None]
    if not sure:
        return None
    bins = _bins(pair for one in sure for pair in _forecasts(one))
    return CalibrationFigures(
        items=len(sure),
        ece=round(_mean_gap(bins), 6),
        brier=round(math.fsum(_squared_distance(one) for one in sure) / len(sure), 6),
        bins=tuple(bins),
    )


def calibration_error(forecasts: Iterable[tuple[float, bool]]) -> float | None:
    """The expected calibration error of probabilities, each with whether it came true; None where there is none."""
    bins = _bins(forecasts)
    return round(_mean_gap(bins), 6) if bins else None


def _bins(forecasts: Iterable[tuple[float, bool]]) -> list[CalibrationBin]:
    binned: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for confidence, right in forecasts:
        binned[min(_BINS - 1, int(confidence * _BINS))].append((confidence, right))
    return [_bin(number, pairs) for number, pairs in enumerate(binned) if pairs]


def _forecasts(answer: ScoredAnswer) -> Sequence[tuple[float, bool]]:
    """Probabilities with whether they came true: of the answer, or of each option where several may be right."""
    shares = answer.probabilities or (0.0,)
    if answer.asked.select == "one":
        return [(max(shares), answer.right)]
    return [(share, position in answer.asked.gold) for position, share in enumerate(shares)]


def _mean_gap(bins: Sequence[CalibrationBin]) -> float:
    return math.fsum(one.items * abs(one.accuracy - one.confidence) for one in bins) / sum(one.items for one in bins)


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
    distance = math.fsum((share - (position in gold)) ** 2 for position, share in enumerate(shares))
    # each option is a forecast of yes and no, with two squares of the same size
    return distance if answer.asked.select == "one" else 2 * distance / len(shares)
