"""Where minds come apart, it is asked how it stood when a turn was over: it may be that in which a mind changed."""

from __future__ import annotations

from random import Random

import pytest

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.questions.wordings import word

NAMES = {"agent": "Ann", "other": "Ben", "topic": "the key", "turn": "19"}
ASKED = [
    (QuestionType.TEMPORAL, "state"),
    (QuestionType.SECOND_ORDER, "state"),
    (QuestionType.FALSE_BELIEF, "assumed"),
    (QuestionType.FALSE_BELIEF, "actual"),
    (QuestionType.INFORMATION_ACCESS, "who_knows"),
]


@pytest.mark.parametrize(("kind", "asks"), ASKED)
def test_the_end_of_the_turn_is_named(kind: QuestionType, asks: str) -> None:
    for seed in range(20):
        asked = word(kind, asks, MentalState.INTENTION, NAMES, Random(seed), Moment(19), by_its_end=True)
        assert "t the end of turn 19" in asked or "when it came to" in asked, asked
        assert "{" not in asked


def test_an_event_and_the_turn_of_a_change_are_named_as_ever() -> None:
    for kind, asks in ((QuestionType.TEMPORAL, "state"), (QuestionType.INFORMATION_ACCESS, "learnt")):
        moment = Moment(19, "Ben came back" if asks == "state" else "")
        asked = word(kind, asks, MentalState.DESIRE, NAMES, Random(1), moment, by_its_end=True)
        assert "the end of" not in asked


@pytest.mark.parametrize("asks", ["first_change", "last_change"])
def test_who_may_have_known_nothing_before_is_not_said_to_correct_anything(asks: str) -> None:
    for seed in range(20):
        asked = word(QuestionType.UPDATE_DETECTION, asks, MentalState.KNOWLEDGE, NAMES, Random(seed), by_its_end=True)
        assert "for a fact" not in asked, asked
        assert asks.partition("_")[0] in asked
        assert "about the key" in asked
