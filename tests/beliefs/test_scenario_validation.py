"""A scenario that does not hang together is refused, with the place and the reason."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, Scenario

Fields = dict[str, Any]

TRAITS = {"openness": 0.1, "conscientiousness": 0.2, "extraversion": 0.3, "agreeableness": 1, "neuroticism": 0}


def agent(name: str) -> Fields:
    return {"name": name, "role": "guest", "personality": dict(TRAITS), "goal": "to dine"}


GOOD: Fields = {
    "domain": "restaurant",
    "context": "They talk.",
    "agents": [agent("Maya"), agent("Ben")],
    "topics": [
        {
            "id": "seating",
            "label": "the seating",
            "mental_state": "desire",
            "holder": "Maya",
            "values": ["a corner", "the terrace", "two stools"],
        },
        {
            "id": "diet",
            "label": "the diet",
            "mental_state": "knowledge",
            "holder": "Ben",
            "values": ["nuts are fine", "nuts are out"],
        },
    ],
    "updates": [
        {
            "turn": 6,
            "agent": "Maya",
            "trigger": "new_information",
            "mental_state": "desire",
            "topic": "seating",
            "old": "a corner",
            "new": "the terrace",
            "marker": "wait",
        }
    ],
    "presumptions": [{"agent": "Maya", "about": "Ben", "topic": "diet", "presumed": "nuts are out", "corrected": True}],
}


def changed(change: Callable[[Fields], object]) -> Fields:
    fields = copy.deepcopy(GOOD)
    change(fields)
    return fields


def test_a_scenario_that_hangs_together_is_accepted() -> None:
    scenario = Scenario.model_validate(GOOD)
    assert [scenario.speaker(turn) for turn in range(4)] == ["Maya", "Ben", "Maya", "Ben"]
    assert (scenario.others("Maya"), scenario.others("Ben")) == (("Ben",), ("Maya",))
    assert scenario.topic("diet").holder == "Ben"


def test_a_topic_that_a_scenario_does_not_have_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="weather"):
        Scenario.model_validate(GOOD).topic("weather")


FAULTS: dict[str, tuple[Callable[[Fields], object], str]] = {
    "same name": (lambda s: s["agents"][1].update(name="Maya"), "two agents are called 'Maya'"),
    "one agent": (lambda s: s["agents"].pop(), "at least 2 items"),
    "speaker nobody": (lambda s: s.update(speaking_order=[0, 1, 2]), "agents by position, from 0 to 1"),
    "speaker before the first": (lambda s: s.update(speaking_order=[-1]), "greater than or equal to 0"),
    "same topic": (lambda s: s["topics"][1].update(id="seating"), "two topics have the id 'seating'"),
    "strange holder": (lambda s: s["topics"][1].update(holder="Zoe"), "'diet' is held by 'Zoe', who is no agent"),
    "one value": (lambda s: s["topics"][0].update(values=["a corner"]), "at least 2 items"),
    "trait": (lambda s: s["agents"][0]["personality"].update(openness=1.5), "less than or equal to 1"),
    "no topic": (lambda s: s["updates"][0].update(topic="music"), "update at turn 6: no topic 'music'"),
    "other's topic": (
        lambda s: s["updates"][0].update(topic="diet"),
        "update at turn 6: 'diet' is held by 'Ben', not by 'Maya'",
    ),
    "other's turn": (lambda s: s["updates"][0].update(turn=7), "update at turn 7: that is not a turn of 'Maya'"),
    "too early": (lambda s: s["updates"][0].update(turn=2), f"greater than or equal to {FIRST_UPDATE_TURN}"),
    "other state": (
        lambda s: s["updates"][0].update(mental_state="emotion"),
        "update at turn 6: 'seating' is a matter of desire, not of emotion",
    ),
    "no change": (
        lambda s: s["updates"][0].update(new="a corner"),
        "update at turn 6: old and new are the same; change",
    ),
    "strange new": (lambda s: s["updates"][0].update(new="the bar"), "'the bar' is no value of topic 'seating'"),
    "strange old": (lambda s: s["updates"][0].update(old="the bar"), "'the bar' is no value of topic 'seating'"),
    "strange trigger": (lambda s: s["updates"][0].update(trigger="whim"), "'correction', 'new_information'"),
    "presumed topic": (
        lambda s: s["presumptions"][0].update(topic="seating"),
        "presumption of 'Maya': 'Ben' holds no topic 'seating'",
    ),
    "presumed of oneself": (
        lambda s: s["presumptions"][0].update(agent="Ben"),
        "one presumes things about another agent, not about oneself",
    ),
    "presumed by a stranger": (
        lambda s: s["presumptions"][0].update(agent="Zoe"),
        "presumption of 'Zoe': that is no agent of the scenario",
    ),
    "presumed value": (
        lambda s: s["presumptions"][0].update(presumed="nuts are great"),
        "'nuts are great' is no value of topic 'diet'",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_scenario_with_a_fault_is_refused_with_the_reason(fault: str) -> None:
    change, message = FAULTS[fault]
    with pytest.raises(ValidationError) as error:
        Scenario.model_validate(changed(change))
    assert message in error.value.errors()[0]["msg"]


def test_minds_may_change_at_turn_four() -> None:
    fields = changed(lambda s: s["updates"][0].update(turn=FIRST_UPDATE_TURN))
    assert FIRST_UPDATE_TURN == 4
    assert Scenario.model_validate(fields).updates[0].turn == 4


def test_three_agents_take_turns_in_their_order() -> None:
    fields = changed(lambda s: s["agents"].append(agent("Zoe")))
    scenario = Scenario.model_validate(fields)
    assert [scenario.speaker(turn) for turn in range(7)] == ["Maya", "Ben", "Zoe", "Maya", "Ben", "Zoe", "Maya"]
    assert scenario.others("Ben") == ("Maya", "Zoe")


def test_a_speaking_order_says_whose_turn_it_is_and_begins_again_after_its_end() -> None:
    fields = changed(lambda s: s["agents"].append(agent("Zoe")))
    scenario = Scenario.model_validate({**fields, "speaking_order": [0, 2, 0, 1]})
    assert [scenario.speaker(turn) for turn in range(8)] == ["Maya", "Zoe", "Maya", "Ben"] * 2


def test_an_update_has_to_be_at_a_turn_of_the_speaking_order() -> None:
    with pytest.raises(ValidationError, match="update at turn 6: that is not a turn of 'Maya'; 'Ben' speaks then"):
        Scenario.model_validate({**GOOD, "speaking_order": [1, 0, 0]})
    assert Scenario.model_validate({**GOOD, "speaking_order": [0, 0, 1]}).speaker(6) == "Maya"


def test_a_speaking_order_is_written_only_where_there_is_one() -> None:
    plain = Scenario.model_validate(GOOD)
    assert "speaking_order" not in plain.model_dump()
    assert "speaking_order" not in plain.model_dump_json()
    ordered = Scenario.model_validate({**GOOD, "speaking_order": [0, 1]})
    assert ordered.model_dump()["speaking_order"] == (0, 1)
    assert Scenario.model_validate_json(ordered.model_dump_json()) == ordered
    assert Scenario.model_validate_json(plain.model_dump_json()) == plain
