"""A suite: a benchmark, with what is special to it and nothing else.

Everything that evaluates, audits, exports and reports works on items; a suite says where its items come from, what a
subject may see of their context, and which figures of its own its answers add up to. It is added by adding a folder
under ``dtomtrack/suites/`` and its name in ``dtomtrack/suites/registry.py``; elsewhere by `register`.
"""

from __future__ import annotations

from typing import Protocol

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.report.presentation import Presentation
from dtomtrack.runs.manifest import Manifest

__all__ = ["Suite"]


class Suite(Benchmark, Presentation, Protocol):
    """What all commands need of a suite."""

    @property
    def title(self) -> str:
        """One line that says what it measures."""
        ...

    def card(self, manifest: Manifest) -> str:
        """The dataset card: Markdown with the YAML front matter that `datasets.load_dataset` reads."""
        ...
