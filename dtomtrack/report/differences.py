"""Every subject beside every other, on the items that both answered: paired differences of their accuracies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.comparison import Comparisons, SubjectPair, compare_all
from dtomtrack.evaluation.records import Interval
from dtomtrack.report.cells import Cell
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.printed import NOTHING, p_value_text, percent, percent_range
from dtomtrack.report.tables import Row

__all__ = ["LEVEL", "difference_of", "difference_rows", "differences"]

LEVEL = 0.05
"""Below it a p value, corrected for all pairs, is called significant."""


def differences(benchmark: Benchmark, dataset: Path, evaluations: Sequence[Evaluation]) -> Comparisons | None:
    """All pairs of evaluations, by their labels; None if there is but one.

    Raises:
        DatasetError: an answer does not go with its item.
    """
    if len(evaluations) < 2:
        return None
    return compare_all({one.label: one.answers for one in evaluations}, benchmark.items(dataset))


def difference_of(pair: SubjectPair, subject: str) -> Interval:
    """The accuracy of this one of a pair minus that of the other."""
    own = pair.compared.overall.difference
    return own if subject == pair.one else _turned(own)


def difference_rows(found: Comparisons | None, evaluations: Sequence[Evaluation]) -> list[Row]:
    """A row and a column for each subject: the row's accuracy minus the column's; empty if there is but one subject.

    A cell is marked as best where the difference is significant among all pairs (Holm).
    """
    if found is None:
        return []
    labels = [one.label for one in evaluations]
    cells: dict[tuple[str, str], Cell] = {}
    for pair in found.pairs:
        for row, column in ((pair.one, pair.other), (pair.other, pair.one)):
            cells[row, column] = _cell(pair, difference_of(pair, row))
    return [
        Row(one.short, tuple(cells.get((one.label, label), Cell(NOTHING)) for label in labels)) for one in evaluations
    ]


def _cell(pair: SubjectPair, difference: Interval) -> Cell:
    if difference.value is None:
        return Cell(NOTHING, notes=("no item in common",))
    notes = () if pair.holm is None else (f"p {p_value_text(pair.holm)}",)
    significant = pair.holm is not None and pair.holm < LEVEL
    return Cell(percent(difference.value, sign=True), percent_range(difference), notes, "best" if significant else None)


def _turned(difference: Interval) -> Interval:
    """The same difference from the other's side."""
    value, low, high = (
        None if end is None else -end + 0.0 for end in (difference.value, difference.low, difference.high)
    )
    return Interval(value=value, low=high, high=low)
