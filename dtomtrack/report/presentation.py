"""What a report needs to know of a suite, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pydantic import JsonValue

from dtomtrack.items.item import Item
from dtomtrack.runs.manifest import Manifest

if TYPE_CHECKING:
    from dtomtrack.report.evaluations import Evaluation
    from dtomtrack.report.figures import Drawing

__all__ = ["FigureMaker", "Presentation", "ShownDialogue"]

FigureMaker = Callable[[Sequence["Evaluation"]], "Drawing | None"]
"""Draws a figure of evaluations, if there is anything to draw."""


@dataclass(frozen=True)
class ShownDialogue:
    """A dialogue, or whatever items of one cluster ask about, as the page's browser shows it.

    Attributes:
        excerpt: a line for the list.
        tags: what the list may be filtered by ("restaurant").
        details: for the script of the page: context, agents, turns, records; every part may be missing.
    """

    id: str
    excerpt: str
    tags: tuple[str, ...]
    details: Mapping[str, JsonValue]
    items: tuple[Item, ...]


class Presentation(Protocol):
    """A suite, as `dtomtrack.report` sees it."""

    @property
    def labels(self) -> Mapping[str, Mapping[str, str]]:
        """By grouping, what its groups are called; the types stand in the order of the table's rows."""
        ...

    @property
    def figures(self) -> Sequence[FigureMaker]:
        """The suite's own figures, beside the common ones."""
        ...

    def facts(self, manifest: Manifest) -> Mapping[str, str]:
        """The figures at the head of the page, by name."""
        ...

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """The first so many dialogues of a dataset with their items.

        Raises:
            DatasetError: a line is damaged.
        """
        ...
