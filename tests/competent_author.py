"""A "language model" for tests that writes scenarios as it is told to: one at a time or a little at a time.

It knows nothing but the prompt, so that a prompt that leaves out what an author has to know fails the tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["good_draft", "schema_title", "write_piece"]

THINGS = [
    "lantern", "bicycle", "curtain", "kettle", "ladder", "blanket", "trumpet", "wagon", "mirror", "basket", "anchor",
    "pillow", "bucket", "saddle", "banner", "goblet",
]  # fmt: skip
COLOURS = ["crimson", "emerald", "golden", "violet", "silver", "scarlet"]
FEELINGS = ["nervous", "relieved", "curious", "grumpy", "cheerful", "hopeful"]
STATES = {
    "believes that": "belief",
    "will": "intention",
    "wants": "desire",
    "feels": "emotion",
    "knows that": "knowledge",
}


def content(state: str, thing: str, number: int) -> str:
    """One of six contents."""
    colour = COLOURS[number]
    return {
        "belief": f"the {thing} is {colour}",
        "intention": f"paint the {thing} {colour}",
        "desire": f"to have a {colour} {thing}",
        "emotion": f"{FEELINGS[number]} about the {thing}",
        "knowledge": f"the {thing} is {colour}",
    }[state]


def fact(thing: str) -> str:
    """What speaks for a change of mind about a thing."""
    return f"Somebody has seen the {thing} this morning."


def other_fact(thing: str) -> str:
    """What speaks for changing back."""
    return f"A guest took another {thing} for it, far from here."


def schema_title(request: Mapping[str, Any]) -> str:
    """Which record a request asks for."""
    title: str = request["response_format"]["json_schema"]["schema"]["title"]
    return title


# -- a whole scenario ------------------------------------------------------------------------------------------------


def good_draft(text: str) -> dict[str, Any]:
    """A whole scenario that keeps to everything the prompt says."""
    return {
        "context": "Marta and Ole stand in an auction hall. They talk about old things.",
        "agent_a": _agent("Marta", "buyer", "The buyer has only forty coins left."),
        "agent_b": _agent("Ole", "auctioneer", "The hall closes for good next week."),
        "planned_belief_changes": [*_changes(text)],
        "steady_states": [
            _steady(THINGS[-1 - number], agent, state) for number, (agent, state) in enumerate(_steady_plan(text))
        ],
    }


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match is not None, f"the prompt does not say {pattern!r}"
    return match[1]


def _agent(name: str, role: str, secret: str) -> dict[str, Any]:
    traits = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")
    personality = dict.fromkeys(traits, 0.5)
    return {"name": name, "role": role, "personality": personality, "private_info": secret, "goal": "a fair price"}


def _changes(text: str) -> Iterator[dict[str, Any]]:
    changed: dict[str, str] = {}
    planned = r"agent ([ab]) at turn (\d+) \((\w+)(?:, back from the change at turn (\d+))?\)"
    for number, (agent, turn, state, back_from) in enumerate(re.findall(planned, text)):
        changed[turn] = thing = changed.get(back_from, THINGS[number])
        old, new = (1, 0) if back_from else (0, 1)
        yield {
            "turn": int(turn),
            "agent": agent,
            "trigger_type": "new_information",
            "mental_state": state,
            "topic": f"the {thing}",
            "old_belief": content(state, thing, old),
            "new_belief": content(state, thing, new),
            "fact": other_fact(thing) if back_from else fact(thing),
            "others": [content(state, thing, other) for other in (2, 3, 4)],
        }


def _steady_plan(text: str) -> list[tuple[str, str]]:
    planned = re.findall(r"agent ([ab]) \((\w+)\)", _found(r"Agents that leave enough room: (.*)", text))
    assert len(planned) == int(_found(r"Exactly (\d+) steady states", text))
    return planned


def _steady(thing: str, agent: str, state: str) -> dict[str, Any]:
    return {
        "agent": agent,
        "mental_state": state,
        "topic": f"the {thing}",
        "state": content(state, thing, 0),
        "wrong_assumption": content(state, thing, 1),
        "others": [content(state, thing, other) for other in (2, 3)],
    }


# -- a little at a time ----------------------------------------------------------------------------------------------


def write_piece(request: Mapping[str, Any]) -> str:
    """The answer to any request of either style."""
    text = request["messages"][0]["content"]
    match schema_title(request):
        case "ScenarioOutput":
            piece = good_draft(text)
        case "NamesOutput":
            piece = {"name_a": "Marta", "name_b": "Ole"}
        case "SettingOutput":
            piece = {
                "context": "An auction hall on a rainy day.",
                "goal_a": "to buy something old",
                "secret_a": "The buyer has only forty coins left.",
                "goal_b": "to sell everything",
                "secret_b": "The hall closes for good next week.",
            }
        case "MindOutput":
            thing, state = _new_thing(text), _state(text)
            piece = {
                "topic": f"the {thing}",
                "old": content(state, thing, 0),
                "fact": fact(thing),
                "new": content(state, thing, 1),
            }
        case "ReasonOutput":
            piece = {"fact": other_fact(_found(r"It is about \"the (\w+)\"", text))}
        case "StateOutput":
            thing = _new_thing(text)
            piece = {"topic": f"the {thing}", "state": content(_state(text), thing, 0)}
        case "OthersOutput":
            thing, state = _found(r"This is about \"the (\w+)\"", text), _state(text)
            every = [content(state, thing, number) for number in range(6)]
            piece = {"others": [one for one in every if f'"{one}"' not in text][:4]}
        case other:
            raise AssertionError(f"nobody writes a {other}")
    return json.dumps(piece)


def _state(text: str) -> str:
    verb = _found(rf"(?:completes?|complete) \"\w[\w' -]*? ({'|'.join(STATES)}) \.\.\.\"", text)
    return STATES[verb]


def _new_thing(text: str) -> str:
    return next(thing for thing in THINGS if f"the {thing}" not in text)
