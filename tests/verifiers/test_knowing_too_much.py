"""Thoughts about others have to go back to something that was heard."""

from __future__ import annotations

import pytest
from company import TOPIC, company_scenario

from dtomtrack.beliefs.inner_speech import second_order
from dtomtrack.beliefs.matching import StateMatcher
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.verifiers.knowledge import knows_too_much

MATCHER = StateMatcher(company_scenario().topics)
CASH, CARD = ("Cleo", "I'll pay in cash."), ("Cleo", "No, I'll pay by card.")
RUMOUR = ("Ben", "Cleo is going to pay by transfer.")


@pytest.mark.parametrize(
    ("heard", "thought", "fine"),
    [
        ((CASH,), "pay in cash", True),
        ((CASH,), "pay by card", False),
        ((), "pay in cash", False),
        ((CASH, CARD), "pay by card", True),
        ((CASH, CARD), "pay in cash", False),
        ((CASH, RUMOUR), "pay by transfer", True),
        ((CASH, RUMOUR), "pay in cash", True),
        ((RUMOUR, CASH), "pay by transfer", False),
    ],
)
def test_a_thought_of_another_has_to_have_been_heard(
    heard: tuple[tuple[str, str], ...], thought: str, *, fine: bool
) -> None:
    thoughts = (second_order("Cleo", MentalState.INTENTION, thought, TOPIC),)
    assert (not list(knows_too_much("Ada", thoughts, heard, MATCHER, ()))) == fine


def test_a_name_within_a_word_names_nobody() -> None:
    thoughts = (second_order("Al", MentalState.INTENTION, "pay by card", TOPIC),)
    assert list(knows_too_much("Ada", thoughts, (("Ben", "Also, I'll pay by card."),), MATCHER, ()))
    assert not list(knows_too_much("Ada", thoughts, (("Ben", "Al's going to pay by card."),), MATCHER, ()))


def test_what_is_to_be_taken_for_granted_may_be_thought() -> None:
    thoughts = (second_order("Cleo", MentalState.INTENTION, "pay by card", TOPIC),)
    assert not list(knows_too_much("Ada", thoughts, (), MATCHER, ((TOPIC, "pay by card"),)))


@pytest.mark.parametrize(
    ("last", "thought", "fine"),
    [
        ("And I won't pay by card, it is slow.", "pay in cash", True),
        ("And I won't pay by card, it is slow.", "pay by card", False),
        ("Or shall I pay by card?", "pay in cash", True),
        ("Or shall I pay by card?", "pay by card", True),
    ],
)
def test_a_denial_or_a_question_takes_nothing_back(last: str, thought: str, *, fine: bool) -> None:
    thoughts = (second_order("Cleo", MentalState.INTENTION, thought, TOPIC),)
    assert (not list(knows_too_much("Ada", thoughts, (CASH, ("Cleo", last)), MATCHER, ()))) == fine


@pytest.mark.parametrize(
    "own", ["Cleo, you could pay by card.", "I think Cleo will pay by card.", "Will Cleo pay by card?"]
)
def test_ones_own_words_bear_out_nothing(own: str) -> None:
    thoughts = (second_order("Cleo", MentalState.INTENTION, "pay by card", TOPIC),)
    assert list(knows_too_much("Ada", thoughts, (CASH, ("Ada", own)), MATCHER, ()))
    assert not list(knows_too_much("Ada", thoughts, (CASH, ("Ben", own)), MATCHER, ()))
