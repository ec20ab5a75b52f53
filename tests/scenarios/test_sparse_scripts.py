"""Sparse scripts: one weighty thing a turn at most, and room for all that has to be said."""

from __future__ import annotations

import pytest

from dtomtrack.runs.slots import BLOCK, Slot, slot_at
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario, stage_scenario
from dtomtrack.scenarios.stage import Move, StagedScenario
from dtomtrack.scenarios.structure import structure_of

TURNS = [6, 7, 8, 9, 10, 11, 12, 14, 20, 60]
WEIGHTY = {Move.VOICE, Move.UPDATE, Move.PRESUME, Move.REVEAL}


def slots(domain: Domain, count: int = 40) -> list[Slot]:
    return [slot_at(2, index, [domain.pack.name]) for index in range(count)]


def weighty(staged: StagedScenario) -> list[int]:
    """How many weighty things there are at each turn."""
    return [sum(direction.move in WEIGHTY for direction in here) for here in staged.script]


@pytest.mark.parametrize("turns", TURNS)
def test_a_turn_of_a_sparse_script_has_one_weighty_thing_at_most(turns: int, domains: dict[str, Domain]) -> None:
    for domain in domains.values():
        for slot in slots(domain):
            staged = sample_scenario(domain.pack, slot, 0, turns, sparse=True)
            assert max(weighty(staged)) == 1


@pytest.mark.parametrize("turns", TURNS)
def test_a_sparse_script_has_every_change_and_every_topic(turns: int, restaurant: Domain) -> None:
    for slot in slots(restaurant):
        structure = structure_of(slot, turns, sparse=True)
        staged = sample_scenario(restaurant.pack, slot, 0, turns, sparse=True)
        directed = [(turn, one.topic) for turn, here in enumerate(staged.script) for one in here if one.marker]
        assert directed == [(update.turn, update.topic) for update in staged.scenario.updates]
        assert len(directed) == structure.updates
        voiced = [one.topic for here in staged.script for one in here if one.move is Move.VOICE]
        assert sorted(voiced) == sorted(topic.id for topic in staged.scenario.topics)


def test_a_script_that_is_not_sparse_may_ask_more_of_a_turn(restaurant: Domain) -> None:
    assert any(max(weighty(sample_scenario(restaurant.pack, slot, 0, 10))) > 1 for slot in slots(restaurant))


@pytest.mark.parametrize("turns", TURNS)
def test_a_sparse_structure_asks_for_no_more_than_another(turns: int, restaurant: Domain) -> None:
    for slot in slots(restaurant):
        sparse, full = structure_of(slot, turns, sparse=True), structure_of(slot, turns)
        assert 1 <= sparse.updates <= full.updates
        assert sparse.updates - sparse.changes_back + sparse.steady >= 1
        assert sparse.updates - sparse.changes_back + sparse.steady <= full.updates - full.changes_back + full.steady


def test_the_slots_of_a_block_share_a_sparse_structure(restaurant: Domain) -> None:
    every = [structure_of(slot, 14, sparse=True) for slot in slots(restaurant)]
    for start in range(0, len(every), BLOCK):
        assert len({*every[start : start + BLOCK]}) == 1
    assert len({*every}) > 1


def test_a_scenario_of_ones_own_can_be_staged_sparsely(restaurant: Domain) -> None:
    for slot in slots(restaurant, 20):
        own = sample_scenario(restaurant.pack, slot, 0, 30, sparse=True).scenario
        staged = stage_scenario(restaurant.pack, own, 30, slot.random("own"), sparse=True)
        assert max(weighty(staged)) == 1
