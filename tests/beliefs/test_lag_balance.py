"""What is asked about is chosen so that each part of a dialogue is asked about equally often."""

from __future__ import annotations

from collections import Counter
from random import Random

from dtomtrack.beliefs.questions.choosing import LagBalance

TURNS = 24
SPANS = 6


def test_candidates_of_all_lags_come_in_turn() -> None:
    even = (1.0,) * SPANS
    first: Counter[int] = Counter()
    for seed in range(200):
        candidates = [lag for lag in range(TURNS) for _ in range(1 + 5 * (lag < TURNS // SPANS))]
        ordered = LagBalance(TURNS, Random(seed)).ordered(candidates, lambda lag: lag, by_lag=even)
        assert sorted(ordered) == sorted(candidates)
        first.update(lag * SPANS // TURNS for lag in ordered[: 2 * SPANS])
    assert max(first.values()) / min(first.values()) < 1.2


def test_what_was_asked_before_counts() -> None:
    counts: Counter[int] = Counter()
    for seed in range(200):
        lags = LagBalance(TURNS, Random(seed))
        for lag in (0, 1, 2, 3, 8, 9, None):
            lags.count(lag)
        counts.update(lag * SPANS // TURNS for lag in lags.ordered(range(TURNS), lambda lag: lag)[:3])
        assert lags.is_full(0)
        assert lags.is_full(8)
        assert not lags.is_full(20)
    assert counts[0] + counts[2] < 0.1 * counts.total()


def test_what_goes_without_saying_comes_late() -> None:
    lags = LagBalance(TURNS, Random(1))
    late = [lags.ordered(["plain", "hard"], lambda _: 5, lambda one: one == "plain")[-1] for _ in range(200)]
    assert late.count("plain") > 150
