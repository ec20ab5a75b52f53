"""How far judgements lean towards yes (paper, Table 5), whatever letter yes has.

What can't be read is left out here: it stands beside every accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dtomtrack.evaluation.records import Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import macro_share, rounded, share

__all__ = ["Confusion", "bias_measures", "confusion"]


class Confusion(NamedTuple):
    """How often yes and no were said, by what is right: true and false, positive for yes and negative for no."""

    tp: int
    fp: int
    tn: int
    fn: int

    @property
    def matthews(self) -> float | None:
        """Matthews' correlation coefficient; None where one of the four sums is empty."""
        product = (self.tp + self.fp) * (self.tp + self.fn) * (self.tn + self.fp) * (self.tn + self.fn)
        return (self.tp * self.tn - self.fp * self.fn) / math.sqrt(product) if product else None


class _Judged(NamedTuple):
    dialogue: int
    said_yes: bool
    is_yes: bool


def bias_measures(kind: str, label: str, answers: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    """Prediction bias, false positive rate and recall of no, and what stands beside them, of the answers to a type."""
    judged = list(_judged(answers))
    if not judged:
        return
    counts = confusion(answers)
    yes, no = ([one for one in judged if one.is_yes is wanted] for wanted in (True, False))
    base = sum(one.is_yes for one in judged) / len(judged)
    yield _measure(
        f"prediction_bias_{kind}", f"Prediction bias, {label}", judged, judged, [one.said_yes for one in judged]
    ).model_copy(
        update={
            "reference": Interval(value=rounded(base), low=None, high=None),
            "reference_label": "right is yes",
            "parts": {
                "true positives": rounded(counts.tp / len(judged)),
                "false positives": rounded(counts.fp / len(judged)),
                "true negatives": rounded(counts.tn / len(judged)),
                "false negatives": rounded(counts.fn / len(judged)),
                "always no": rounded(1 - base),
                "Matthews correlation": rounded(counts.matthews),
            },
        }
    )
    yield _measure(
        f"false_positive_rate_{kind}", f"False positive rate, {label}", no, judged, [one.said_yes for one in no]
    )
    yield _measure(f"recall_no_{kind}", f"Recall of no, {label}", no, judged, [not one.said_yes for one in no])
    yield _measure(f"recall_yes_{kind}", f"True positive rate, {label}", yes, judged, [one.said_yes for one in yes])
    yield _balanced(kind, label, yes, no)


def confusion(answers: Iterable[ScoredAnswer]) -> Confusion:
    """The confusion matrix of the answers that could be read."""
    judged = list(_judged(answers))
    return Confusion(
        tp=sum(one.said_yes and one.is_yes for one in judged),
        fp=sum(one.said_yes and not one.is_yes for one in judged),
        tn=sum(not one.said_yes and not one.is_yes for one in judged),
        fn=sum(not one.said_yes and one.is_yes for one in judged),
    )


def _judged(answers: Iterable[ScoredAnswer]) -> Iterator[_Judged]:
    for one in answers:
        if one.chosen is not None and set(one.asked.roles) == {"yes", "no"}:
            (right,) = one.asked.gold
            yield _Judged(one.asked.dialogue, one.roles == ("yes",), one.asked.roles[right] == "yes")


def _measure(name: str, label: str, of: Sequence[_Judged], judged: Sequence[_Judged], held: Sequence[bool]) -> Measure:
    where = (
        "answers that could be read"
        if of is judged
        else f"answers whose right one is {'yes' if of and of[0].is_yes else 'no'}"
    )
    return Measure(
        name=name,
        label=label,
        estimate=share(zip((one.dialogue for one in of), held, strict=True)),
        items=len(of),
        over=where,
        dialogues=len({one.dialogue for one in of}),
        count=sum(held),
    )


def _balanced(kind: str, label: str, yes: Sequence[_Judged], no: Sequence[_Judged]) -> Measure:
    rights = [[(one.dialogue, one.said_yes is one.is_yes) for one in own] for own in (yes, no)]
    return Measure(
        name=f"balanced_accuracy_{kind}",
        label=f"Balanced accuracy, {label}",
        estimate=macro_share(rights),
        items=len(yes) + len(no),
        over="answers that could be read, yes and no alike",
        dialogues=len({one.dialogue for one in (*yes, *no)}),
        reference=Interval(value=0.5, low=None, high=None),
        reference_label="chance",
    )
