"""The card of a dataset of RecToM, imported or generated."""

from __future__ import annotations

from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.card import rendered
from dtomtrack.suites.rectom.labelled import SOURCE
from dtomtrack.suites.rectom.reported import reported

__all__ = ["card"]


def card(manifest: Manifest) -> str:
    """The card: of an import the paper's counts beside ours and what is wrong; else how the items were made."""
    if "generator" in manifest.config:
        return rendered("dtomtrack.suites.rectom.generation", manifest)
    if manifest.config["source"] == SOURCE:
        return rendered("dtomtrack.suites.rectom.labelled", manifest)
    return rendered("dtomtrack.suites.rectom", manifest, paper=reported().items)
