"""How a language model is asked to persuade."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.records import Record

__all__ = ["Asking"]


class Asking(Record):
    """How a model is asked.

    Attributes:
        temperature: of turns; everything else is asked at 0.
        max_tokens: of a reply.
    """

    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.7
    max_tokens: Annotated[int, Field(ge=1)] = 1024
