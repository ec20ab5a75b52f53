"""There are words for every kind of question."""

from __future__ import annotations

from random import Random

import pytest

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.wordings import word
from dtomtrack.beliefs.scenario import MentalState

KINDS = [
    (QuestionType.PRE_UPDATE, "state"),
    (QuestionType.POST_UPDATE, "state"),
    (QuestionType.UPDATE_DETECTION, "first_change"),
    (QuestionType.UPDATE_DETECTION, "last_change"),
    (QuestionType.TEMPORAL, "state"),
    (QuestionType.SECOND_ORDER, "state"),
    (QuestionType.FALSE_BELIEF, "actual"),
    (QuestionType.FALSE_BELIEF, "assumed"),
    (QuestionType.SECOND_ORDER, "chain"),
    (QuestionType.INFORMATION_ACCESS, "who_knows"),
    (QuestionType.INFORMATION_ACCESS, "learnt"),
]
NAMES = {"agent": "Maya", "other": "Ben", "through": "Cleo", "topic": "the {turn} seating", "turn": "17"}
ABOUT_ONE = {"state", "first_change", "last_change", "who_knows"}


def wordings(question_type: QuestionType, asks: str, state: MentalState) -> set[str]:
    """All wordings of a kind, as far as fifty draws find them."""
    rng = Random(0)
    return {word(question_type, asks, state, NAMES, rng) for _ in range(50)}


def test_every_question_type_is_worded() -> None:
    assert {question_type for question_type, _ in KINDS} == set(QuestionType)


@pytest.mark.parametrize("state", MentalState)
@pytest.mark.parametrize(("question_type", "asks"), KINDS)
def test_each_kind_of_question_has_several_wordings(question_type: QuestionType, asks: str, state: MentalState) -> None:
    assert len(wordings(question_type, asks, state)) >= 2


@pytest.mark.parametrize("state", MentalState)
@pytest.mark.parametrize(("question_type", "asks"), KINDS)
def test_a_question_names_whom_and_what_it_is_about(question_type: QuestionType, asks: str, state: MentalState) -> None:
    for text in wordings(question_type, asks, state):
        assert "Maya" in text
        assert "the {turn} seating" in text, "a label is put in as it is, never filled again"
        about_one = asks in ABOUT_ONE and question_type is not QuestionType.SECOND_ORDER
        assert ("Ben" in text) != about_one
        assert ("Cleo" in text) == (asks == "chain")
        assert ("turn 17" in text) == (question_type is not QuestionType.UPDATE_DETECTION)
        assert "{" not in text.replace("{turn}", "", 1)
        assert text.endswith("?")


@pytest.mark.parametrize("state", MentalState)
def test_no_two_kinds_share_a_wording(state: MentalState) -> None:
    every = [text for question_type, asks in KINDS for text in wordings(question_type, asks, state)]
    assert len(set(every)) == len(every)


@pytest.mark.parametrize("state", MentalState)
def test_the_first_and_the_last_change_are_told_apart(state: MentalState) -> None:
    first = wordings(QuestionType.UPDATE_DETECTION, "first_change", state)
    last = wordings(QuestionType.UPDATE_DETECTION, "last_change", state)
    assert all("first" in text and "last" not in text for text in first)
    assert all("last" in text and "first" not in text for text in last)
