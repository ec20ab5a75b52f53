"""A sum over episodes to come, foretold from those that were played."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.suites.rhetbench.foretelling import foretell


def test_who_was_met_is_taken_to_do_the_same_and_others_the_mean_of_all() -> None:
    found = foretell([("a", 10), ("b", 20)], ["a", "a", "b", "c"])
    assert found.value == 10 + 10 + 20 + 15
    assert found.low < found.value < found.high


@given(st.integers(1, 50), st.integers(2, 20), st.integers(0, 40))
def test_what_never_differs_is_foretold_exactly(amount: int, played: int, left: int) -> None:
    found = foretell([(str(one), amount) for one in range(played)], [str(one) for one in range(left)])
    assert found.low == found.value == found.high == pytest.approx(amount * left)


def test_nothing_left_takes_nothing() -> None:
    found = foretell([("a", 1), ("b", 9)], [])
    assert (found.low, found.value, found.high) == (0, 0, 0)


@pytest.mark.parametrize("by_character", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("played", [12, 23])
def test_the_interval_holds_what_comes_whatever_episodes_differ_by(by_character: float, played: int) -> None:
    rng, held, times = Random(3), 0, 300
    for _ in range(times):
        usual = [rng.gauss(0, by_character**0.5) for _ in range(23)]
        plan = [one for _ in range(3) for one in rng.sample(range(23), 23)]
        amounts = [(str(one), 10 + usual[one] + rng.gauss(0, (1 - by_character) ** 0.5)) for one in plan]
        found = foretell(amounts[:played], [one for one, _ in amounts[played:]])
        held += found.low <= sum(amount for _, amount in amounts[played:]) <= found.high
    assert held / times > 0.92
