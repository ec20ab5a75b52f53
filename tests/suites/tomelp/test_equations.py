"""Equations 1 to 8, and what follows from the printed Table 2 by them."""

from __future__ import annotations

import pytest

from dtomtrack.suites.tomelp.equations import (
    JudgedReply,
    average,
    evidence_score,
    retention,
    robust_retention,
    route_fit,
    route_prediction_accuracy,
    self_contradiction,
    strategy_accuracy,
    substitution_rate,
)
from dtomtrack.suites.tomelp.printed import (
    NO_TOM,
    STATES,
    TOM_AWARE,
    changes,
    correlation_of,
    least_self_contradiction,
    most_substitution,
    null_retention,
)

REPLIES = (
    JudgedReply("central", "central", 1, 2, 2, (2, 2, 1, 2, 2)),
    JudgedReply("central", "peripheral", 0, 1, 1, (1, 1, 0, 1, 1)),
    JudgedReply("peripheral", "peripheral", 1, 0, 0),
    JudgedReply("peripheral", "central", 1, 1, 2),
)
PERSONA_TOM = (2, 1, 2, 1)
DISTURBED = {"conflict": (1, 1, 2, 0), "noise": (2, 0, 1, 1), "misleading": (0, 1, 2, 2)}


def retained() -> dict[str, list[float | None]]:
    clean = [one.attitude for one in REPLIES]
    return {
        name: [retention(one, before) for one, before in zip(scores, clean, strict=True)]
        for name, scores in DISTURBED.items()
    }


def test_the_fixture_of_the_specification() -> None:
    assert average(one.attitude for one in REPLIES) == 1.0
    assert route_fit(REPLIES) == 0.75
    assert route_prediction_accuracy(REPLIES) == 0.5
    assert substitution_rate(REPLIES) == 0.5
    assert evidence_score(REPLIES) == pytest.approx(1.3, abs=1e-12)
    assert average(one.alignment for one in REPLIES) == 1.25
    assert average(PERSONA_TOM) == 1.5
    assert self_contradiction(REPLIES) == 0.25


def test_retention_of_the_fixture() -> None:
    means = {name: average(values) for name, values in retained().items()}
    assert means == {
        "conflict": 0.5,
        "noise": pytest.approx(2 / 3, abs=1e-12),
        "misleading": pytest.approx(2 / 3, abs=1e-12),
    }
    assert robust_retention(retained()) == pytest.approx(0.611111, abs=5e-7)


def test_retention_without_a_valid_instance_is_not_known() -> None:
    assert retention(1, 0) is None
    assert retention(None, 2) is None
    assert retention(2, 1) == 1.0
    assert robust_retention({"noise": [None, None], "conflict": [0.5]}) is None
    assert robust_retention({}) is None


def test_a_judge_that_failed_is_in_no_mean() -> None:
    failed = JudgedReply("central", None, None, None)
    assert average([2, None, 0]) == 1.0
    assert route_fit([*REPLIES, failed]) == 0.75
    assert route_prediction_accuracy([*REPLIES, failed]) == 0.5
    assert substitution_rate([*REPLIES, failed]) == 0.5
    assert evidence_score([*REPLIES, failed]) == pytest.approx(1.3, abs=1e-12)
    assert average([]) is None


def test_a_strategy_that_cannot_be_read_is_wrong() -> None:
    assert strategy_accuracy(["a", None, "b"], ["a", "a", "a"]) == pytest.approx(1 / 3)


def test_the_counts_of_table_3_agree() -> None:
    assert STATES["states"] * 2 == STATES["records"]
    assert STATES["effective"] + STATES["ineffective"] == STATES["states"]
    assert round(STATES["states"] / STATES["scenes"], 2) == 3.87


def test_the_mean_changes_of_table_2() -> None:
    found = {
        name: changes(lambda row, name=name: getattr(row, name))  # type: ignore[misc]
        for name in ("attitude", "route_fit", "predicted", "evidence", "alignment", "robust")
    }
    assert {name: (round(one.mean, 3), one.up, one.down) for name, one in found.items()} == {
        "attitude": (0.098, 5, 0),
        "route_fit": (0.018, 3, 2),
        "predicted": (-0.03, 1, 3),
        "evidence": (0.044, 3, 1),
        "alignment": (0.16, 5, 0),
        "robust": (0.058, 4, 0),
    }


def test_the_correlations_of_table_2() -> None:
    assert correlation_of(NO_TOM, lambda row: row.persona_tom, lambda row: row.strategy) == pytest.approx(
        0.99, abs=5e-3
    )
    for rows, expected in ((NO_TOM, -0.12), (TOM_AWARE, -0.17)):
        found = correlation_of(rows, lambda row: row.attitude, lambda row: row.evidence)
        assert round(found, 2) == expected


def test_bounds_of_self_contradiction_and_substitution() -> None:
    assert [round(least_self_contradiction(row), 2) for row in NO_TOM.values()] == [0.15, 0.01, 0.06, 0.05, 0.23]
    assert [round(least_self_contradiction(row), 2) for row in TOM_AWARE.values()] == [0.15, 0.0, 0.02, 0.03, 0.06]
    assert [round(most_substitution(row), 2) for row in TOM_AWARE.values()] == [0.52, 0.54, 0.28, 0.34, 0.34]
    assert [round(most_substitution(row), 2) for row in NO_TOM.values()] == [0.56, 0.42, 0.28, 0.28, 0.18]


@pytest.mark.parametrize(("attitude", "low", "high"), [(0.37, 0.18, 0.37), (0.93, 0.47, 0.93), (1.10, 0.55, 0.96)])
def test_retention_falls_without_any_disturbance(attitude: float, low: float, high: float) -> None:
    least, most = null_retention(attitude)
    assert least == pytest.approx(low, abs=0.01)
    assert most == pytest.approx(high, abs=0.01)
