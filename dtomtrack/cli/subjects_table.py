"""Several subjects in one table, printed: as many types side by side as the terminal is wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from dtomtrack.evaluation.accuracy_table import AccuracyTable
    from dtomtrack.evaluation.records import Interval

__all__ = ["show_subjects_table"]

_NAME, _CELL = 26, 13
"""Characters of a name and of a figure with the space behind it."""


def show_subjects_table(table: AccuracyTable) -> None:
    """Print on standard output the accuracy of each subject by type, in per cent, each over its interval."""
    from dtomtrack.cli.console import Console

    console = Console()
    console.print("Accuracy in per cent, with its 95 % interval below")
    beside = max(1, (console.width - _NAME) // _CELL)
    for start in range(0, len(table.columns), beside):
        console.print(_block(table, table.columns[start : start + beside]))


def _block(table: AccuracyTable, columns: tuple[str, ...]) -> Table:
    from rich.markup import escape
    from rich.table import Table

    from dtomtrack.evaluation.rules import reads_records

    block = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    block.add_column("", overflow="fold", width=_NAME)
    for column in columns:
        block.add_column(escape(column.replace("_", " ")), justify="right", width=_CELL - 1)
    for subject, shares in table.rows.items():
        mark = "\nreads the records" if reads_records(subject) else ""
        block.add_row(f"{escape(subject)}{mark}", *_cells(shares, columns))
    return block


def _cells(shares: Mapping[str, Interval], columns: tuple[str, ...]) -> Iterator[str]:
    for column in columns:
        share = shares.get(column)
        if share is None or share.value is None:
            yield "-"
        elif share.low is None or share.high is None:
            yield f"{100 * share.value:.1f}"
        else:
            yield f"{100 * share.value:.1f}\n{100 * share.low:.1f}-{100 * share.high:.1f}"
