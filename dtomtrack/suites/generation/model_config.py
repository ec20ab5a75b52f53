"""Which language models take part in making data: what of them decides the bytes."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from dtomtrack.records import Record, Share, Text

__all__ = ["Criterion", "ModelConfig"]

Criterion = Literal["correctness", "soundness", "quality"]
"""One of the things that a verifier grades a question on."""


class ModelConfig(Record):
    """Which language model does what, and how each is asked.

    Attributes:
        scenario: who writes the scenarios; None where they come from the pack.
        actor: who plays; None for the scripted actors.
        verifier: who verifies behind the rules; None for nobody.
        addresses: of the models that have a server of their own address.
        threshold: the grade, from 0 to 1, that a question has to get on each criterion.
        thresholds: the same of criteria that have one of their own.
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
    # left out where there are none: manifests of before have none
    thresholds: dict[Criterion, Share] = Field(default_factory=dict, exclude_if=lambda own: not own)

    @property
    def grades(self) -> dict[Criterion, float]:
        """The grade that a question has to get, by criterion."""
        return dict.fromkeys(get_args(Criterion), self.threshold) | self.thresholds
