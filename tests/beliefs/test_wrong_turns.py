"""Wrong turns for a question on when a mind changed: where the right one stands among them tells nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dtomtrack.beliefs.questions.wrong_turns import sides, wrong_turns

OWN = range(4, 60)
WAY = (10, 59)
EARLY = (2.9, 2.3, 2.1, 1.0, 0.9, 0.33, 0.32, 0.15, 0.06, 0.02)


@pytest.mark.parametrize("typical", [EARLY, EARLY[::-1], (1.0,)])
def test_the_right_turn_is_as_often_the_first_as_the_last_on_offer(typical: tuple[float, ...]) -> None:
    ranks: Counter[int] = Counter()
    for seed in range(900):
        rng = Random(seed)
        (gold,) = wrong_turns(dict.fromkeys(range(10, 60), 1.0), WAY, typical, 1, rng)
        prior = {turn: 1.0 for turn in range(10, 60) if turn != gold}
        ranks[sum(turn < gold for turn in wrong_turns(prior, WAY, typical, 2, rng))] += 1
    assert all(abs(ranks[rank] / 900 - 1 / 3) < 0.06 for rank in range(3)), ranks


def test_turns_lie_where_right_ones_typically_do() -> None:
    turns = [wrong_turns(dict.fromkeys(OWN, 1.0), WAY, (0.02, 1.0), 1, Random(seed)) for seed in range(200)]
    assert sum(turn > 33 for (turn,) in turns) > 150


def test_a_turn_that_weighs_more_by_itself_is_mostly_taken_where_right_ones_lie() -> None:
    turns = [
        wrong_turns({turn: 16.0 if turn in range(30, 34) else 1.0 for turn in OWN}, WAY, (1.0,), 1, Random(seed))
        for seed in range(200)
    ]
    assert sum(turn in {30, 31, 32, 33} for (turn,) in turns) > 60


def test_there_are_fewer_where_there_are_not_enough() -> None:
    assert wrong_turns({9: 1.0}, (8, 59), EARLY, 3, Random(0)) == [9]
    assert wrong_turns({}, (8, 59), EARLY, 3, Random(0)) == []


def test_whether_a_turn_is_even_tells_nothing_of_three_or_four_on_offer() -> None:
    alone = Counter[bool]()
    for seed in range(900):
        assert sorted([0, *sides(6, 3, Random(seed))]) == [0, 0, 1, 1]
        two = sides(7, 2, Random(seed))
        alone[two == [0, 0]] += 1
        assert two == [0, 0] or sorted(two) == [0, 1]
    assert abs(alone[True] / 900 - 1 / 3) < 0.06


def test_a_parity_is_kept_to_while_there_are_such_turns() -> None:
    for seed in range(50):
        assert wrong_turns(dict.fromkeys((4, 5, 7), 1.0), (4, 9), (1.0,), 2, Random(seed), (0, 0))[0] == 4
