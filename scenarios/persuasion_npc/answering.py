"""Whether a message takes up a question that the character has put."""

from __future__ import annotations

from dtomtrack.items.words import stems

__all__ = ["answers"]

_SHARED_STEMS = 2


def answers(question: str, message: str) -> bool:
    """Whether a message takes up a question: it shares two of its content words."""
    return len(stems(question) & stems(message)) >= _SHARED_STEMS
