"""The role-play workflow: turns alternate, and what is hidden stays hidden."""

from __future__ import annotations

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.next_turn import AgentTurn
from dtomtrack.graphs.roleplay import AgentInput, Attempt, graph, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.character import Character, Heard, Performance
from dtomtrack.scenarios.difficulty import Difficulty, preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import Move
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.verifier import ReviewedAttempt

ROOT = Path(__file__).parents[2]
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
"""Where an object lies, in what Python prints of it."""


class Eavesdropper:
    """Plays as the scripted actor does, thinks a canary in every turn, and remembers all that it was given."""

    name = "eavesdropper"

    def __init__(self, domain: Domain) -> None:
        self._actor = domain.actor
        self.given: dict[str, dict[int, str]] = defaultdict(dict)
        self.thought: dict[str, list[str]] = defaultdict(list)

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The scripted turn, with one more thought."""
        self.given[character.role][turn] = _ADDRESS.sub("", repr((character, turn, list(heard))))
        performance = await self._actor.play(character, turn, heard)
        canary = f"canary {character.role} {turn}"
        self.thought[character.role].append(canary)
        inner = performance.inner_speech.removesuffix(")") + f" I believe that {canary}.)"
        return Performance(inner, performance.utterance)


def attempt(index: int, length: int = 10, domain: str = "restaurant") -> Attempt:
    return {"domains": [domain], "seed": 3, "index": index, "attempt": 0, "length": length}


@pytest.mark.parametrize("index", range(12))
async def test_no_inner_speech_reaches_anybody(restaurant: Domain, index: int) -> None:
    spy = Eavesdropper(restaurant)
    reviewed = await play(RoleplayContext({"restaurant": restaurant}, actor=spy), attempt(index))
    assert reviewed.dialogue is not None
    thought = {speech.text for turn in reviewed.dialogue.turns for speech in turn.inner_speech}
    for role in "ab":
        assert len(spy.thought[role]) == 5
        for canary in spy.thought[role]:
            assert f"I believe that {canary}" in thought
            assert not any(canary in given for part in spy.given.values() for given in part.values())


@pytest.mark.parametrize("index", range(12))
async def test_what_changes_a_mind_is_unknown_to_it_until_it_is_told(restaurant: Domain, index: int) -> None:
    spy = Eavesdropper(restaurant)
    reviewed = await play(RoleplayContext({"restaurant": restaurant}, actor=spy), attempt(index))
    assert reviewed.dialogue is not None
    scenario = reviewed.dialogue.scenario
    for update in scenario.updates:
        partner = next(agent for agent in scenario.agents if agent.name != update.agent)
        role = "a" if scenario.agents[0].name == update.agent else "b"
        for secret in partner.private_info:
            told = next((turn.index for turn in reviewed.dialogue.turns if secret in turn.utterance), 10)
            before = [given for turn, given in spy.given[role].items() if turn <= told]
            assert before
            assert not any(repr(secret)[1:-1] in given for given in before)


class Hesitant:
    """Keeps everything, after a while."""

    name = "hesitant"

    async def verify(self, attempt: ReviewedAttempt) -> ReviewedAttempt:
        """The attempt as it is."""
        await asyncio.sleep(0.001)
        return attempt


@pytest.mark.parametrize("index", range(4))
async def test_what_never_waits_is_played_at_once_and_is_the_same(restaurant: Domain, index: int) -> None:
    context = RoleplayContext({"restaurant": restaurant})
    waiting = replace(context, verifiers=(*context.verifiers, Hesitant()))
    others: list[str] = []
    asyncio.get_running_loop().call_soon(others.append, "had their turn")
    at_once = await play(context, attempt(index))
    assert others == []
    assert at_once == await play(waiting, attempt(index))
    assert others


class Overheard(Domain):
    """A domain whose own scripted actor is the eavesdropper."""

    @cached_property
    def spy(self) -> Eavesdropper:
        """All that it was given."""
        return Eavesdropper(Domain(self.pack))

    @property
    def actor(self) -> Any:
        """The actor of this domain."""
        return self.spy


@pytest.mark.parametrize("name", ["paper", "group"])
@pytest.mark.parametrize("index", range(3))
async def test_at_once_each_turn_is_given_what_it_is_in_a_step_of_its_own(name: str, index: int) -> None:
    pack, difficulty = load_pack(find_pack("family")), preset(name)
    at_once, in_steps = Overheard(pack), Overheard(pack)
    once = RoleplayContext({"family": at_once}, difficulty=difficulty)
    steps = RoleplayContext({"family": in_steps}, actor=in_steps.spy, difficulty=difficulty)
    assert once.never_waits
    assert not steps.never_waits
    await play(once, attempt(index, 24, "family"))
    await play(steps, attempt(index, 24, "family"))
    given = [text for turns in at_once.spy.given.values() for text in turns.values()]
    assert len(given) == 24
    assert at_once.spy.given == in_steps.spy.given
    assert not any(" canary " in text for text in given)


def test_the_agents_input_type_names_one_part_and_what_it_heard() -> None:
    assert get_type_hints(AgentInput) == {"next_turn": AgentTurn}
    assert {field.name for field in fields(AgentTurn)} == {"part", "turn", "heard"}
    assert {field.name for field in fields(Heard)} == {"turn", "speaker", "text", "to", "note"}


def test_no_thought_is_said_aloud(slots: dict[str, list[SlotResult]]) -> None:
    for slot in slots["restaurant"]:
        assert slot.dialogue is not None
        for turn in slot.dialogue.turns:
            assert "(" not in turn.utterance
            assert not any(speech.text in turn.utterance for speech in turn.inner_speech if speech.order == 2)


@pytest.mark.parametrize("length", [6, 7, 10, 23, 60])
async def test_agents_take_turns_from_greeting_to_close(restaurant: Domain, length: int) -> None:
    reviewed = await play(RoleplayContext({"restaurant": restaurant}), attempt(1, length))
    assert reviewed.dialogue is not None
    turns, agents = reviewed.dialogue.turns, reviewed.dialogue.scenario.agents
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
    reviewed = await play(RoleplayContext({"restaurant": restaurant}, {0: scenario}), attempt(0))
    assert reviewed.dialogue is None
    assert reviewed.rejections[0].stage == "scenario"
    assert "'foreign' is not in the pack" in reviewed.rejections[0].detail


class Noting(Eavesdropper):
    """Notes how many weighty things it is asked for at each turn."""

    def __init__(self, domain: Domain) -> None:
        super().__init__(domain)
        self.asked: dict[int, int] = {}

    async def play(self, character: Character, turn: int, heard: Sequence[Heard]) -> Performance:
        """The scripted turn."""
        weighty = {Move.VOICE, Move.UPDATE, Move.PRESUME, Move.REVEAL}
        self.asked[turn] = sum(one.move in weighty for one in character.directions[turn])
        return await super().play(character, turn, heard)


@pytest.mark.parametrize("index", range(12))
async def test_a_scenario_of_ones_own_asks_one_thing_a_turn_of_actors_that_can_do_no_more(
    restaurant: Domain, index: int
) -> None:
    difficulty = Difficulty().with_one_thing_a_turn()
    own = sample_scenario(restaurant.pack, slot_at(3, index, ["restaurant"]), 0, 24, difficulty).scenario
    actor = Noting(restaurant)
    await play(
        RoleplayContext({"restaurant": restaurant}, {index: own}, actor=actor, difficulty=difficulty),
        attempt(index, 24),
    )
    assert len(actor.asked) == 24
    assert max(actor.asked.values()) == 1


def test_studio_finds_the_workflow() -> None:
    named = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
    for name, place in named.items():
        path, _, attribute = place.partition(":")
        assert (ROOT / path).is_file()
        module = import_module(f"dtomtrack.{path.removeprefix('./').removesuffix('.py').replace('/', '.')}")
        assert getattr(module, attribute).name == name


async def test_studio_needs_no_context() -> None:
    state = await graph.ainvoke({"attempt": attempt(0, domain="travel")}, {"recursion_limit": 20})
    assert state["reviewed"].dialogue.domain == "travel"
