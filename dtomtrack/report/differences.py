"""Every subject beside every other, on the items that both answered: paired differences of their accuracies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.comparison import compare
from dtomtrack.evaluation.records import Interval
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.printed import NOTHING, p_value_text, percent, percent_range
from dtomtrack.report.tables import Cell, Row

__all__ = ["SubjectDifference", "difference_rows", "differences"]

_LEVEL = 0.05


@dataclass(frozen=True)
class SubjectDifference:
    """Accuracy of one subject minus that of another, on the items that both answered.

    Attributes:
        one, other: their places among the evaluations.
        p_value: as it is adjusted for the number of differences that are looked at (Holm); None where there is none.
    """

    one: int
    other: int
    items: int
    difference: Interval
    p_value: float | None

    @property
    def reversed(self) -> SubjectDifference:
        """The same from the other's side."""
        interval = self.difference
        turned = Interval(value=_negated(interval.value), low=_negated(interval.high), high=_negated(interval.low))
        return replace(self, one=self.other, other=self.one, difference=turned)


def differences(benchmark: Benchmark, dataset: Path, evaluations: Sequence[Evaluation]) -> list[SubjectDifference]:
    """The difference of every two subjects.

    Raises:
        DatasetError: an answer does not go with its item.
    """
    found = []
    for (one, first), (other, second) in combinations(enumerate(evaluations), 2):
        paired = compare(list(first.answers), list(second.answers), benchmark.items(dataset)).overall
        found.append(SubjectDifference(one, other, paired.items, paired.difference, paired.p_value))
    return _adjusted(found)


def _adjusted(found: Sequence[SubjectDifference]) -> list[SubjectDifference]:
    """With p values adjusted by Holm's method."""
    from statsmodels.stats.multitest import multipletests

    tested = [one for one in found if one.p_value is not None]
    if not tested:
        return list(found)
    values = multipletests([one.p_value for one in tested], method="holm")[1]
    by_pair = {(one.one, one.other): float(value) for one, value in zip(tested, values, strict=True)}
    return [replace(one, p_value=by_pair.get((one.one, one.other))) for one in found]


def difference_rows(evaluations: Sequence[Evaluation], found: Sequence[SubjectDifference]) -> list[Row]:
    """A row and a column for each subject: the row's accuracy minus the column's; empty if there is but one subject.

    A cell is marked as best where the difference is significant.
    """
    cells = {(one.one, one.other): _cell(one) for both in found for one in (both, both.reversed)}
    places = range(len(evaluations))
    if not cells:
        return []
    return [
        Row(evaluations[row].short, tuple(cells.get((row, column), Cell(NOTHING)) for column in places))
        for row in places
    ]


def _cell(one: SubjectDifference) -> Cell:
    if one.difference.value is None:
        return Cell(NOTHING, notes=("no item in common",))
    notes = () if one.p_value is None else (f"p {p_value_text(one.p_value)}",)
    significant = one.p_value is not None and one.p_value < _LEVEL
    return Cell(
        percent(one.difference.value, sign=True),
        percent_range(one.difference),
        notes,
        "best" if significant else None,
    )


def _negated(value: float | None) -> float | None:
    return None if value is None else -value + 0.0
