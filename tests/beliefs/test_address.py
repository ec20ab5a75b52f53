"""Whom a sentence is said to, whom it speaks of, and whose state it is about."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.address import holder_meant, is_addressed, is_told_of
from dtomtrack.beliefs.inner_speech import second_order
from dtomtrack.beliefs.matching import ThoughtfulListener
from dtomtrack.beliefs.reading import Act, DistinctiveWordReader
from dtomtrack.beliefs.scenario import MentalState, Topic

SEAT = Topic(
    id="seat",
    label="the seat",
    mental_state=MentalState.DESIRE,
    holder="Ana",
    values=("the balcony", "a window seat", "the corner bench"),
)
SHARED = SEAT.model_copy(update={"co_holders": ("Ben",)})


@pytest.mark.parametrize(
    "sentence",
    [
        "By the way, Ben will pay by card.",
        "Cleo, Ben will pay by card.",
        "You know, Cleo, Ben will pay by card.",
        "After dinner, Ben will pay by card.",
        "Ben, I hear, will pay by card.",
        "Ben, by the way, wants to pay by card.",
        "While you were out, Ben decided to pay by card.",
        "Did you know that Ben pays by card.",
        "As for Ben, it is the card.",
        "The card is Ben's choice.",
    ],
)
def test_a_name_beside_a_comma_may_well_be_spoken_of(sentence: str) -> None:
    assert is_told_of("Ben", sentence)
    assert not is_addressed("Ben", sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Ben, the card is fine.",
        "Ben, as you know, cards are fine.",
        "The card is fine, Ben.",
        "Well, Ben, will you pay by card?",
        "Thanks Ben, the card it is.",
        "Hi Ben! The card it is.",
        "Ben you will pay by card.",
        "So, Ben: the card.",
        "Ben, please, can you pay by card.",
    ],
)
def test_a_name_that_is_set_off_is_called(sentence: str) -> None:
    assert is_addressed("Ben", sentence)
    assert not is_told_of("Ben", sentence)


def test_within_another_word_is_no_name() -> None:
    assert not is_addressed("Al", "Also, the card.")
    assert not is_told_of("Al", "Also the card.")


@pytest.mark.parametrize(
    "utterance", ["By the way, Ana wants the balcony.", "Cleo, while you were out, Ana wanted the balcony."]
)
def test_what_is_told_of_a_third_is_heard_beside_commas(utterance: str) -> None:
    thoughts = (second_order("Ana", MentalState.DESIRE, "the balcony", "seat"),)
    heard = ThoughtfulListener([SEAT]).hear(5, "Ben", utterance, thoughts, ())
    assert [(one.act, one.holder) for one in heard] == [(Act.TELL, "Ana")]


@pytest.mark.parametrize(
    ("sentence", "holder"),
    [
        ("I want a window seat, if you ask me.", "Ana"),
        ("Thank you, a window seat.", "Ana"),
        ("While you were out, I took a window seat.", "Ana"),
        ("I want a window seat near you.", "Ana"),
        ("Ben, I want a window seat.", "Ana"),
        ("You want a window seat.", "Ben"),
        ("I think that you want a window seat.", "Ben"),
        ("I'm sure you'd like a window seat.", "Ben"),
        ("A window seat is just your thing.", "Ben"),
        ("Ben, a window seat is just your thing.", "Ben"),
        ("Ben wants a window seat, I tell you.", "Ben"),
        ("I want what you want, a window seat.", None),
    ],
)
def test_whose_state_it_is_about_where_two_may_hold_it(sentence: str, holder: str | None) -> None:
    assert holder_meant(SHARED, "Ana", sentence) == holder


def test_ones_own_wish_is_no_presumption_about_the_other() -> None:
    found = DistinctiveWordReader([SHARED]).read(1, "Ana", "I want a window seat, if you ask me.")
    assert [(one.act, one.holder) for one in found] == [(Act.STATE, "Ana")]
    assert DistinctiveWordReader([SHARED]).read(1, "Ana", "I want what you want, a window seat.") == []


@pytest.mark.parametrize(
    ("names", "utterance", "act"),
    [
        (("Ben", "Cleo"), "Ben, you want the balcony, right.", Act.ARGUE),
        (("Ben", "Cleo"), "So you want the balcony.", Act.ARGUE),
        (("Ben", "Cleo"), "Ana, so you want the balcony.", Act.PRESUME),
        (("Ben", "Cleo"), "Listen, Ana. So you want the balcony.", Act.PRESUME),
        (("Ben", "Cleo"), "Ana wants the balcony, you see.", Act.TELL),
        (("Cleo",), "So you want the balcony.", Act.PRESUME),
    ],
)
def test_you_is_who_is_called_or_the_only_other(names: tuple[str, ...], utterance: str, act: Act) -> None:
    found = DistinctiveWordReader([SEAT], names).read(1, "Cleo", utterance)
    assert [(one.act, one.holder) for one in found] == [(act, "Ana")]


@pytest.mark.parametrize("mark", ["?", "\uff1f", "\u061f"])
def test_a_question_is_one_in_any_script(mark: str) -> None:
    found = DistinctiveWordReader([SEAT]).read(1, "Cleo", f"Do you want the balcony{mark} Fine\u3002")
    assert [one.act for one in found] == [Act.ASK]


@pytest.mark.parametrize("stop", ["\u3002", "\uff01", "\uff1f", "\u061f", "\u06d4"])
def test_sentences_end_in_any_script(stop: str) -> None:
    found = DistinctiveWordReader([SEAT]).read(1, "Ana", f"Not the balcony{stop} A window seat{stop} The corner bench.")
    stated = [one.content for one in found]
    assert stated == (["the corner bench"] if stop in "\uff1f\u061f" else ["a window seat", "the corner bench"])
