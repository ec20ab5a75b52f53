"""The kinds of argument, and the tones in which a character answers (RhetBench, "The Six Argument Types")."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["APPEALS", "ArgumentClass", "Tone"]


class ArgumentClass(StrEnum):
    """A kind of argument; GENERIC where nothing tells, ASK a question instead of an argument."""

    LOGICAL = "LOGICAL"
    EMOTIONAL = "EMOTIONAL"
    SOCIAL_PROOF = "SOCIAL_PROOF"
    AUTHORITY = "AUTHORITY"
    ANECDOTE = "ANECDOTE"
    CONCESSION = "CONCESSION"
    GENERIC = "GENERIC"
    ASK = "ASK"

    # an enum's own is written in Python and takes half of the engine's time
    __hash__ = str.__hash__


APPEALS: tuple[ArgumentClass, ...] = tuple(ArgumentClass)[:6]
"""The six that a character is sensitive to."""


class Tone(StrEnum):
    """How a reply sounds."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    RESISTANT = "resistant"

    __hash__ = str.__hash__
