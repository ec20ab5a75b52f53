"""Scenarios: who talks, what each of them knows, and which minds change when (paper, "Scenario and Agent Design")."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from dtomtrack.records import Count, Record, Text

__all__ = [
    "FIRST_UPDATE_TURN",
    "Agent",
    "InitialState",
    "MentalState",
    "Personality",
    "PlannedUpdate",
    "Presumption",
    "Scenario",
    "Topic",
    "Trigger",
]

FIRST_UPDATE_TURN = 4
"""No mind changes earlier (paper, Table 1: "Plan belief updates at turn 4 or later")."""


class MentalState(StrEnum):
    """The five kinds of mental state that are tracked."""

    BELIEF = "belief"
    INTENTION = "intention"
    DESIRE = "desire"
    EMOTION = "emotion"
    KNOWLEDGE = "knowledge"


class Trigger(StrEnum):
    """The occasion for a mind to change (paper, "Belief Update Instruction")."""

    CORRECTION = "correction"
    NEW_INFORMATION = "new_information"
    CONTRADICTION = "contradiction"
    GOAL_SHIFT = "goal_shift"


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
    """Something that one agent holds a mental state about.

    Attributes:
        label: noun phrase that questions use ("the seating").
        holder: name of the agent whose state it is.
        values: mutually exclusive contents, each completing the inner-speech prefix of the mental state.
    """

    id: Text
    label: Text
    mental_state: MentalState
    holder: Text
    values: Annotated[tuple[Text, ...], Field(min_length=2)]


class PlannedUpdate(Record):
    """A change of mind that has to happen at one turn (paper, "Controlled Belief Injection")."""

    turn: Annotated[int, Field(ge=FIRST_UPDATE_TURN)]
    agent: Text
    trigger: Trigger
    mental_state: MentalState
    topic: Text
    old: Text
    new: Text
    marker: Text


class Presumption(Record):
    """Something that ``agent`` will wrongly take for granted, aloud, about a state of ``about``.

    ``corrected`` tells whether ``about`` objects in the next turn or, having said otherwise before, lets it stand.
    """

    agent: Text
    about: Text
    topic: Text
    presumed: Text
    corrected: bool


class Scenario(Record):
    """Two or more agents, what each holds and hides, and the changes of mind that are planned.

    Attributes:
        situation: the id of the story, among those of the domain's pack, that frames the talk; None leaves it to
            chance.
        speaking_order: who speaks at each turn, by position among the agents, from the beginning again after its end;
            empty where the agents take turns in their order. Where it is empty, it is not written.
    """

    domain: Text
    context: Text
    situation: Text | None = None
    agents: Annotated[tuple[Agent, ...], Field(min_length=2)]
    topics: tuple[Topic, ...]
    updates: tuple[PlannedUpdate, ...]
    presumptions: tuple[Presumption, ...] = ()
    speaking_order: Annotated[tuple[Count, ...], Field(exclude_if=lambda order: not order)] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the agents, in their order."""
        return tuple(agent.name for agent in self.agents)

    def speaker(self, turn: int) -> str:
        """Name of the agent whose turn it is; turns count from 0."""
        return self.agents[self.speaks_at(turn)].name

    def speaks_at(self, turn: int) -> int:
        """Position of the agent whose turn it is."""
        if self.speaking_order:
            return self.speaking_order[turn % len(self.speaking_order)]
        return turn % len(self.agents)

    def others(self, agent: str) -> tuple[str, ...]:
        """Names of the agents that this one talks to."""
        return tuple(name for name in self.names if name != agent)

    def topic(self, topic_id: str) -> Topic:
        """The topic with this id; `KeyError` if the scenario has none."""
        for topic in self.topics:
            if topic.id == topic_id:
                return topic
        raise KeyError(topic_id)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = self.names
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"two agents are called {twice!r}; give each a name of its own")
        if any(position >= len(names) for position in self.speaking_order):
            raise ValueError(f"speaking_order names agents by position, from 0 to {len(names) - 1}")
        topics = {topic.id: topic for topic in self.topics}
        if len(topics) != len(self.topics):
            raise ValueError("two topics have the same id")
        for topic in self.topics:
            if topic.holder not in names:
                raise ValueError(f"topic {topic.id!r} is held by {topic.holder!r}, who is no agent of the scenario")
        for update in self.updates:
            _check_update(update, self, topics.get(update.topic))
        for presumption in self.presumptions:
            _check_presumption(presumption, names, topics.get(presumption.topic))
        return self


def _check_update(update: PlannedUpdate, scenario: Scenario, topic: Topic | None) -> None:
    where = f"update at turn {update.turn}"
    if topic is None:
        raise ValueError(f"{where}: no topic {update.topic!r} in the scenario")
    if topic.holder != update.agent:
        raise ValueError(f"{where}: {topic.id!r} is held by {topic.holder!r}, not by {update.agent!r}")
    if (speaker := scenario.speaker(update.turn)) != update.agent:
        raise ValueError(f"{where}: that is not a turn of {update.agent!r}; {speaker!r} speaks then")
    if topic.mental_state != update.mental_state:
        raise ValueError(f"{where}: {topic.id!r} is a {topic.mental_state}, not a {update.mental_state}")
    if update.old == update.new:
        raise ValueError(f"{where}: old and new are the same")
    for content in (update.old, update.new):
        if content not in topic.values:
            raise ValueError(f"{where}: {content!r} is no value of topic {topic.id!r}")


def _check_presumption(presumption: Presumption, names: Sequence[str], topic: Topic | None) -> None:
    where = f"presumption of {presumption.agent!r}"
    if presumption.agent not in names:
        raise ValueError(f"{where}: that is no agent of the scenario")
    if topic is None or topic.holder != presumption.about:
        raise ValueError(f"{where}: {presumption.about!r} holds no topic {presumption.topic!r}")
    if presumption.agent == presumption.about:
        raise ValueError(f"{where}: one presumes things about another agent, not about oneself")
    if presumption.presumed not in topic.values:
        raise ValueError(f"{where}: {presumption.presumed!r} is no value of topic {topic.id!r}")
