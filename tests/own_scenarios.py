"""Scenarios as somebody writes them by hand, with the words of a pack."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.scenario import (
    Agent,
    InitialState,
    Personality,
    PlannedUpdate,
    Scenario,
    Topic,
    Trigger,
)
from dtomtrack.scenarios.pack import DomainPack, PackTopic

__all__ = ["agent", "as_topic", "change", "first_topic", "in_company", "scenario"]

NAMES = {"a": "Maya", "b": "Ben"}
EVEN = Personality(openness=0.5, conscientiousness=0.5, extraversion=0.5, agreeableness=0.5, neuroticism=0.5)


def agent(letter: str, topics: Sequence[PackTopic]) -> Agent:
    states = tuple(
        InitialState(mental_state=topic.state, topic=topic.id, content=topic.clauses[0])
        for topic in topics
        if topic.holder == letter
    )
    return Agent(
        name=NAMES[letter],
        role="guest",
        personality=EVEN,
        goal="to be heard",
        private_info=("the cat is out",),
        initial_states=states,
    )


def as_topic(topic: PackTopic) -> Topic:
    return Topic(
        id=topic.id, label=topic.label, mental_state=topic.state, holder=NAMES[topic.holder], values=topic.clauses
    )


def change(topic: PackTopic, turn: int, old: int = 0, new: int = 1) -> PlannedUpdate:
    return PlannedUpdate(
        turn=turn,
        agent=NAMES[topic.holder],
        trigger=Trigger.NEW_INFORMATION,
        mental_state=topic.state,
        topic=topic.id,
        old=topic.clauses[old],
        new=topic.clauses[new],
        marker="second_thought",
    )


def scenario(pack: DomainPack, *updates: PlannedUpdate) -> Scenario:
    """A scenario on the first topic of each agent in which everybody holds the first value at first."""
    topics = [next(topic for topic in pack.topics if topic.holder == letter) for letter in "ab"]
    return Scenario(
        domain=pack.name,
        context="They talk.",
        agents=(agent("a", topics), agent("b", topics)),
        topics=tuple(as_topic(topic) for topic in topics),
        updates=updates,
    )


def first_topic(pack: DomainPack, holder: str) -> PackTopic:
    return next(topic for topic in pack.topics if topic.holder == holder)


def in_company(pack: DomainPack, **changes: object) -> Scenario:
    """A scenario among Maya, Ben and Ann, who speak in turn."""
    own = scenario(pack, change(first_topic(pack, "b"), 7)).model_dump()
    ann = own["agents"][0] | {"name": "Ann", "initial_states": ()}
    return Scenario.model_validate(own | {"agents": (*own["agents"], ann)} | changes)
