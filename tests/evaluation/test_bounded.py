"""Means and contrasts of bounded scores, clustered."""

from __future__ import annotations

import math
from random import Random

import pytest

from dtomtrack.evaluation.bounded import Estimate, Part, Range, estimate, mean_score

TWO = Range(0, 2)


def ends(found: Estimate) -> tuple[float, float]:
    assert found.interval.low is not None
    assert found.interval.high is not None
    return found.interval.low, found.interval.high


def test_the_mean_of_nothing_is_not_known() -> None:
    assert mean_score([], TWO) == Estimate()
    assert estimate([Part([(0, 1.0)]), Part([], -1.0)], TWO).interval.value is None


def test_few_clusters_have_no_interval() -> None:
    found = mean_score([(cluster, 1.0) for cluster in range(9)], TWO)
    assert (found.interval.value, found.interval.low, found.clusters) == (1.0, None, 9)


def test_intervals_stay_within_the_range_and_hold_the_value() -> None:
    rng = Random(0)
    for _ in range(200):
        scores = [(cluster, float(rng.choice([0, 0, 0, 1, 2]))) for cluster in range(12) for _ in range(3)]
        found = mean_score(scores, TWO)
        low, high = ends(found)
        assert 0 <= low <= (found.interval.value or 0.0) <= high <= 2


def test_scores_that_go_together_in_a_cluster_say_less() -> None:
    rng = Random(1)
    apart = [(cluster, float(rng.randrange(3))) for cluster in range(60)]
    together = [(cluster // 3, apart[3 * (cluster // 3)][1]) for cluster in range(60)]
    spans = [high - low for low, high in (ends(mean_score(scores, TWO)) for scores in (apart, together))]
    assert spans[1] > 1.3 * spans[0]


def test_a_difference_of_differences_is_the_sum_of_its_parts() -> None:
    one = [(cluster, 1.0) for cluster in range(10)]
    other = [(cluster, 0.5 + cluster % 2) for cluster in range(10)]
    found = estimate([Part(one), Part(other, -1.0)], Range(-2, 2))
    assert found.interval.value == 0.0
    assert found.p_value == pytest.approx(1.0)


def test_a_paired_difference_agrees_with_students_test_where_clusters_are_single() -> None:
    from scipy.stats import ttest_1samp

    rng = Random(2)
    gains = [float(rng.choice([-1, 0, 0, 1, 2])) for _ in range(30)]
    found = mean_score(list(enumerate(gains)), Range(-2, 2))
    expected = ttest_1samp(gains, 0.0)
    interval = expected.confidence_interval(0.95)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-4)
    low, high = ends(found)
    assert low == pytest.approx(interval.low, abs=1e-5)
    assert high == pytest.approx(interval.high, abs=1e-5)
    assert math.isclose(found.interval.value or 0.0, sum(gains) / 30, abs_tol=1e-6)
