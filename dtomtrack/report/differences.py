"""Every subject beside every other, on the items that both answered: paired differences of their accuracies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.comparison import SubjectPair, compare_all
from dtomtrack.evaluation.records import Interval
from dtomtrack.report.cells import Cell
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.printed import NOTHING, p_value_text, percent, percent_range
from dtomtrack.report.tables import Row

__all__ = ["difference_rows"]

_LEVEL = 0.05


def difference_rows(benchmark: Benchmark, dataset: Path, evaluations: Sequence[Evaluation]) -> list[Row]:
    """A row and a column for each subject: the row's accuracy minus the column's; empty if there is but one subject.

    A cell is marked as best where the difference is significant among all pairs (Holm).

    Raises:
        DatasetError: an answer does not go with its item.
    """
    if len(evaluations) < 2:
        return []
    labels = [one.label for one in evaluations]
    found = compare_all({one.label: one.answers for one in evaluations}, benchmark.items(dataset))
    cells: dict[tuple[str, str], Cell] = {}
    for pair in found.pairs:
        cells[pair.one, pair.other] = _cell(pair, pair.compared.overall.difference)
        cells[pair.other, pair.one] = _cell(pair, _turned(pair.compared.overall.difference))
    return [
        Row(one.short, tuple(cells.get((one.label, label), Cell(NOTHING)) for label in labels)) for one in evaluations
    ]


def _cell(pair: SubjectPair, difference: Interval) -> Cell:
    if difference.value is None:
        return Cell(NOTHING, notes=("no item in common",))
    notes = () if pair.holm is None else (f"p {p_value_text(pair.holm)}",)
    significant = pair.holm is not None and pair.holm < _LEVEL
    return Cell(percent(difference.value, sign=True), percent_range(difference), notes, "best" if significant else None)


def _turned(difference: Interval) -> Interval:
    """The same difference from the other's side."""
    value, low, high = (
        None if end is None else -end + 0.0 for end in (difference.value, difference.low, difference.high)
    )
    return Interval(value=value, low=high, high=low)
