"""Turns at which minds change: each is as likely as any other, block by block."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.runs.slots import BLOCK, slot_at
from dtomtrack.scenarios.changes import draw_turns
from dtomtrack.scenarios.structure import Structure

LENGTHS = [6, 7, 10, 11, 24, 60]


def planned(updates: int, turns: int, block: int, *, back: bool = False) -> list[list[int]]:
    structure = Structure(updates, changes_back=back, stable=1, corrected=True)
    slots = [slot_at(5, BLOCK * block + position, ["x"]) for position in range(BLOCK)]
    return [[turn for part in draw_turns(structure, turns, slot, Random(0)) for turn in part] for slot in slots]


@pytest.mark.parametrize("turns", LENGTHS)
@pytest.mark.parametrize("updates", [1, 2, 3])
def test_a_block_shares_the_turns_out_evenly(updates: int, turns: int) -> None:
    eligible = range(FIRST_UPDATE_TURN, turns)
    if updates > len(eligible):
        pytest.skip("more changes than turns")
    for block in range(20):
        slots = planned(updates, turns, block)
        assert all(len({*own}) == updates for own in slots)
        counts = Counter(turn for own in slots for turn in own)
        assert {*counts} <= {*eligible}
        assert max(counts.values()) - min(counts[turn] for turn in eligible) <= 1 + (len(eligible) % updates > 0)


@pytest.mark.parametrize("updates", [1, 2, 3])
def test_over_many_blocks_each_turn_is_equally_likely(updates: int) -> None:
    counts = Counter(turn for block in range(125) for own in planned(updates, 10, block) for turn in own)
    even = 500 * updates / 6
    assert all(abs(counts[turn] - even) < 0.1 * even for turn in range(4, 10))


def test_a_mind_that_changes_back_does_so_at_turns_of_its_own() -> None:
    for block in range(20):
        for first, second, *others in planned(3, 12, block, back=True):
            assert second > first
            assert (second - first) % 2 == 0
            assert not {first, second} & {*others}


def test_turns_may_be_drawn_where_the_shares_leave_no_room() -> None:
    structure = Structure(2, changes_back=False, stable=1, corrected=True)
    drawn = {
        tuple(draw_turns(structure, 10, slot_at(0, 0, ["x"]), Random(seed), balanced=False)[1]) for seed in range(30)
    }
    assert len(drawn) > 5
