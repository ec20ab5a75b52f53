"""The part of a suite that a report needs to know, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.report.drawing import Drawing
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.sections import SuiteSection
from dtomtrack.report.shown import BrowserWords, ShownDialogue
from dtomtrack.runs.manifest import Manifest

__all__ = ["DrawsDialogues", "FigureMaker", "Head", "Presentation", "ReportedSuite"]

FigureMaker: TypeAlias = Callable[[Sequence[Evaluation]], Drawing | None]
"""Draws a figure of evaluations, if there is anything to draw."""


@dataclass(frozen=True)
class Head:
    """The head of the page: a title, a sentence, and figures by name."""

    title: str
    lead: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


class Presentation(Protocol):
    """A suite, as `dtomtrack.report` sees it beside what it evaluates."""

    @property
    def labels(self) -> Mapping[str, Mapping[str, str]]:
        """By grouping, what its groups are called, in the order of the rows of its table.

        A group that is not among them stands behind them under its own name.
        """
        ...

    @property
    def role_labels(self) -> Mapping[str, str]:
        """The labels of the roles of options, that of right ones first; may be empty."""
        ...

    @property
    def legend(self) -> Mapping[str, str]:
        """By the name of a measure or a grouping of its own, what it says, in a sentence; may be empty."""
        ...

    @property
    def words(self) -> BrowserWords:
        """The words for the parts of its dialogues in the page's browser."""
        ...

    @property
    def figures(self) -> Sequence[FigureMaker]:
        """The suite's own figures; one of the same name as a common one takes its place."""
        ...

    @property
    def paper_tables(self) -> Sequence[TableMaker]:
        """The tables that are laid out as its paper's; may be empty."""
        ...

    def head(self, manifest: Manifest) -> Head:
        """The head of the page on a dataset."""
        ...

    def sections(self, folder: Path) -> Sequence[SuiteSection]:
        """The suite's own sections, of what stands in the folder beside items and answers; mostly none.

        Raises:
            DatasetError: a file is damaged.
        """
        ...

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """The first so many dialogues of a dataset with their items.

        `dtomtrack.report.clusters.shown_clusters` makes them from items, where there is no more to show.

        Raises:
            DatasetError: a line is damaged.
        """
        ...


@runtime_checkable
class DrawsDialogues(Protocol):
    """A suite that can show dialogues from anywhere in a dataset, however large."""

    def drawn_dialogues(self, folder: Path, count: int) -> Iterator[ShownDialogue]:
        """So many dialogues, drawn at random, in the order of the dataset; the same each time.

        Raises:
            DatasetError: a line is damaged.
        """
        ...


class ReportedSuite(Benchmark, Presentation, Protocol):
    """A suite, as all of a report sees it."""
