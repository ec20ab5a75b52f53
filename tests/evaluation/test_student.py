"""Student's distribution, against scipy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from dtomtrack.evaluation.student import quantile, upper_tail

FREEDOMS = st.floats(0.3, 50_000)


@given(st.floats(0.5, 0.9999), FREEDOMS)
def test_quantiles_are_those_of_scipy(share: float, freedom: float) -> None:
    assert quantile(share, freedom) == pytest.approx(float(student.ppf(share, freedom)), rel=1e-8, abs=1e-12)


@given(st.floats(0.0, 100.0), FREEDOMS)
def test_tails_are_those_of_scipy_however_thin(value: float, freedom: float) -> None:
    assert upper_tail(value, freedom) == pytest.approx(float(student.sf(value, freedom)), rel=1e-8, abs=1e-290)


def test_the_table_of_every_textbook() -> None:
    assert [round(quantile(0.975, freedom), 3) for freedom in (1, 2, 5, 10, 30, 120)] == [
        12.706,
        4.303,
        2.571,
        2.228,
        2.042,
        1.98,
    ]


def test_nothing_lies_behind_a_value_beyond_all_numbers() -> None:
    assert upper_tail(1e200, 3.0) == 0.0
    assert upper_tail(0.0, 3.0) == 0.5
