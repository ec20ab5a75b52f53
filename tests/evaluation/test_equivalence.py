"""Equivalence of paired scores: said where the sample shows it, and never because it is small."""

from __future__ import annotations

from random import Random

from dtomtrack.evaluation.bounded import Range
from dtomtrack.evaluation.equivalence import MARGIN, Equivalence, equivalence

SHARE, TWO = Range(), Range(0, 2)


def told(differences: list[tuple[int, float]], score: Range = SHARE) -> Equivalence:
    found = equivalence(differences, score)
    assert found is not None
    return found


def pairs(clusters: int, each: int, change: float, share: float, seed: int = 0) -> list[tuple[int, float]]:
    """Pairs of which a share changes by so much."""
    rng = Random(seed)
    return [(cluster, change * (rng.random() < share)) for cluster in range(clusters) for _ in range(each)]


def test_nothing_is_said_of_nothing() -> None:
    assert equivalence([], SHARE) is None


def test_few_clusters_say_nothing() -> None:
    found = told([(cluster, 0.0) for cluster in range(9)])
    assert (found.verdict, found.interval.value, found.interval.low, found.least) == ("undecided", 0.0, None, None)


def test_that_no_pair_differs_is_no_proof_where_there_are_few() -> None:
    assert told(pairs(20, 4, 1.0, 0.0)).verdict == "undecided"
    assert told(pairs(60, 4, 1.0, 0.0)).verdict == "equivalent"


def test_a_change_beyond_the_margin_is_a_change() -> None:
    found = told(pairs(60, 4, -1.0, 0.4))
    assert found.verdict == "different"
    assert found.interval.high is not None
    assert found.interval.high < -MARGIN


def test_a_change_of_about_the_margin_cannot_be_told() -> None:
    assert told(pairs(60, 4, 1.0, MARGIN)).verdict == "undecided"


def test_the_margin_goes_with_the_range_of_the_score() -> None:
    found = told(pairs(200, 4, 2.0, 0.02), TWO)
    assert found.margin == 2 * MARGIN
    assert found.verdict == "equivalent"
    assert found.least is not None
    assert 0.04 < found.least < found.margin


def test_the_interval_is_the_same_the_other_way_round() -> None:
    up = told(pairs(30, 3, 1.0, 0.2))
    down = told(pairs(30, 3, -1.0, 0.2))
    assert up.interval.low is not None
    assert up.interval.high is not None
    assert (down.interval.low, down.interval.high) == (-up.interval.high, -up.interval.low)


def test_equivalence_is_rarely_said_of_a_change_as_large_as_the_margin() -> None:
    said = sum(told(pairs(60, 4, 1.0, MARGIN, seed)).verdict == "equivalent" for seed in range(300))
    assert said <= 0.05 * 300 + 3 * (0.05 * 0.95 * 300) ** 0.5
