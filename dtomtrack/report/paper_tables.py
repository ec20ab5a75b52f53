"""Tables laid out as those of a suite's paper, with the paper's own figures in rows that say that they are reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dtomtrack.report.cells import Cell
from dtomtrack.report.evaluations import Evaluation, plain

__all__ = ["PaperRow", "PaperTable", "TableMaker", "as_markdown", "paper_tables"]

REPORTED = "reported"
"""Marks rows that were read in the paper and not measured here."""


@dataclass(frozen=True)
class PaperRow:
    """A line of a table.

    Attributes:
        reported: whether its figures are the paper's, and not measured here.
    """

    name: str
    cells: tuple[Cell, ...]
    reported: bool = False


@dataclass(frozen=True)
class PaperTable:
    """A table as a paper has it.

    Attributes:
        name: of its file.
        corner: stands above the names of the rows.
    """

    name: str
    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[PaperRow, ...]
    corner: str = "Model"


TableMaker: TypeAlias = Callable[[Sequence[Evaluation]], PaperTable | None]
"""Makes a table of evaluations, if there is anything to show."""


def paper_tables(makers: Sequence[TableMaker], evaluations: Sequence[Evaluation]) -> tuple[PaperTable, ...]:
    """The tables that these evaluations have something to show in."""
    return tuple(table for make in makers if (table := make(evaluations)) is not None)


def as_markdown(table: PaperTable) -> str:
    """A table as Markdown, names by others in it as text."""
    lines = [f"# {_text(table.title)}", "", _text(table.caption), ""]
    lines.append(_line([table.corner, *table.columns]))
    lines.append(_line(["---"] + ["---:"] * len(table.columns)))
    lines += [_line(cells) for cells in map(_cells, table.rows)]
    return "\n".join(lines) + "\n"


def _cells(row: PaperRow) -> list[str]:
    name = f"{row.name} ({REPORTED})" if row.reported else row.name
    return [name, *(" ".join(_parts(cell)) for cell in row.cells)]


def _parts(cell: Cell) -> Iterator[str]:
    yield cell.text
    if cell.interval:
        yield f"[{cell.interval}]"
    if cell.notes:
        yield f"({'; '.join(cell.notes)})"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_text, cells))} |"


def _text(text: str) -> str:
    escaped = "".join(f"\\{sign}" if sign in "\\|`<>[]*_" else sign for sign in plain(text))
    return " ".join(escaped.split())
