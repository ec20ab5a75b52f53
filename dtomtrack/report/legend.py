"""The legend: what the figures beside the accuracies say, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.report.evaluations import Evaluation, plain
from dtomtrack.report.presentation import Presentation

__all__ = ["legend"]

_READ = {
    "Not readable": "Share of the answers, in percent, in which no option could be read.",
    "Failed calls": "Calls that gave no answer at all; they count nowhere else.",
}
_CALIBRATION = {
    "Calibration error (ECE)": (
        "How far, in points and on average, the probability of the chosen option is from how often it is right."
    ),
    "Brier score": (
        "Mean squared distance between the probabilities of the options and what is right: 0 is best, 2 is worst."
    ),
}
_COMMON = {
    "jaccard": "Of the options that are chosen or right, the share that is both; the reference is the best fixed set.",
    "balanced": "Items that are answered right under every rotation of their options.",
    "samples": "The mean of whole samples; its parts say how far they spread.",
    "by_topic": "Accuracy again, with an interval for other topics and not only for other dialogues.",
}


def legend(suite: Presentation, evaluations: Sequence[Evaluation]) -> dict[str, str]:
    """By the label of a row, what it says and what it is taken over; measures with nothing to tell are left out."""
    words = {**_COMMON, **suite.legend}
    measures = {one.name: one for evaluation in evaluations for one in evaluation.metrics.further}
    told = {plain(one.label): _told(words.get(one.name, ""), plain(one.over)) for one in measures.values()}
    sure = _CALIBRATION if any(one.metrics.calibration for one in evaluations) else {}
    return {**_READ, **sure, **{label: sentence for label, sentence in told.items() if sentence}}


def _told(words: str, over: str) -> str:
    return " ".join(part for part in (words, f"Over {over}." if over else "") if part)
