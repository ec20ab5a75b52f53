"""Where dialogues stand in their dataset, and the random numbers of each place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.runs.slots import BLOCK, Slot, slot_at

domain_lists = st.lists(st.sampled_from(["medical", "restaurant", "travel", "zoo"]), min_size=1, unique=True)
seeds = st.integers(0, 2**32)
indices = st.integers(0, 10**6)


def test_domains_take_turns_and_blocks_of_four_fill_up() -> None:
    slots = [slot_at(0, index, ["medical", "travel"]) for index in range(12)]
    assert [slot.domain for slot in slots] == ["medical", "travel"] * 6
    assert [(slot.block, slot.position) for slot in slots if slot.domain == "travel"] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 0),
        (1, 1),
    ]


def test_a_block_has_four_places_as_there_are_letters() -> None:
    assert BLOCK == 4


@given(seeds, indices, domain_lists)
def test_a_slot_keeps_its_seed_and_index(seed: int, index: int, domains: list[str]) -> None:
    slot = slot_at(seed, index, domains)
    assert (slot.seed, slot.index) == (seed, index)
    assert slot == slot_at(seed, index, tuple(domains))


@given(seeds, indices, domain_lists)
def test_block_and_place_tell_which_slot_of_its_domain_it_is(seed: int, index: int, domains: list[str]) -> None:
    slot = slot_at(seed, index, domains)
    assert 0 <= slot.position < BLOCK
    own = slot.block * BLOCK + slot.position
    assert own * len(domains) + domains.index(slot.domain) == index


def test_a_dialogue_id_names_domain_seed_and_index() -> None:
    assert slot_at(7, 12, ["travel"]).dialogue_id == "travel-7-000012"


@given(domain_lists, seeds, st.sets(indices, min_size=2, max_size=2))
def test_no_two_slots_have_the_same_dialogue_id(domains: list[str], seed: int, pair: set[int]) -> None:
    assert len({slot_at(seed, index, domains).dialogue_id for index in pair}) == 2


def draw(slot: Slot, *parts: str | int) -> float:
    return slot.random(*parts).random()


def draw_for_block(slot: Slot, *parts: str | int) -> float:
    return slot.block_random(*parts).random()


@given(seeds, indices, domain_lists)
def test_random_numbers_are_the_same_whenever_they_are_made(seed: int, index: int, domains: list[str]) -> None:
    slot, again = slot_at(seed, index, domains), slot_at(seed, index, domains)
    assert draw(slot, "questions", 1) == draw(again, "questions", 1)
    assert draw_for_block(slot, "structure") == draw_for_block(again, "structure")


def test_random_numbers_are_the_same_on_every_machine() -> None:
    slot = Slot(0, 5, "travel", 1, 1)
    assert slot.random("questions").randrange(10**6) == 328_732
    assert slot.block_random("structure").randrange(10**6) == 484_717


def test_each_slot_purpose_and_seed_has_random_numbers_of_its_own() -> None:
    slot = slot_at(0, 0, ["travel"])
    others = [slot_at(1, 0, ["travel"]), slot_at(0, 1, ["travel"]), slot_at(0, 0, ["medical"])]
    numbers = [draw(slot), draw(slot, "a"), draw(slot, "b"), draw(slot, "a", 1), draw_for_block(slot)]
    numbers += [draw(other) for other in others]
    assert len(set(numbers)) == len(numbers)


def test_the_slots_of_a_block_share_the_random_numbers_of_the_block_alone() -> None:
    slots = [slot_at(0, index, ["travel"]) for index in range(2 * BLOCK)]
    shared = [draw_for_block(slot, "structure") for slot in slots]
    assert len(set(shared[:BLOCK])) == len(set(shared[BLOCK:])) == 1
    assert shared[0] != shared[BLOCK]
    assert len({draw(slot, "structure") for slot in slots}) == len(slots)


def test_blocks_of_two_domains_or_seeds_differ() -> None:
    medical, travel = (slot_at(0, index, ["medical", "travel"]) for index in range(2))
    assert draw_for_block(medical) != draw_for_block(travel)
    assert draw_for_block(medical) != draw_for_block(slot_at(1, 0, ["medical", "travel"]))


@pytest.mark.parametrize("seed", [0, 77, 4711])
def test_numbers_that_lie_evenly_do_so_over_any_run_of_blocks(seed: int) -> None:
    numbers = [slot_at(seed, block * BLOCK, ["team"]).evenly("late", 0.6180339887) for block in range(60)]
    for first in (0, 20, 35):
        few = numbers[first : first + 25]
        assert abs(sum(number < 0.4 for number in few) - 10) <= 2


def test_the_slots_of_a_block_have_the_same_number_and_purposes_have_their_own() -> None:
    slots = [slot_at(3, index, ["team"]) for index in range(BLOCK)]
    assert len({slot.evenly("late", 0.7) for slot in slots}) == 1
    assert slots[0].evenly("late", 0.7) != slots[0].evenly("ways", 0.7)
