"""Who tells others something else of a third than they had: what they themselves take to be so is asked no more."""

from __future__ import annotations

from dtomtrack.beliefs.dialogue import Expression, Turn
from dtomtrack.beliefs.inner_speech import thought
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.questions.pictures import spans_of
from dtomtrack.beliefs.tracker import BeliefTracker


def line(index: int, speaker: str, said: str = "", about: str | None = None) -> Turn:
    """Cleo thinks and says what she means to pay by; Ada and Ben tell each other."""
    here = ("Ada", "Ben") if about else ("Ada", "Ben", "Cleo")
    turn = Turn(index=index, speaker=speaker, inner_speech=(), utterance="...", audience=here)
    if about:
        return turn.model_copy(update={"said": (Expression(topic="bill", content=said, about=about),)})
    return turn.model_copy(update={"inner_speech": (thought(MentalState.INTENTION, said, "bill"),) if said else ()})


def pictures(chain: tuple[str, ...], *turns: Turn) -> list[tuple[str, int, int]]:
    """What a chain of minds takes Cleo to pay by, and the first and last turn at which it is asked about."""
    tracker = BeliefTracker.of([line(0, "Cleo", "pay cash"), line(1, "Ben"), *turns])
    spans = (span for span in spans_of(tracker, 1 + len(chain)) if span.chain == chain)
    return [(span.picture.content, span.first, span.last) for span in spans]


def test_from_a_garbled_report_on_the_teller_is_asked_about_no_more() -> None:
    garbled = (line(2, "Ben", "pay by card", about="Cleo"), line(3, "Ada"), line(4, "Ben"))
    assert pictures(("Ben",), *garbled) == [("pay cash", 0, 1)]
    assert pictures(("Ada", "Ben"), *garbled) == [("pay cash", 0, 1)]
    assert pictures(("Ada",), *garbled)[0] == ("pay cash", 0, 4)


def test_a_right_report_changes_nothing() -> None:
    assert pictures(("Ben",), line(2, "Ben", "pay cash", about="Cleo"), line(3, "Ada")) == [("pay cash", 0, 3)]


def test_when_they_hear_it_anew_they_are_asked_about_again() -> None:
    garbled = (line(2, "Ben", "pay by card", about="Cleo"), line(3, "Ada"))
    anew = (line(4, "Cleo", "pay in coins"), line(5, "Ada"))
    assert pictures(("Ben",), *garbled, *anew) == [("pay cash", 0, 1), ("pay in coins", 4, 5)]


def test_a_change_that_they_miss_begins_no_new_question() -> None:
    away = line(3, "Cleo", "pay in coins").model_copy(update={"audience": ("Ada", "Cleo")})
    garbled = (line(2, "Ben", "pay by card", about="Cleo"), away, line(4, "Ada"), line(5, "Ben"))
    assert pictures(("Ben",), *garbled) == [("pay cash", 0, 1)]
