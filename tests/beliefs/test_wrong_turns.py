"""Wrong turns for a question on when a mind changed: where the right one stands among them tells nothing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dtomtrack.beliefs.questions.wrong_turns import wrong_turns

OWN = range(4, 60)
WAY = (10, 59)


@pytest.mark.parametrize("place", ["first", "last"])
@pytest.mark.parametrize("changes", [1, 2, 4])
def test_the_right_turn_is_as_often_the_first_as_the_last_on_offer(changes: int, place: str) -> None:
    ranks: Counter[int] = Counter()
    for seed in range(600):
        rng = Random(seed)
        *others, gold = (_changed(rng, changes, place) for _ in range(7))
        prior = {turn: 1.0 for turn in OWN if turn != gold}
        wrong = wrong_turns(prior, WAY, [((turn - 10) / 49, 1.0) for turn in others], 2, rng)
        ranks[sum(turn < gold for turn in wrong)] += 1
    assert all(abs(ranks[rank] / 600 - 1 / 3) < 0.08 for rank in range(3)), ranks


def _changed(rng: Random, changes: int, place: str) -> int:
    drawn = [rng.randint(12, 57) for _ in range(changes)]
    return min(drawn) if place == "first" else max(drawn)


def test_turns_are_the_agents_own_and_different_those_behind_the_first_word_before_others() -> None:
    for seed in range(50):
        assert set(wrong_turns(dict.fromkeys([4, 9, 13, 22, 41], 1.0), (8, 59), (), 4, Random(seed))) == {9, 13, 22, 41}


def test_a_turn_that_weighs_more_by_itself_is_mostly_taken_where_one_is_near() -> None:
    turns = [
        wrong_turns({turn: 16.0 if turn in range(30, 34) else 1.0 for turn in OWN}, WAY, ((0.5, 1.0),), 1, Random(seed))
        for seed in range(200)
    ]
    assert sum(turn in {30, 31, 32, 33} for (turn,) in turns) > 60


def test_wrong_turns_lie_where_it_is_likelier_that_a_change_is_asked_for() -> None:
    turns = [
        wrong_turns(dict.fromkeys(OWN, 1.0), WAY, ((0.1, 0.02), (0.9, 1.0)), 1, Random(seed)) for seed in range(200)
    ]
    assert sum(turn > 35 for (turn,) in turns) > 150


def test_there_are_fewer_where_there_are_not_enough() -> None:
    assert wrong_turns({5: 1.0}, (8, 59), (), 3, Random(0)) == [5]
    assert wrong_turns({}, (8, 59), (), 3, Random(0)) == []
