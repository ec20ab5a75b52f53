"""Probabilities of labels, where each option was asked about alone: how well they rank, and how far to believe them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.evaluation.probabilities import calibration_error
from dtomtrack.evaluation.records import Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded
from dtomtrack.suites.rectom.label_sets import labels_of

__all__ = ["area_under_curve", "ranking_measures"]


def ranking_measures(kind: str, label: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """The area under the ROC curve, a mean over labels; by label that area and the expected calibration error."""
    sure = [one for one in answers if one.probabilities is not None]
    if not sure:
        return
    parts: dict[str, float | None] = {}
    for name in labels_of(sure[0]):
        forecasts = [forecast for one in sure for forecast in _forecasts(one, name)]
        parts[f"{name}: AUROC"] = rounded(area_under_curve(forecasts))
        parts[f"{name}: calibration error"] = calibration_error(forecasts)
    areas = [area for name, area in parts.items() if name.endswith("AUROC") and area is not None]
    yield Measure(
        name=f"ranking_{kind}",
        label=f"Labels told apart by probability (AUROC), {label}",
        estimate=Interval(value=rounded(mean(areas)), low=None, high=None),
        items=len(sure),
        over="answers with probabilities",
        dialogues=len({one.asked.dialogue for one in sure}),
        reference=Interval(value=0.5, low=None, high=None),
        reference_label="chance",
        parts=parts,
    )


def _forecasts(answer: ScoredAnswer, name: str) -> Iterator[tuple[float, bool]]:
    """The probability of a label and whether it is right, wherever the item has it."""
    for position, label in enumerate(labels_of(answer)):
        if label == name:
            yield (answer.probabilities or ())[position], position in answer.asked.gold


def area_under_curve(forecasts: Sequence[tuple[float, bool]]) -> float | None:
    """The probability that what is right got more than what is not, ties counted half; None if either is missing.

    It is the statistic of Mann and Whitney by the number of pairs (Hanley & McNeil, Radiology 143, 1982).
    """
    # imported late: scipy is an extra, and takes a second
    from scipy.stats import mannwhitneyu

    right = [share for share, holds in forecasts if holds]
    wrong = [share for share, holds in forecasts if not holds]
    if not right or not wrong:
        return None
    return float(mannwhitneyu(right, wrong).statistic) / (len(right) * len(wrong))
