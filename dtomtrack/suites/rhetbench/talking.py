"""How a language model is asked to persuade."""

from __future__ import annotations

from typing import Literal, TypeAlias

from dtomtrack.records import Record

__all__ = ["Talking", "Taxonomy"]

Taxonomy: TypeAlias = Literal["told", "untold"]
"""Whether a model is told of the six kinds of argument."""


class Talking(Record):
    """How a model is asked."""

    taxonomy: Taxonomy = "told"
    temperature: float = 0.0
    max_tokens: int = 1024
