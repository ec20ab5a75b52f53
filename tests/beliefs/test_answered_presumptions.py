"""What is wrongly taken for granted to the holder's face is asked about until they answer, and no longer."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.dialogue import Expression, Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.questions.pictures import spans_of
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker

CASH = thought(MentalState.INTENTION, "pay cash", "bill")
BY_CARD = (Expression(topic="bill", content="pay by card", about="Cleo", presumed=True),)


def line(index: int, speaker: str, *hearers: str) -> Turn:
    audience = (speaker, *hearers) if hearers else ()
    return Turn(index=index, speaker=speaker, inner_speech=(), utterance="...", audience=audience)


def wrong_pictures(*turns: Turn) -> list[tuple[int, int]]:
    """First and last turn of the spans over which Ada is wrong about Cleo, who said in the first turn: cash."""
    tracker = BeliefTracker.of([line(0, "Cleo").model_copy(update={"inner_speech": (CASH,)}), *turns])
    return [(span.first, span.last) for span in spans_of(tracker, 2) if span.chain == ("Ada",) and span.apart]


@pytest.mark.parametrize("hearers", [(), ("Cleo",)])
def test_to_the_face_it_ends_before_the_answer(hearers: tuple[str, ...]) -> None:
    presumed = line(1, "Ada", *hearers).model_copy(update={"said": BY_CARD})
    assert wrong_pictures(presumed, line(2, "Ben"), line(3, "Cleo"), line(4, "Ben"), line(5, "Ada")) == [(1, 2)]


def test_behind_the_back_it_goes_on() -> None:
    presumed = line(1, "Ada", "Ben").model_copy(update={"said": BY_CARD})
    assert wrong_pictures(presumed, line(2, "Ben"), line(3, "Cleo"), line(4, "Ben")) == [(1, 4)]


def test_of_what_was_answered_no_later_part_is_asked_about_when_the_holder_thinks_better_of_it() -> None:
    presumed = line(1, "Ada").model_copy(update={"said": BY_CARD})
    change = thought(MentalState.INTENTION, "pay in coins", "bill")
    changed = line(4, "Cleo", "Ben").model_copy(update={"inner_speech": (change,)})
    assert wrong_pictures(presumed, line(2, "Cleo"), line(3, "Ben"), changed, line(5, "Ben")) == [(1, 1)]
