"""Phrases by kind of heuristic, as a language model writes them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.records import Record, Text
from dtomtrack.scenarios.route.terms import CUE_TYPES, CueType

__all__ = ["MOST_PHRASES", "WrittenCues"]

MOST_PHRASES = 4
_Phrases = Annotated[tuple[Text, ...], Field(min_length=2, max_length=MOST_PHRASES)]


class WrittenCues(Record):
    """The part of a model's material that appeals to what people go by at a glance."""

    authority: _Phrases
    social_proof: _Phrases
    liking: _Phrases
    reciprocity: _Phrases
    scarcity: _Phrases

    def cues(self) -> dict[CueType, tuple[Text, ...]]:
        """The phrases by kind."""
        return {kind: getattr(self, kind) for kind in CUE_TYPES}
