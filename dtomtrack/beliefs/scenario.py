"""Scenarios: who talks, what each of them knows, and which minds change when (paper, "Scenario and Agent Design")."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Self

from pydantic import Field, model_validator

from dtomtrack.beliefs.company import PlannedAudience, Presence
from dtomtrack.beliefs.divergence import Fact, PlannedDivergence, Way
from dtomtrack.beliefs.mental_state import MentalState, Signal, Trigger
from dtomtrack.beliefs.scenario_parts import (
    FIRST_UPDATE_TURN,
    Agent,
    InitialState,
    Personality,
    PlannedUpdate,
    Presumption,
    Topic,
)
from dtomtrack.beliefs.scenario_rules import check_consistency
from dtomtrack.records import Count, Record, Text

__all__ = [
    "FIRST_UPDATE_TURN",
    "MOST_AGENTS",
    "Agent",
    "Fact",
    "InitialState",
    "MentalState",
    "Personality",
    "PlannedAudience",
    "PlannedDivergence",
    "PlannedUpdate",
    "Presence",
    "Presumption",
    "Scenario",
    "Signal",
    "Topic",
    "Trigger",
    "Way",
]

MOST_AGENTS = 5
"""More than five people nobody keeps apart in a transcript."""


def _omitted_if_empty(value: tuple[object, ...]) -> bool:
    return not value


_OPTIONAL = Field(exclude_if=_omitted_if_empty)


class Scenario(Record):
    """Two to five agents, what each holds and hides, and the changes of mind that are planned.

    Attributes:
        situation: the id of the story, among those of the domain's pack, that frames the talk; None leaves it to
            chance.
        speaking_order: who speaks at each turn, by position among the agents, from the beginning again after its end;
            empty where the agents take turns in their order.
        presence: when somebody is away; where nothing is said, everybody is there.
        audiences: turns that are not for everybody who is there.
        facts: what is so in the world, of topics of which that matters.
        divergences: how minds are planned to come apart.

    What is empty of the last five is not written.
    """

    domain: Text
    context: Text
    situation: Text | None = None
    agents: Annotated[tuple[Agent, ...], Field(min_length=2, max_length=MOST_AGENTS)]
    topics: tuple[Topic, ...]
    updates: tuple[PlannedUpdate, ...]
    presumptions: tuple[Presumption, ...] = ()
    speaking_order: Annotated[tuple[Count, ...], _OPTIONAL] = ()
    presence: Annotated[tuple[Presence, ...], _OPTIONAL] = ()
    audiences: Annotated[tuple[PlannedAudience, ...], _OPTIONAL] = ()
    facts: Annotated[tuple[Fact, ...], _OPTIONAL] = ()
    divergences: Annotated[tuple[PlannedDivergence, ...], _OPTIONAL] = ()

    @cached_property
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

    def is_away(self, agent: str, turn: int) -> bool:
        """Whether an agent is away at a turn."""
        return any(one.agent == agent and one.covers(turn) for one in self.presence)

    def present(self, turn: int) -> tuple[str, ...]:
        """Names of those who are there at a turn, in the order of the agents."""
        return tuple(name for name in self.names if not self.is_away(name, turn))

    def planned_audience(self, turn: int) -> PlannedAudience | None:
        """Whom a turn is for, where it is not for everybody who is there."""
        return self._audience_by_turn.get(turn)

    @cached_property
    def _audience_by_turn(self) -> Mapping[int, PlannedAudience]:
        # asked for each line that anybody has heard, at each turn
        return {one.turn: one for one in reversed(self.audiences)}

    def hears(self, name: str, turn: int) -> bool:
        """Whether a turn reaches somebody at once: they are there and it is for them, or they read the note then."""
        planned = self.planned_audience(turn)
        if planned is None or name == self.speaker(turn):
            return not self.is_away(name, turn)
        return name in planned.hearers and (not planned.is_note or planned.read_at.get(name) == turn)

    def audience(self, turn: int) -> tuple[str, ...]:
        """Names of those who hear a turn or to whom it is written, the speaker among them, in the order of the agents.

        Somebody to whom a note is written is among them, even if it is never read.
        """
        planned = self.planned_audience(turn)
        if planned is None:
            return self.present(turn)
        return tuple(name for name in self.names if name == self.speaker(turn) or name in planned.hearers)

    def read_at(self, turn: int) -> Mapping[str, int | None]:
        """When a note is read, by name; empty of a turn that is said aloud."""
        planned = self.planned_audience(turn)
        return {} if planned is None else planned.read_at

    def topic(self, topic_id: str) -> Topic:
        """The topic with this id; `KeyError` if the scenario has none."""
        for topic in self.topics:
            if topic.id == topic_id:
                return topic
        raise KeyError(topic_id)

    @property
    def truths(self) -> dict[str, str]:
        """By topic, what is so in the world, where that matters."""
        return {fact.topic: fact.truth for fact in self.facts}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        check_consistency(self)
        return self
