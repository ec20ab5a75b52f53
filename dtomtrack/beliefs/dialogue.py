"""Dialogues: turns with hidden inner speech, and what the tracker made of them."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from dtomtrack.beliefs.company import ReadAt
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Scenario
from dtomtrack.records import Record, Text

__all__ = [
    "BeliefRecord",
    "DetectedUpdate",
    "Dialogue",
    "Expression",
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


class Expression(Record):
    """A state that the words of a turn express.

    Attributes:
        about: whose state it is, of somebody else's: what the speaker tells or takes for granted of them; None for the
            speaker's own.
        presumed: of somebody else's, it is taken for granted and not told: the speaker shows what they themselves take
            the other to hold.
    """

    topic: Text
    content: Text
    about: Annotated[Text | None, Field(exclude_if=lambda about: about is None)] = None
    presumed: Annotated[bool, Field(exclude_if=lambda presumed: not presumed)] = False


class Turn(Record):
    """One agent's turn: its thoughts, its words, and whom they reach.

    Attributes:
        audience: names of those who hear it, or to whom it is written, the speaker among them; empty, and not written,
            where that is everybody in the scenario.
        read_at: of a note, by name, the turn at which it reaches somebody, None if it never does; empty, and not
            written, of what is said aloud.
        said: the states that the words express; None, and not written, where they are the speaker's own of which it
            thinks in this turn, and nothing else.
    """

    index: TurnIndex
    speaker: Text
    inner_speech: tuple[InnerSpeech, ...]
    utterance: Text
    audience: Annotated[tuple[Text, ...], Field(exclude_if=lambda names: not names)] = ()
    read_at: Annotated[ReadAt, Field(exclude_if=lambda read: not read)] = Field(default_factory=dict)
    said: Annotated[tuple[Expression, ...] | None, Field(exclude_if=lambda said: said is None)] = None

    @property
    def is_note(self) -> bool:
        """Whether it is written, not said."""
        return bool(self.read_at)

    def hears(self, name: str) -> bool:
        """Whether somebody hears it when it is said; a note nobody hears but who writes it."""
        return name == self.speaker or (not self.is_note and (not self.audience or name in self.audience))

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The states that the words express."""
        if self.said is not None:
            return self.said
        own = (one for one in self.inner_speech if one.order == 1 and one.topic is not None)
        return tuple(Expression(topic=one.topic, content=one.content) for one in own if one.topic is not None)

    @model_validator(mode="after")
    def _reaches_its_audience(self) -> Self:
        if self.audience and self.speaker not in self.audience:
            raise ValueError(f"turn {self.index}: {self.speaker!r} speaks and is not in its audience")
        if stranger := next((name for name in self.read_at if name not in self.audience), None):
            raise ValueError(f"turn {self.index}: {stranger!r} reads the note and is not in its audience")
        return self


class BeliefRecord(Record):
    """One mental state over the time it was held (paper, "Belief State Tracking").

    Attributes:
        source_turn: turn at which it was first expressed; of what is thought of
            another, at which that reached the holder.
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
    """Where a dialogue comes from. ``model`` is "scripted" where no language model took part.

    Attributes:
        overreaching: how often a turn was asked for again because a thought knew what its character can't know; 0 is
            not written.
    """

    model: Text
    seed: int
    attempt: Annotated[int, Field(ge=0)]
    overreaching: Annotated[int, Field(ge=0, exclude_if=lambda times: times == 0)] = 0


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

    @model_validator(mode="after")
    def _heard_by_agents(self) -> Self:
        for turn in self.turns:
            if stranger := next((name for name in turn.audience if name not in self.scenario.names), None):
                raise ValueError(f"turn {turn.index}: {stranger!r} hears it and is no agent of the scenario")
        return self
