"""Scripts with one weighty thing a turn at most have room for all that has to be said."""

from __future__ import annotations

import pytest

from dtomtrack.runs.slots import BLOCK, Slot, slot_at
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import direct_scenario, sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Move
from dtomtrack.scenarios.structure import structure_of

PAPER = Difficulty()
ONE_THING = PAPER.with_one_thing_a_turn()
TURNS = [6, 7, 10, 14, 60]
WEIGHTY = {Move.VOICE, Move.UPDATE, Move.PRESUME, Move.REVEAL}


def slots(domain: Domain, count: int = 40) -> list[Slot]:
    return [slot_at(2, index, [domain.pack.name]) for index in range(count)]


def weighty(directed: DirectedScenario) -> list[int]:
    """How many weighty things there are at each turn."""
    return [sum(direction.move in WEIGHTY for direction in here) for here in directed.script]


@pytest.mark.parametrize("turns", TURNS)
def test_a_turn_has_one_weighty_thing_at_most(turns: int, domains: dict[str, Domain]) -> None:
    for domain in domains.values():
        for slot in slots(domain, 3):
            directed = sample_scenario(domain.pack, slot, 0, turns, ONE_THING)
            assert max(weighty(directed)) == 1


@pytest.mark.parametrize("turns", TURNS)
def test_such_a_script_has_every_change_and_every_topic(turns: int, restaurant: Domain) -> None:
    for slot in slots(restaurant, 12):
        structure = structure_of(slot, turns, ONE_THING)
        directed = sample_scenario(restaurant.pack, slot, 0, turns, ONE_THING)
        updates = [(turn, one.topic) for turn, here in enumerate(directed.script) for one in here if one.marker]
        assert updates == [(update.turn, update.topic) for update in directed.scenario.updates]
        assert len(updates) == structure.updates
        voiced = [one.topic for here in directed.script for one in here if one.move is Move.VOICE]
        assert sorted(voiced) == sorted(topic.id for topic in directed.scenario.topics)


def test_another_script_may_ask_more_of_a_turn(restaurant: Domain) -> None:
    assert any(max(weighty(sample_scenario(restaurant.pack, slot, 0, 10, PAPER))) > 1 for slot in slots(restaurant))


@pytest.mark.parametrize("turns", TURNS)
def test_such_a_structure_asks_for_no_more_than_another(turns: int, restaurant: Domain) -> None:
    for slot in slots(restaurant):
        small, full = structure_of(slot, turns, ONE_THING), structure_of(slot, turns, PAPER)
        assert 1 <= small.updates <= full.updates
        assert small.updates - small.changes_back + small.stable >= 1
        assert small.updates - small.changes_back + small.stable <= full.updates - full.changes_back + full.stable


def test_the_slots_of_a_block_share_such_a_structure(restaurant: Domain) -> None:
    every = [structure_of(slot, 14, ONE_THING) for slot in slots(restaurant)]
    for start in range(0, len(every), BLOCK):
        assert len({*every[start : start + BLOCK]}) == 1
    assert len({*every}) > 1


def test_a_scenario_of_ones_own_can_be_directed_so(restaurant: Domain) -> None:
    for slot in slots(restaurant, 20):
        own = sample_scenario(restaurant.pack, slot, 0, 30, ONE_THING).scenario
        directed = direct_scenario(restaurant.pack, own, 30, ONE_THING, slot.random("own"))
        assert max(weighty(directed)) == 1
