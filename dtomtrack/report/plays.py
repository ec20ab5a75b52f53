"""What was played in a dataset beside what was answered: a section of the page that a suite may bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from dtomtrack.report.drawing import Drawing
from dtomtrack.report.paper_tables import PaperTable

__all__ = ["PlayedSuite", "Plays", "plays_of"]


@dataclass(frozen=True)
class Plays:
    """The plays of a dataset.

    Attributes:
        about: a sentence or two below the heading.
        subjects: who played; ``unfinished``: folders of plays that are not finished, which are left out.
    """

    title: str
    about: str
    tables: tuple[PaperTable, ...]
    figures: tuple[Drawing, ...]
    subjects: tuple[str, ...]
    unfinished: tuple[str, ...] = ()


@runtime_checkable
class PlayedSuite(Protocol):
    """A suite whose datasets are played."""

    def plays(self, folder: Path) -> Plays | None:
        """The plays in a dataset folder; None where there is none.

        Raises:
            InputError: a play is damaged, or figures can't be drawn.
        """
        ...


def plays_of(suite: object, folder: Path) -> Sequence[Plays]:
    """The plays of a dataset, where its suite is played and anybody has."""
    found = suite.plays(folder) if isinstance(suite, PlayedSuite) else None
    return () if found is None else (found,)
