"""Wrong turns for a question on when a mind changed: where the right one stands among them tells nothing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import prod
from random import Random
from statistics import mean
from typing import get_args

import pytest

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import Asks
from dtomtrack.beliefs.questions.few_turns import Kind, few_turns
from dtomtrack.beliefs.questions.typical_turns import (
    Side,
    typical_moments,
    typical_of_side,
    typical_places,
    typical_turns,
)
from dtomtrack.beliefs.questions.wrong_turns import by_part, wrong_turns, wrong_turns_of_few

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


def test_of_each_set_of_few_turns_any_may_be_the_right_one() -> None:
    """Drawn one after the other, turns 5 to 8 were on offer mostly where the first or the last of them was right."""
    rng = Random(0)
    weights = dict(zip(range(4, 10), (0.05, 0.5, 1.8, 2.7, 0.3, 0.6), strict=True))
    fours = list(combinations(range(4, 10), 4))
    chances = [prod(weights[turn] for turn in one) for one in fours]
    right: dict[tuple[int, ...], Counter[int]] = {}
    for _ in range(6000):
        gold = rng.choice(rng.choices(fours, chances)[0])
        others = {turn: weight for turn, weight in weights.items() if turn != gold}
        shown = (gold, *wrong_turns_of_few(others, 3, rng))
        right.setdefault(tuple(sorted(shown)), Counter())[gold] += 1
    often = [golds for golds in right.values() if golds.total() > 400]
    assert len(often) >= 3
    assert all(abs(golds[turn] / golds.total() - 0.25) < 0.07 for golds in often for turn in golds)


def test_of_too_few_turns_all_are_taken() -> None:
    assert wrong_turns_of_few({6: 1.0}, 3, Random(0)) == [6]
    assert wrong_turns_of_few({}, 3, Random(0)) == []


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("turns", [24, 60])
def test_first_changes_of_knowledge_are_offered_late_as_they_come_late(count: int, turns: int) -> None:
    """What has to be learnt of changes late; on offer it stood early, so that its latest turn was right in half."""
    offered: dict[MentalState, list[int]] = {MentalState.KNOWLEDGE: [], MentalState.DESIRE: []}
    last = turns - 1
    for state, drawn in offered.items():
        moments = typical_moments(turns, state, "first_change")
        typical = typical_turns(turns, count, "first_change")
        prior = by_part(dict.fromkeys(range(6, turns), 1.0), (4, last), moments)
        for seed in range(200):
            drawn.extend(wrong_turns(prior, (6, last), typical, count, Random(seed)))
    assert mean(offered[MentalState.KNOWLEDGE]) > mean(offered[MentalState.DESIRE]) + 3


@pytest.mark.parametrize("turns", [24, 60])
def test_first_changes_of_the_second_side_are_offered_later(turns: int) -> None:
    """Who has to hear first what it is about changes their mind later: the last of three was right in 44 %."""
    every, late = (4, turns - 1), {}
    for side in get_args(Side):
        weights = by_part(dict.fromkeys(range(4, turns), 1.0), every, typical_of_side(turns, side, "first_change"))
        late[side] = sum(turn * weight for turn, weight in weights.items()) / sum(weights.values())
    assert late["second"] > max(late["first"], late["either"]) + 1


@pytest.mark.parametrize("side", get_args(Side))
@pytest.mark.parametrize("count", [2, 3])
def test_sets_are_weighed_by_the_place_of_the_right_turn_but_in_the_longest_dialogues(side: Side, count: int) -> None:
    for asks in get_args(Asks):
        if asks in {"first_change", "last_change"}:
            assert len(typical_places(24, side, count, asks)) == count + 1
            assert len(typical_places(60, side, count, asks)) == count + 1
            assert not typical_places(300, side, count, asks)


@pytest.mark.parametrize("asks", ["first_change", "last_change"])
def test_turns_at_which_hardly_anybody_changes_their_mind_are_hardly_on_offer(asks: Asks) -> None:
    """Of 60, the last two were right in 9 and 16 % of the questions that offered them."""
    weights, every = dict.fromkeys(range(4, 60), 1.0), (4, 59)
    for typical in (
        typical_moments(60, MentalState.BELIEF, asks),
        typical_of_side(60, "first", asks),
        typical_turns(60, 3, asks),
    ):
        weights = by_part(weights, every, typical)
    assert weights[4] < 0.5 * mean(weights.values())
    assert weights[59] < 0.85 * max(weights[56], mean(weights.values()))


def test_of_changes_that_pile_up_at_few_turns_fewer_are_asked_about() -> None:
    """Of ten turns, two in five change at turn 7, which may be right in a quarter."""
    shares = few_turns("belief", "either", "last_change").asked
    assert len(shares) == 6
    assert shares[3] < 0.6 < max(shares) == 1.0


@pytest.mark.parametrize("kind", get_args(Kind))
@pytest.mark.parametrize("side", get_args(Side))
@pytest.mark.parametrize("asks", ["first_change", "last_change"])
def test_there_are_numbers_for_every_kind_of_change(kind: Kind, side: Side, asks: Asks) -> None:
    few = few_turns(kind, side, asks)
    assert set(few.sets) == {3, 4}
    assert all(len(own) == len(few.asked) for own in few.sets.values())


@pytest.mark.parametrize("kind", ["belief", "intention", "desire", "emotion"])
def test_what_one_side_alone_has_a_say_in_changes_early_and_is_asked_about_less_then(kind: Kind) -> None:
    """Turn 5 was on offer alike of all; 19 % of the changes of the guest's things are there, 9 % of anybody's."""
    own, anybodys = (few_turns(kind, side, "first_change").asked for side in ("first", "either"))
    assert own[1] < anybodys[1]
