"""The fifteen markers: said, and found again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.markers import EXPLICIT, IMPLICIT, MARKERS, Marker, find_markers, marker
from dtomtrack.schema import MentalState

OLD, NEW, ADOPTED = "the room by the door", "the room with a view", "the view it is, then"

_words = st.text(st.sampled_from("abcdefghijklmno"), min_size=1, max_size=6)
contents = st.lists(_words, min_size=1, max_size=5).map(" ".join)

every_marker = pytest.mark.parametrize("one", MARKERS, ids=lambda one: one.id)
every_explicit_marker = pytest.mark.parametrize("one", EXPLICIT, ids=lambda one: one.id)
every_state = pytest.mark.parametrize("state", list(MentalState))


def test_there_are_ten_implicit_and_five_explicit_markers() -> None:
    assert (len(IMPLICIT), len(EXPLICIT)) == (10, 5)
    assert MARKERS == IMPLICIT + EXPLICIT


def test_only_explicit_markers_name_the_old_state() -> None:
    assert not any(one.names_old for one in IMPLICIT)
    assert all(one.names_old for one in EXPLICIT)


def test_the_markers_of_the_paper_are_among_them() -> None:
    assert marker("actually").cue == "Actually,"
    assert marker("just_realized").cue == "I just realized something:"
    assert marker("wait").cue == "Wait,"
    assert marker("mistakenly_said").cue == "I mistakenly said"


def test_ids_and_cues_are_unique() -> None:
    assert len({one.id for one in MARKERS}) == len({one.cue for one in MARKERS}) == 15


@every_marker
def test_a_marker_is_found_by_its_id(one: Marker) -> None:
    assert marker(one.id) is one


def test_an_unknown_id_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nonsense"):
        marker("nonsense")


@every_marker
@every_state
def test_the_sentence_of_a_marker_is_found_as_that_marker(one: Marker, state: MentalState) -> None:
    (match,) = find_markers(one.say(state, OLD, NEW, ADOPTED))
    assert match.marker is one
    assert match.start == 0
    assert (match.old, match.new) == ((OLD, NEW) if one.names_old else (None, None))


@every_explicit_marker
@every_state
def test_the_sentence_of_an_explicit_marker_starts_with_its_cue_and_names_both_states(
    one: Marker, state: MentalState
) -> None:
    sentence = one.say(state, OLD, NEW, ADOPTED)
    assert sentence.startswith(one.cue)
    assert sentence.index(OLD) < sentence.index(NEW)
    assert ADOPTED not in sentence


@pytest.mark.parametrize("one", IMPLICIT, ids=lambda one: one.id)
@every_state
def test_an_implicit_marker_comes_before_the_new_state_in_the_speakers_words(one: Marker, state: MentalState) -> None:
    assert one.say(state, OLD, NEW, ADOPTED) == f"{one.cue} the view it is, then."


@given(st.sampled_from(EXPLICIT), st.sampled_from(MentalState), contents, contents)
def test_an_explicit_marker_gives_back_old_and_new(one: Marker, state: MentalState, old: str, new: str) -> None:
    (match,) = find_markers(one.say(state, old, new, "-"))
    assert (match.marker, match.old, match.new) == (one, old, new)


@given(st.sampled_from(MARKERS), st.sampled_from(MentalState), contents, contents, contents)
def test_a_marker_is_found_within_other_talk(one: Marker, state: MentalState, old: str, new: str, adopted: str) -> None:
    before = "Thanks for telling me. "
    (match,) = find_markers(f"{before}{one.say(state, old, new, adopted)} Shall we go on?")
    assert (match.marker, match.start) == (one, len(before))
    assert (match.old, match.new) == ((old, new) if one.names_old else (None, None))


@every_explicit_marker
@every_state
def test_a_value_that_looks_like_a_slot_is_not_filled_again(one: Marker, state: MentalState) -> None:
    (match,) = find_markers(one.say(state, "{new}", "{old}", "-"))
    assert (match.old, match.new) == ("{new}", "{old}")


def test_markers_stand_in_the_order_in_which_they_are_said() -> None:
    utterance = " ".join(
        [
            marker("wait").say(MentalState.DESIRE, OLD, NEW, ADOPTED),
            marker("turns_out").say(MentalState.DESIRE, OLD, NEW, ADOPTED),
            marker("actually").say(MentalState.DESIRE, OLD, NEW, ADOPTED),
        ]
    )
    found = find_markers(utterance)
    assert [match.marker.id for match in found] == ["wait", "turns_out", "actually"]
    assert [match.start for match in found] == sorted(match.start for match in found)
    assert [match.new for match in found] == [None, NEW, None]


def test_an_explicit_cue_outside_its_frame_names_no_states() -> None:
    (match,) = find_markers("I mistakenly said the wrong date.")
    assert (match.marker.id, match.old, match.new) == ("mistakenly_said", None, None)


@pytest.mark.parametrize(
    "utterance",
    [
        "",
        "A table for four, please.",
        "I actually like the terrace.",
        "Please wait, the kitchen is busy.",
        "Wait for me at the bar.",
        "Hold on to your ticket.",
        "We were wrong about the soup.",
        "Now that I have you on the phone, one question.",
        "I take it back to the kitchen.",
        "You know what we serve.",
    ],
)
def test_ordinary_talk_has_no_marker(utterance: str) -> None:
    assert find_markers(utterance) == []
