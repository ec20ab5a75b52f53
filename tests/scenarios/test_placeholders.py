"""Filling the placeholders of a line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.scenarios.placeholders import fill

NAMES = st.sampled_from(["a", "b", "venue", "x", "y"])
VALUES = st.text(alphabet="{}abxy venue,", max_size=20)


@given(names=st.lists(NAMES, max_size=6), fillings=st.dictionaries(NAMES, VALUES))
def test_placeholders_are_filled_in_a_single_pass(names: list[str], fillings: dict[str, str]) -> None:
    text = "so".join(f" {{{name}}} " for name in ["", *names])
    expected = "so".join(f" {fillings.get(name, f'{{{name}}}')} " for name in ["", *names])
    assert fill(f"Say{text}", fillings) == f"Say{expected}"


@given(text=st.text(alphabet="ab {.!", max_size=30), fillings=st.dictionaries(NAMES, VALUES))
def test_a_text_without_placeholders_stays_as_it_is(text: str, fillings: dict[str, str]) -> None:
    assert fill(text, fillings) == text


@given(value=VALUES)
def test_a_value_that_is_itself_a_placeholder_is_not_filled_again(value: str) -> None:
    assert fill("to {x}", {"x": "{a}", "a": value}) == "to {a}"


def test_a_slot_that_nothing_is_known_of_stays() -> None:
    assert fill("Hello {nobody}, {a}.", {"a": "Maya"}) == "Hello {nobody}, Maya."


def test_a_value_at_the_start_of_a_sentence_gets_a_capital() -> None:
    fillings = {"part": "left knee"}
    assert fill("{part}: it hurts. {part}! {part}? {part} and {part}.", fillings) == (
        "Left knee: it hurts. Left knee! Left knee? Left knee and left knee."
    )


def test_the_rest_of_a_value_keeps_its_letters() -> None:
    assert fill("{who} came.", {"who": "iPhone McDonald"}) == "IPhone McDonald came."
