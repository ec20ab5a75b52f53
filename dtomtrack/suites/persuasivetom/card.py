"""The card of a dataset of PersuasiveToM that was imported."""

from __future__ import annotations

from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.card import rendered

__all__ = ["card"]


def card(manifest: Manifest) -> str:
    """The card: the paper's counts beside those that were read, and what is wrong with the items."""
    return rendered("dtomtrack.suites.persuasivetom", manifest)
