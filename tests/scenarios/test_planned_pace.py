"""Deceit and pace of what is planned: who is lied to, who tells of whose life, and what comes when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import PRESETS
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.planning.plan import plan_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move, Script

IDLE = {Move.SMALL_TALK, Move.ANSWER_SMALL_TALK, Move.ASIDE}
Plans = dict[str, list[DirectedScenario]]


def planned(domain: Domain, preset: str, count: int) -> list[DirectedScenario]:
    """The first so many planned dialogues of a domain."""
    difficulty = PRESETS[preset]
    slots = [slot_at(3, index, [domain.pack.name]) for index in range(count)]
    return [plan_scenario(domain.pack, slot, 0, difficulty.turns, difficulty) for slot in slots]


@pytest.fixture(scope="module")
def long(domains: dict[str, Domain]) -> Plans:
    """Long dialogues, by domain."""
    return {name: planned(domains[name], "extreme", 5) for name in ("family", "medical")}


def directed(one: DirectedScenario, *moves: Move) -> Iterator[tuple[int, Direction]]:
    """The directions of these moves, each with its turn."""
    for turn, directions in enumerate(one.script):
        yield from ((turn, direction) for direction in directions if direction.move in moves)


def spoken_to(domain: Domain, topic: PackTopic, scenario: Scenario, holder: str) -> list[str]:
    """Those on the other side to whom the lines of a topic are said."""
    sides = ["a", "b", *(one.side for one in domain.pack.people)]
    side_of = {agent.name: side for agent, side in zip(scenario.agents, sides, strict=False)}
    across = [name for name, side in side_of.items() if side != side_of[holder]]
    return across[:1] if topic.partners == "first" else across


# -- deceit ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["medical", "restaurant", "travel"])
def test_nobody_lies_to_who_has_a_part_in_what_it_is_about(name: str, domains: dict[str, Domain]) -> None:
    lies = 0
    for preset, count in (("group", 30), ("hard", 15)):
        for one in planned(domains[name], preset, count):
            for turn, lie in directed(one, Move.MISLEAD):
                topic = domains[name].pack.topic(lie.topic)
                deceived = set(one.scenario.audience(turn)) - {lie.holder}
                if topic.state is not MentalState.EMOTION and not topic.shared:
                    assert deceived.isdisjoint(spoken_to(domains[name], topic, one.scenario, lie.holder))
                lies += 1
    assert lies > 10


def test_untruths_come_now_soon_and_now_later_and_not_all_of_them_are_asked_for(long: Plans) -> None:
    asked: Counter[bool] = Counter()
    after: Counter[int] = Counter()
    for one in long["family"]:
        announced: dict[tuple[str, str], int] = {}
        for turn, direction in directed(one, Move.DISCREET, Move.MISLEAD):
            state = direction.holder, direction.topic
            if direction.move is Move.DISCREET:
                announced[state] = turn
                continue
            before = one.script[turn - 1]
            asked[any(step.move is Move.WONDER and step.topic == direction.topic for step in before)] += 1
            after[turn - announced.pop(state)] += 1
        assert not announced
    assert min(asked[True], asked[False]) > asked.total() / 5
    assert after.most_common(1)[0][1] < after.total() / 3
    assert max(after) > 6


# -- whose life it is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["medical", "restaurant"])
def test_what_is_taken_for_so_of_somebody_changes_only_by_what_they_tell(name: str, domains: dict[str, Domain]) -> None:
    changes = 0
    for one in [*planned(domains[name], "group", 20), *planned(domains[name], "hard", 15)]:
        told: set[str] = set()
        for turn, change in directed(one, Move.UPDATE):
            topic = domains[name].pack.topic(change.topic)
            if topic.partners_own:
                reasons = [step for step in one.script[turn - 1] if step.move is Move.REVEAL]
                assert [(step.topic, step.value, step.hearsay) for step in reasons] == [(topic.id, change.value, False)]
                assert one.scenario.speaker(turn - 1) in spoken_to(domains[name], topic, one.scenario, change.holder)
                assert topic.id not in told, "nobody takes back what they told of their own life"
                told.add(topic.id)
                changes += 1
    assert changes > 5


@pytest.mark.parametrize("name", ["medical", "restaurant"])
def test_nobody_tells_somebody_what_another_makes_of_their_own_life(name: str, domains: dict[str, Domain]) -> None:
    told = 0
    for one in planned(domains[name], "hard", 20):
        for _, direction in directed(one, Move.TELL):
            topic = domains[name].pack.topic(direction.topic)
            if topic.partners_own:
                assert direction.to not in spoken_to(domains[name], topic, one.scenario, direction.holder)
            told += 1
    assert told > 5


# -- what comes when -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["family", "medical"])
def test_nobody_changes_their_mind_again_within_ten_turns_of_a_long_dialogue(name: str, long: Plans) -> None:
    changes = 0
    for one in long[name]:
        turns: dict[tuple[str, str], list[int]] = {}
        for update in one.scenario.updates:
            turns.setdefault((update.agent, update.topic), []).append(update.turn)
        for of_one in turns.values():
            changes += len(of_one)
            assert all(later - earlier >= 10 for earlier, later in pairwise(sorted(of_one)))
    assert changes > 100


@pytest.mark.parametrize("name", ["family", "medical"])
def test_nobody_gives_up_what_they_have_only_just_said_in_a_long_dialogue(name: str, long: Plans) -> None:
    for one in long[name]:
        said = list(directed(one, Move.VOICE, Move.RESTATE, Move.UPDATE))
        for turn, change in said:
            if change.move is Move.UPDATE:
                state = change.holder, change.topic
                before = [at for at, step in said if (step.holder, step.topic) == state and at < turn]
                assert turn - before[-1] >= 5


@pytest.mark.parametrize("name", ["family", "medical"])
def test_small_talk_runs_for_four_turns_at_most(name: str, long: Plans) -> None:
    for one in long[name]:
        assert max(_runs(one.script)) <= 4


def _runs(script: Script) -> Iterator[int]:
    """How many turns each stretch of small talk takes."""
    idle = [any(one.move in IDLE for one in directions) for directions in script]
    yield from (len(list(turns)) for is_idle, turns in groupby(idle) if is_idle)


@pytest.mark.parametrize("name", ["family", "medical"])
def test_a_long_dialogue_does_not_peter_out(name: str, long: Plans) -> None:
    for one in long[name]:
        last = one.script[-len(one.script) // 10 :]
        assert sum(any(direction.topic for direction in directions) for directions in last) >= 6
