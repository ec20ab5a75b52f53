"""DToM-Track on the page: what its groups are called, its figures, its dialogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.report.presentation import FigureMaker, ShownDialogue
from dtomtrack.runs.manifest import Manifest

__all__ = ["FIGURES", "LABELS", "facts", "shown_dialogues"]

LABELS: Mapping[str, Mapping[str, str]] = {
    "type": {
        QuestionType.TEMPORAL.value: "Temporal",
        QuestionType.UPDATE_DETECTION.value: "Update detection",
        QuestionType.POST_UPDATE.value: "Post-update",
        QuestionType.FALSE_BELIEF.value: "False belief",
        QuestionType.SECOND_ORDER.value: "Second-order",
        QuestionType.PRE_UPDATE.value: "Pre-update",
    }
}
"""Question types in the order of the paper's Table 4."""
FIGURES: Sequence[FigureMaker] = ()


def facts(manifest: Manifest) -> Mapping[str, str]:
    """The figures at the head of the page."""
    return {}


def shown_dialogues(folder: Path, limit: int) -> Iterator[ShownDialogue]:
    """The first so many dialogues of a dataset with their questions."""
    yield from ()
