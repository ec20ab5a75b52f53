"""Scenarios: who talks, what each of them knows, and which minds change when (paper, "Scenario and Agent Design")."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from dtomtrack.records import Record, Text

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
    """What makes a mind change (paper, "Belief Update Instruction")."""

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
    """What an agent holds before the first turn."""

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
    """Two agents, what each holds and hides, and the changes of mind that are planned.

    Agent A (``agents[0]``) speaks on even turns, agent B on odd ones, counted from 0. ``situation`` is the id of the
    story, among those of the domain's pack, that frames the talk; None leaves it to chance.
    """

    domain: Text
    context: Text
    situation: Text | None = None
    agents: Annotated[tuple[Agent, ...], Field(min_length=2, max_length=2)]
    topics: tuple[Topic, ...]
    updates: tuple[PlannedUpdate, ...]
    presumptions: tuple[Presumption, ...] = ()

    def speaker(self, turn: int) -> str:
        """Name of the agent whose turn it is."""
        return self.agents[turn % len(self.agents)].name

    def partner(self, agent: str) -> str:
        """Name of the other agent."""
        return next(other.name for other in self.agents if other.name != agent)

    def topic(self, topic_id: str) -> Topic:
        """The topic with this id; `KeyError` if the scenario has none."""
        for topic in self.topics:
            if topic.id == topic_id:
                return topic
        raise KeyError(topic_id)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [agent.name for agent in self.agents]
        if len(set(names)) != len(names):
            raise ValueError(f"two agents are called {names[0]!r}; give each a name of its own")
        topics = {topic.id: topic for topic in self.topics}
        if len(topics) != len(self.topics):
            raise ValueError("two topics have the same id")
        for topic in self.topics:
            if topic.holder not in names:
                raise ValueError(f"topic {topic.id!r} is held by {topic.holder!r}, who is no agent of the scenario")
        for update in self.updates:
            _check_update(update, self, topics.get(update.topic))
        for presumption in self.presumptions:
            _check_presumption(presumption, topics.get(presumption.topic))
        return self


def _check_update(update: PlannedUpdate, scenario: Scenario, topic: Topic | None) -> None:
    where = f"update at turn {update.turn}"
    if topic is None:
        raise ValueError(f"{where}: no topic {update.topic!r} in the scenario")
    if topic.holder != update.agent:
        raise ValueError(f"{where}: {topic.id!r} is held by {topic.holder!r}, not by {update.agent!r}")
    if scenario.speaker(update.turn) != update.agent:
        raise ValueError(
            f"{where}: that is not a turn of {update.agent!r} (agent A speaks on even turns, B on odd ones)"
        )
    if topic.mental_state != update.mental_state:
        raise ValueError(f"{where}: {topic.id!r} is a {topic.mental_state}, not a {update.mental_state}")
    if update.old == update.new:
        raise ValueError(f"{where}: old and new are the same")
    for content in (update.old, update.new):
        if content not in topic.values:
            raise ValueError(f"{where}: {content!r} is no value of topic {topic.id!r}")


def _check_presumption(presumption: Presumption, topic: Topic | None) -> None:
    where = f"presumption of {presumption.agent!r}"
    if topic is None or topic.holder != presumption.about:
        raise ValueError(f"{where}: {presumption.about!r} holds no topic {presumption.topic!r}")
    if presumption.agent == presumption.about:
        raise ValueError(f"{where}: one presumes things about the other agent, not about oneself")
    if presumption.presumed not in topic.values:
        raise ValueError(f"{where}: {presumption.presumed!r} is no value of topic {topic.id!r}")
