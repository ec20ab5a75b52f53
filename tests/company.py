"""Scenarios and turns of several who don't all hear everything, for tests."""

from __future__ import annotations

from dtomtrack.beliefs.dialogue import Expression, Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.scenario import (
    Agent,
    MentalState,
    Personality,
    PlannedAudience,
    Presence,
    Scenario,
    Topic,
)

__all__ = ["NAMES", "TOPIC", "company_scenario", "company_turns"]

NAMES = ("Ada", "Ben", "Cleo")
TOPIC = "bill"
_EVEN = Personality(openness=0.5, conscientiousness=0.5, extraversion=0.5, agreeableness=0.5, neuroticism=0.5)


def company_scenario(**changes: object) -> Scenario:
    """Ada is away at turns 4 and 5; Ada reads the note of turn 6 at turn 8, Ben never; turn 7 is for Cleo alone."""
    parts: dict[str, object] = {
        "domain": "restaurant",
        "context": "Three people plan a dinner.",
        "agents": tuple(Agent(name=name, role="guest", personality=_EVEN, goal="to eat well") for name in NAMES),
        "topics": (
            Topic(
                id=TOPIC,
                label="the bill",
                mental_state=MentalState.INTENTION,
                holder="Cleo",
                values=("pay in cash", "pay by card", "pay by transfer"),
            ),
        ),
        "updates": (),
        "speaking_order": (0, 1, 2, 1, 2, 2, 2, 1, 1),
        "presence": (Presence(agent="Ada", from_turn=4, until_turn=6, reason="another call"),),
        "audiences": (
            PlannedAudience(turn=6, hearers=("Ada", "Ben"), read_at={"Ada": 8, "Ben": None}),
            PlannedAudience(turn=7, hearers=("Cleo",)),
        ),
    }
    return Scenario.model_validate(parts | changes)


def company_turns(scenario: Scenario) -> list[Turn]:
    """Cleo says cash at 2, card at 4 with Ada away, and writes transfer at 6."""
    plans = {2: "pay in cash", 4: "pay by card", 6: "pay by transfer"}
    return [
        Turn(
            index=index,
            speaker=scenario.speaker(index),
            inner_speech=(thought(MentalState.INTENTION, plans[index], TOPIC),) if index in plans else (),
            utterance=f"I'll {plans[index]}." if index in plans else f"Line {index}.",
            audience=() if len(scenario.audience(index)) == len(NAMES) and index != 6 else scenario.audience(index),
            read_at=scenario.read_at(index),
            said=(Expression(topic=TOPIC, content=plans[index]),) if index in plans else None,
        )
        for index in range(9)
    ]
