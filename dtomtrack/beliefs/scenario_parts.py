"""The parts of a scenario: agents, topics, and what is planned to happen in their minds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dtomtrack.beliefs.markers import signal_of
from dtomtrack.beliefs.mental_state import MentalState, Signal, Trigger
from dtomtrack.records import Record, Text

__all__ = [
    "FIRST_UPDATE_TURN",
    "Agent",
    "InitialState",
    "Personality",
    "PlannedUpdate",
    "Presumption",
    "Topic",
]

FIRST_UPDATE_TURN = 4
"""No mind changes earlier (paper, Table 1: "Plan belief updates at turn 4 or later")."""
Trait = Annotated[float, Field(ge=0.0, le=1.0)]


class Personality(Record):
    """The Big Five, each from 0 (low) to 1 (high)."""

    openness: Trait
    conscientiousness: Trait
    extraversion: Trait
    agreeableness: Trait
    neuroticism: Trait


class InitialState(Record):
    """A state that an agent holds before the first turn."""

    mental_state: MentalState
    topic: Text
    content: Text


class Agent(Record):
    """A character in a scenario."""

    name: Text
    role: Text
    personality: Personality
    goal: Text
    private_info: tuple[Text, ...] = ()
    initial_states: tuple[InitialState, ...] = ()


class Topic(Record):
    """Something that one agent, or several, each for themselves, hold a mental state about.

    Attributes:
        label: noun phrase that questions use ("the seating").
        holder: name of the agent whose state it is.
        co_holders: names of others who hold a state of their own about it, with values of their own.
        values: mutually exclusive contents, each completing the inner-speech prefix of the mental state.
        partners_own: it is about the other agents' own lives, of which the holder knows what they were told.
        anybodys: it could have been anybody's; neither side of the conversation alone has a say in it.
    """

    id: Text
    label: Text
    mental_state: MentalState
    holder: Text
    values: Annotated[tuple[Text, ...], Field(min_length=2)]
    co_holders: Annotated[tuple[Text, ...], Field(exclude_if=lambda names: not names)] = ()
    partners_own: Annotated[bool, Field(exclude_if=lambda is_so: not is_so)] = False
    anybodys: Annotated[bool, Field(exclude_if=lambda is_so: not is_so)] = False

    @property
    def holders(self) -> tuple[str, ...]:
        """Names of all whose state it is."""
        return (self.holder, *self.co_holders)

    @property
    def ignorance(self) -> str | None:
        """The value of who knows nothing of it, where it is a matter of knowledge and has such a value."""
        nothing = f"nothing about {self.label}"
        return nothing if self.mental_state is MentalState.KNOWLEDGE and nothing in self.values else None


class PlannedUpdate(Record):
    """A change of mind that has to happen at one turn (paper, "Controlled Belief Injection").

    Attributes:
        marker: id of the phrase that signals it aloud; None if none does.
    """

    turn: Annotated[int, Field(ge=FIRST_UPDATE_TURN)]
    agent: Text
    trigger: Trigger
    mental_state: MentalState
    topic: Text
    old: Text
    new: Text
    marker: Text | None

    @property
    def signal(self) -> Signal:
        """How it is signalled, by the marker."""
        return signal_of(self.marker)


class Presumption(Record):
    """Something that ``agent`` will wrongly take for granted, aloud, about a state of ``about``.

    ``corrected`` tells whether ``about``, who has not said how it is, objects in the next turn; or, having said
    otherwise before and left a reason of ``agent``'s for it open, lets it stand.
    """

    agent: Text
    about: Text
    topic: Text
    presumed: Text
    corrected: bool
