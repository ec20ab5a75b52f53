"""What the label of a state may not tell: which of its contents is meant."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.quantities import number_words
from dtomtrack.beliefs.reading import distinctive_words

__all__ = ["contents_told"]


def contents_told(label: str, contents: Sequence[str]) -> list[str]:
    """The contents that a label tells from the others, by a word that it has in common with one of them alone."""
    words = number_words(label)
    return [content for content, own in distinctive_words(contents, number_words).items() if own & words]
