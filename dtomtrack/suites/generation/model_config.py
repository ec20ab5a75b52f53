"""Which language models take part in making data: what of them decides the bytes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from dtomtrack.records import Record, Text

__all__ = ["ModelConfig"]


class ModelConfig(Record):
    """Which language model does what, and how each is asked.

    Attributes:
        scenario: who writes the scenarios; None where they come from the pack.
        actor: who plays; None for the scripted actors.
        verifier: who verifies behind the rules; None for nobody.
        addresses: of the models that have a server of their own address.
        threshold: the grade, from 0 to 1, that a question has to get on each criterion.
    """

    scenario: Text | None = None
    actor: Text | None = None
    verifier: Text | None = None
    addresses: dict[str, str] = Field(default_factory=dict)
    scenario_style: Literal["free", "planned"] = "free"
    actor_style: Literal["one-call", "two-call", "free"] = "one-call"
    turn_format: Literal["json", "text"] = "json"
    turn_retries: Annotated[int, Field(ge=0, le=20)] = 3
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.7
    threshold: Annotated[float, Field(ge=0.0, le=1.0)] = 0.6
