"""Markers: said, they are found again; other talk has none."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.beliefs.markers import (
    EXPLICIT,
    IMPLICIT,
    MARKERS,
    Marker,
    draw_markers,
    find_markers,
    fits,
    fitting,
    marker,
)
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.suites.dtom.slot_result import SlotResult

WORDS = st.lists(st.sampled_from(("terrace", "garden", "quiet", "noon", "we are four")), min_size=1).map(" ".join)


def test_there_are_ten_implicit_and_five_explicit_markers() -> None:
    assert (len(IMPLICIT), len(EXPLICIT)) == (10, 5)
    assert len({one.id for one in MARKERS}) == 15


def test_explicit_markers_are_those_that_name_the_old_value() -> None:
    assert all(one.names_old for one in EXPLICIT)
    assert not any(one.names_old for one in IMPLICIT)


@pytest.mark.parametrize("state", MentalState)
def test_nobody_was_wrong_about_what_they_wanted_planned_or_felt(state: MentalState) -> None:
    errs = state in {MentalState.BELIEF, MentalState.KNOWLEDGE}
    assert fits("was_wrong", state) == fits("mistakenly_said", state) == errs
    assert fits("take_back", state) == fits("scratch", state) == (state is not MentalState.EMOTION)
    for one in MARKERS:
        other = fitting(one, state)
        assert fits(other.id, state)
        assert other.names_old == one.names_old
        assert other is one or not fits(one.id, state)


@given(states=st.lists(st.sampled_from(MentalState), max_size=6), seed=st.integers(0, 99))
def test_each_change_gets_a_marker_that_fits_it(states: list[MentalState], seed: int) -> None:
    drawn = draw_markers(states, Random(seed))
    assert all(fits(one.id, state) for one, state in zip(drawn, states, strict=True))
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("one", MARKERS, ids=lambda one: one.id)
@given(old=WORDS, new=WORDS)
def test_a_marker_that_is_said_is_found(one: Marker, old: str, new: str) -> None:
    said = one.say(old, new)
    assert said.endswith(f"{new}.")
    assert one.names_old == (one.say("old", new) != one.say("other", new))
    utterance = f"Good evening. {said} Thank you, that is all."
    assert [(match.marker.id, match.start) for match in find_markers(utterance)] == [(one.id, 14)]


def test_a_value_that_looks_like_a_slot_is_not_filled_again() -> None:
    assert marker("mistakenly_said").say("{new}", "{old}") == "I mistakenly said {new}, but {old}."


def test_markers_are_found_in_the_order_in_which_they_are_said() -> None:
    said = "Hold on, the terrace is open. Hm. Actually, we are four."
    assert [match.marker.id for match in find_markers(said)] == ["hold_on", "actually"]


def test_an_unknown_marker_is_no_marker() -> None:
    with pytest.raises(KeyError):
        marker("by_the_way")


def test_no_line_of_a_pack_sounds_like_a_marker(slots: dict[str, list[SlotResult]]) -> None:
    for made in slots.values():
        for slot in made:
            assert slot.dialogue is not None
            planned = {update.turn for update in slot.dialogue.scenario.updates}
            for turn in slot.dialogue.turns:
                assert bool(find_markers(turn.utterance)) == (turn.index in planned)


def test_an_old_value_may_hold_a_period() -> None:
    said = marker("was_wrong").say("by 9.30", "it is ten")
    assert [match.marker.id for match in find_markers(said)] == ["was_wrong"]
