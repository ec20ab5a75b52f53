"""The card of a dataset of PersuasiveToM, imported or generated."""

from __future__ import annotations

from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.card import rendered

__all__ = ["card"]


def card(manifest: Manifest) -> str:
    """The card: of an import the paper's counts beside ours and what is wrong; else how the conversations were made."""
    generated = "generator" in manifest.config
    return rendered("dtomtrack.suites.persuasivetom" + (".generation" if generated else ""), manifest)
