"""Calibration: how far the probabilities of letters are to be believed.

Where each option was asked about alone, and has a probability of its own, every option counts as a forecast.

Sources: C. Guo et al., "On calibration of modern neural networks", ICML 2017 (expected calibration error over bins of
equal width); G. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from dtomtrack.evaluation.records import AnswerMode, CalibrationBin, CalibrationFigures
from dtomtrack.evaluation.scored import ScoredAnswer

__all__ = ["calibration", "calibration_error"]

_BINS = 10


def calibration(answers: Iterable[ScoredAnswer], mode: AnswerMode) -> CalibrationFigures | None:
    """Calibration over the answers that came with probabilities; None where none did."""
    sure = [one for one in answers if one.probabilities is not None]
    if not sure:
        return None
    bins = _bins(pair for one in sure for pair in (_options if mode == "each" else _chosen)(one))
    return CalibrationFigures(
        items=len(sure),
        ece=round(_mean_gap(bins), 6),
        brier=round(math.fsum(_squared_distance(one, mode) for one in sure) / len(sure), 6),
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


def _chosen(answer: ScoredAnswer) -> Sequence[tuple[float, bool]]:
    """The probability of the answer, with whether it is right."""
    return [(max(answer.probabilities or (0.0,)), answer.right)]


def _options(answer: ScoredAnswer) -> Sequence[tuple[float, bool]]:
    """The probability of each option, with whether it is right."""
    return [(share, position in answer.asked.gold) for position, share in enumerate(answer.probabilities or ())]


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


def _squared_distance(answer: ScoredAnswer, mode: AnswerMode) -> float:
    squares = [(share - right) ** 2 for share, right in _options(answer)]
    # each option is a forecast of yes and no, with two squares of the same size
    return 2 * math.fsum(squares) / len(squares) if mode == "each" else math.fsum(squares)
