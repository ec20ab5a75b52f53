"""Dialogues: turns with hidden inner speech, and what the tracker made of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Scenario
from dtomtrack.records import Record, Text

__all__ = [
    "BeliefRecord",
    "DetectedUpdate",
    "Dialogue",
    "InnerSpeech",
    "Provenance",
    "Turn",
    "UpdateVerification",
]

TurnIndex = Annotated[int, Field(ge=0)]


class InnerSpeech(Record):
    """One thought, hidden from every partner.

    Attributes:
        order: 1 for a state about the world, 2 for a thought about another agent's state.
        about: for order 2, whose state is thought about.
        topic: id of the topic, or None for a thought that belongs to none (a general goal, say).
        content: what follows the prefix ("same-day booking is fine"); where a model put a value of the topic into words
            of its own, that value.
        text: the whole thought ("I believe that same-day booking is fine").
    """

    mental_state: MentalState
    order: Annotated[int, Field(ge=1)] = 1
    about: Text | None = None
    topic: Text | None = None
    content: Text
    text: Text


class Turn(Record):
    """One agent's turn: its thoughts and its words."""

    index: TurnIndex
    speaker: Text
    inner_speech: tuple[InnerSpeech, ...]
    utterance: Text


class BeliefRecord(Record):
    """One mental state over the time it was held (paper, "Belief State Tracking").

    Attributes:
        source_turn: turn at which it was first expressed.
        superseded: the paper's update flag: another content has taken its place.
        superseded_at: the turn at which that happened.
        prior_content: what this record took the place of, if anything.
    """

    holder: Text
    about: Text | None
    order: Annotated[int, Field(ge=1)]
    mental_state: MentalState
    topic: Text
    content: Text
    source_turn: TurnIndex
    superseded: bool = False
    superseded_at: TurnIndex | None = None
    prior_content: Text | None = None


class DetectedUpdate(Record):
    """A change of mind that a verifier found; ``topic`` is None for a marker with no change behind it."""

    turn: TurnIndex
    agent: Text
    topic: Text | None
    old: Text | None
    new: Text | None
    marker: Text | None


class UpdateVerification(Record):
    """The planned updates against those that were found (paper, "Update Verification")."""

    detected: tuple[DetectedUpdate, ...]
    missing: tuple[PlannedUpdate, ...]
    precision: float
    recall: float
    f1: float

    @property
    def realized(self) -> bool:
        """Whether every planned update was found and F1 exceeds 0.5, the paper's threshold."""
        return not self.missing and self.f1 > 0.5


class Provenance(Record):
    """Where a dialogue comes from. ``model`` is "scripted" where no language model took part."""

    model: Text
    seed: int
    attempt: Annotated[int, Field(ge=0)]


class Dialogue(Record):
    """A kept dialogue: one line of ``dialogues.jsonl``.

    ``model_verification`` is what a language model found, where one verified behind the rules.
    """

    id: Text
    slot: Annotated[int, Field(ge=0)]
    domain: Text
    generator: Text
    scenario: Scenario
    turns: tuple[Turn, ...]
    beliefs: tuple[BeliefRecord, ...]
    verification: UpdateVerification
    model_verification: UpdateVerification | None = None
    provenance: Provenance
