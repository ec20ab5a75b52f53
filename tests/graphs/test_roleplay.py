"""The role-play workflow: turns alternate, and what is hidden stays hidden."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.graphs.roleplay import Attempt, Line, PartA, PartB, Workshop, graph, play
from dtomtrack.scenarios.acting.character import Character, Performance
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult

ROOT = Path(__file__).parents[2]


class Eavesdropper:
    """Plays as the scripted actor does, thinks a canary in every turn, and remembers all that it was given."""

    name = "eavesdropper"

    def __init__(self, domain: Domain) -> None:
        self._actor = domain.actor
        self.given: dict[str, list[str]] = {"a": [], "b": []}
        self.thought: dict[str, list[str]] = {"a": [], "b": []}

    async def play(self, character: Character, transcript: Sequence[Line]) -> Performance:
        """The scripted turn, with one more thought."""
        self.given[character.role].append(repr((character, list(transcript))))
        performance = await self._actor.play(character, transcript)
        canary = f"canary {character.role} {len(transcript)}"
        self.thought[character.role].append(canary)
        inner = performance.inner_speech.removesuffix(")") + f" I believe that {canary}.)"
        return Performance(inner, performance.utterance)


def attempt(index: int, length: int = 10, domain: str = "restaurant") -> Attempt:
    return {"domains": [domain], "seed": 3, "index": index, "attempt": 0, "length": length}


@pytest.mark.parametrize("index", range(12))
async def test_no_inner_speech_reaches_the_partner(restaurant: Domain, index: int) -> None:
    spy = Eavesdropper(restaurant)
    outcome = await play(Workshop({"restaurant": restaurant}, actor=spy), attempt(index))
    assert outcome.dialogue is not None
    thought = {speech.text for turn in outcome.dialogue.turns for speech in turn.inner_speech}
    for role, partner in (("a", "b"), ("b", "a")):
        assert len(spy.thought[role]) == 5
        for canary in spy.thought[role]:
            assert f"I believe that {canary}" in thought
            assert not any(canary in given for given in spy.given[partner])


@pytest.mark.parametrize("index", range(12))
async def test_what_changes_a_mind_is_unknown_to_it_until_it_is_told(restaurant: Domain, index: int) -> None:
    spy = Eavesdropper(restaurant)
    outcome = await play(Workshop({"restaurant": restaurant}, actor=spy), attempt(index))
    assert outcome.dialogue is not None
    scenario = outcome.dialogue.scenario
    for update in scenario.updates:
        partner = next(agent for agent in scenario.agents if agent.name != update.agent)
        role = "a" if scenario.agents[0].name == update.agent else "b"
        for secret in partner.private_info:
            told = next((turn.index for turn in outcome.dialogue.turns if secret in turn.utterance), 10)
            before = [given for turn, given in enumerate(spy.given[role]) if 2 * turn + (role == "b") <= told]
            assert before
            assert not any(repr(secret)[1:-1] in given for given in before)


def test_the_agents_input_types_name_neither_turns_nor_the_other_part() -> None:
    assert set(get_type_hints(PartA)) == {"character_a", "transcript"}
    assert set(get_type_hints(PartB)) == {"character_b", "transcript"}


def test_no_thought_is_said_aloud(slots: dict[str, list[SlotResult]]) -> None:
    for slot in slots["restaurant"]:
        assert slot.dialogue is not None
        for turn in slot.dialogue.turns:
            assert "(" not in turn.utterance
            assert not any(speech.text in turn.utterance for speech in turn.inner_speech if speech.order == 2)


@pytest.mark.parametrize("length", [6, 7, 10, 23, 60])
async def test_agents_take_turns_from_greeting_to_close(restaurant: Domain, length: int) -> None:
    outcome = await play(Workshop({"restaurant": restaurant}), attempt(1, length))
    assert outcome.dialogue is not None
    turns, agents = outcome.dialogue.turns, outcome.dialogue.scenario.agents
    assert [turn.speaker for turn in turns] == [agents[index % 2].name for index in range(length)]
    assert [turn.index for turn in turns] == list(range(length))
    assert all(_prefixed(turn) for turn in turns)


def _prefixed(turn: Turn) -> bool:
    prefixes = ("I believe that ", "I will ", "I want ", "I feel ", "I know ", "I think that ")
    return bool(turn.inner_speech) and all(speech.text.startswith(prefixes) for speech in turn.inner_speech)


async def test_a_scenario_that_cannot_be_played_is_rejected_with_its_reason(
    restaurant: Domain, slots: dict[str, list[SlotResult]]
) -> None:
    dialogue = slots["restaurant"][0].dialogue
    assert dialogue is not None
    foreign = dialogue.scenario.topics[0].model_copy(update={"id": "foreign", "mental_state": MentalState.BELIEF})
    scenario = dialogue.scenario.model_copy(update={"topics": (foreign,), "updates": (), "presumptions": ()})
    outcome = await play(Workshop({"restaurant": restaurant}, {0: scenario}), attempt(0))
    assert outcome.dialogue is None
    assert outcome.rejections[0].stage == "scenario"
    assert "'foreign' is not in the pack" in outcome.rejections[0].detail


def test_studio_finds_the_workflow() -> None:
    named = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
    for name, place in named.items():
        path, _, attribute = place.partition(":")
        assert (ROOT / path).is_file()
        module = import_module(f"dtomtrack.{path.removeprefix('./').removesuffix('.py').replace('/', '.')}")
        assert getattr(module, attribute).name == name


async def test_studio_needs_no_context() -> None:
    state = await graph.ainvoke({"attempt": attempt(0, domain="travel")}, {"recursion_limit": 20})
    assert state["outcome"].dialogue.domain == "travel"
