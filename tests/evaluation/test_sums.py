"""Means of means and contrasts, where a group has few dialogues: by the book, and by how often they hold the truth."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import numpy as np
import pytest

from dtomtrack.evaluation.bounded import Part, Range, estimate
from dtomtrack.evaluation.clustering import Spread, Totals
from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.statistics import macro_share
from dtomtrack.evaluation.sums import Addend, dialogues_of_sum, spread_of_sum

Answers: TypeAlias = list[tuple[int, float]]


def moody(dialogues: int, each: int, rng: Random, first: int = 0) -> Answers:
    """Answers that go together: in each dialogue as many are right as it happens to be easy."""
    shares = {first + number: rng.random() for number in range(dialogues)}
    return [(dialogue, float(rng.random() < known)) for dialogue, known in shares.items() for _ in range(each)]


def by_the_book(groups: list[tuple[Answers, float]]) -> tuple[float, float]:
    """CR2 and Bell and McCaffrey's degrees of freedom, of answers regressed on their groups, by whole matrices."""
    clusters = np.array([dialogue for answers, _ in groups for dialogue, _ in answers])
    values = np.array([value for answers, _ in groups for _, value in answers])
    belongs = np.repeat(np.eye(len(groups)), [len(answers) for answers, _ in groups], axis=0)
    inverse = np.linalg.inv(belongs.T @ belongs)
    residual = np.eye(len(values)) - belongs @ inverse @ belongs.T
    columns = []
    for one in np.unique(clusters):
        own = clusters == one
        sizes, turns = np.linalg.eigh(residual[np.ix_(own, own)])
        adjust = turns @ np.diag(sizes**-0.5) @ turns.T
        columns.append(residual[:, own] @ adjust @ belongs[own] @ inverse @ np.array([c for _, c in groups]))
    together = np.column_stack(columns)
    inner = together.T @ together
    return float(np.sum((values @ together) ** 2)), float(np.trace(inner) ** 2 / np.trace(inner @ inner))


@pytest.mark.parametrize("coefficients", [(0.5, 0.5), (1.0, -1.0), (1.0, -1.0, -1.0, 1.0), (1.0,)])
@pytest.mark.parametrize("first", [0, 3, 100], ids=["same dialogues", "some dialogues", "other dialogues"])
def test_a_sum_has_the_variance_and_the_freedom_of_the_regression(coefficients: tuple[float, ...], first: int) -> None:
    rng = Random(5)
    groups = [
        ([*moody(3 + 4 * place, 3, rng, first * place), *moody(2, 2, rng, first * place)], coefficient)
        for place, coefficient in enumerate(coefficients)
    ]
    found = spread_of_sum([Addend(Totals(answers), coefficient) for answers, coefficient in groups])
    assert (found.variance, found.freedom) == pytest.approx(by_the_book(groups))


def test_the_sum_of_one_mean_is_that_mean() -> None:
    answers = Totals([*moody(8, 3, Random(6)), *moody(3, 9, Random(7))])
    plain, found = Spread.of(answers.parts(), answers.weights), spread_of_sum([Addend(answers, 1.0)])
    assert (found.variance, found.freedom) == pytest.approx((plain.variance, plain.freedom))
    assert dialogues_of_sum([Addend(answers, 1.0)]) == 8


def test_a_group_of_one_dialogue_leaves_no_interval() -> None:
    many, one = moody(60, 2, Random(8)), [(0, 1.0)] * 20
    found = macro(many, one)
    assert found.value is not None and 0.5 < found.value < 1
    assert (found.low, found.high) == (None, None)
    apart = estimate([Part(many), Part(one, -1.0)], Range(-1, 1))
    assert (apart.interval.low, apart.p_value, apart.clusters) == (None, None, 60)


def macro(one: Answers, other: Answers) -> Interval:
    return macro_share([(dialogue, bool(right)) for dialogue, right in answers] for answers in (one, other))


def contrast(one: Answers, other: Answers) -> Interval:
    return estimate([Part(one), Part(other, -1.0)], Range(-1, 1)).interval


@pytest.mark.parametrize("few", [2, 3, 5, 20])
@pytest.mark.parametrize(("taken", "truth"), [(macro, 0.5), (contrast, 0.0)], ids=["mean", "contrast"])
def test_intervals_hold_where_a_group_has_few_dialogues(
    taken: Callable[[Answers, Answers], Interval], truth: float, few: int
) -> None:
    """Of 300 nominal 95 % intervals at least 270 hold the truth; with two dialogues 210 did."""
    rng = Random(few)
    found = [taken(moody(few, 4, rng), moody(60, 4, rng, 1000)) for _ in range(300)]
    held = sum(one.low is not None and one.high is not None and one.low <= truth <= one.high for one in found)
    assert held >= 270


def test_where_all_are_right_the_group_with_the_fewest_dialogues_decides() -> None:
    """Two and sixty dialogues tell as much as eight."""
    right = [[(first + number, True) for number in range(count)] for first, count in ((0, 2), (100, 60))]
    found = macro_share(right)
    assert found.low is not None and found.low < 0.5
    assert dialogues_of_sum([Addend(Totals(own), 0.5) for own in right]) == pytest.approx(4 / (1 / 2 + 1 / 60))
