"""Sections of the page that are a suite's own: of what stands in its folder beside items and answers."""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.report.drawing import Drawing

__all__ = ["SectionCell", "SectionTable", "SuiteSection"]


@dataclass(frozen=True)
class SectionCell:
    """A figure as it is printed, with what stands below it in small; ``strong`` marks it."""

    text: str
    small: str = ""
    strong: bool = False


@dataclass(frozen=True)
class SectionTable:
    """A table: the head of its first column and of the others, and of each row its name and a cell a column."""

    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[SectionCell, ...]], ...]


@dataclass(frozen=True)
class SuiteSection:
    """A section before the results of evaluations.

    Attributes:
        id: lower-case letters and hyphens, for the page's address; ``title`` is its heading, and stands in the menu.
        about: what its tables and figures say.
    """

    id: str
    title: str
    about: str = ""
    tables: tuple[SectionTable, ...] = ()
    drawings: tuple[Drawing, ...] = ()
