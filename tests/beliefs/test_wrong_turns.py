"""Wrong turns for a question on when a mind changed: where the right one stands among them tells nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dtomtrack.beliefs.questions.wrong_turns import wrong_turns

OWN = range(4, 60)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("changes", [1, 2, 4])
def test_the_right_turn_is_as_often_the_first_as_the_last_on_offer(changes: int, *, first: bool) -> None:
    ranks: Counter[int] = Counter()
    for seed in range(600):
        rng = Random(seed)
        drawn = [rng.randint(12, 57) for _ in range(changes)]
        gold = min(drawn) if first else max(drawn)
        eligible = [turn for turn in OWN if turn != gold]
        wrong = wrong_turns(eligible, (), 10, changes, 2, rng, first=first)
        ranks[sum(turn < gold for turn in wrong)] += 1
    assert all(abs(ranks[rank] / 600 - 1 / 3) < 0.08 for rank in range(3)), ranks


def test_turns_are_the_agents_own_behind_the_first_word_and_different() -> None:
    for seed in range(50):
        turns = wrong_turns([4, 9, 13, 22, 41], (), 8, 2, 3, Random(seed), first=True)
        assert len(set(turns)) == 3
        assert set(turns) <= {9, 13, 22, 41}


def test_a_turn_with_a_marker_is_mostly_taken_where_one_is_near() -> None:
    turns = [wrong_turns(OWN, {30, 31, 32, 33}, 8, 2, 1, Random(seed), first=True) for seed in range(200)]
    assert sum(turn in {30, 31, 32, 33} for (turn,) in turns) > 60


def test_there_are_fewer_where_there_are_not_enough() -> None:
    assert wrong_turns([5], (), 8, 1, 3, Random(0), first=True) == [5]
    assert wrong_turns([], (), 8, 1, 3, Random(0), first=False) == []
