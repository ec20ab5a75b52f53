"""A suite: a benchmark, with what is special to it and nothing else.

Everything that evaluates, audits, exports and reports works on items; a suite says where its items come from, what a
subject may see of their context, and which figures of its own its answers add up to. It is added by adding a folder
under ``dtomtrack/suites/`` and its name in ``dtomtrack/suites/registry.py``; elsewhere by `register`.
"""

from __future__ import annotations

from typing import Protocol

from dtomtrack.export.exportable import Exportable
from dtomtrack.records import Record
from dtomtrack.report.presentation import Presentation

__all__ = ["Suite"]


class Suite(Exportable, Presentation, Protocol):
    """Everything that commands need of a suite: evaluation, export and report each say their part."""

    @property
    def title(self) -> str:
        """One line that says what it measures."""
        ...

    @property
    def config(self) -> type[Record] | None:
        """The configuration in the manifest of its datasets; None where it has no fixed form."""
        ...
