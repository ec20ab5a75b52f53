"""What the words of a turn claim of the speaker's own state, where somebody else may hold the same topic."""

from __future__ import annotations

import pytest

from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.matching import ThoughtfulListener
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.beliefs.statements import own_statements

SEAT = Topic(
    id="seat",
    label="the table",
    mental_state=MentalState.DESIRE,
    holder="Ann",
    co_holders=("Ben",),
    values=("the window table", "the terrace table", "the corner seat"),
)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I want the window table. Fine.", "I want the window table. Fine."),
        ("Is the window table free? I want it.", "I want it."),
        ("Ben wants the window table. I don't mind.", "I don't mind."),
        ("You want the window table, then.", ""),
        ("Is the window table free?! I want it.", "I want it."),
        ("Is the window table free\uff1f I want it\u3002", "I want it\u3002"),
        ("Is the window table free\u061f I want it\u06d4 You do not\u0964", "I want it\u06d4"),
    ],
)
def test_questions_and_what_is_said_of_others_are_no_own_statements(text: str, own: str) -> None:
    assert own_statements(SEAT, "Ann", text) == own


@pytest.mark.parametrize("mark", ["?", "\uff1f", "\u061f"])
def test_a_question_asks_in_any_script(mark: str) -> None:
    thoughts = (second_order("Ben", MentalState.DESIRE, "the terrace table", "seat"),)
    heard = ThoughtfulListener([SEAT]).hear(5, "Ann", f"You want the terrace table{mark}", thoughts, ())
    assert [one.act for one in heard] == [Act.ASK]


@pytest.mark.parametrize(
    ("utterance", "stated"),
    [
        ("Between us, I want the window table.", ["the window table"]),
        ("Ben wants the window table.", []),
        ("Anything but the window table, please.", []),
        ("I don't want the window table.", []),
    ],
)
def test_an_untruth_in_an_aside_is_what_is_said_as_ones_own(utterance: str, stated: list[str]) -> None:
    thoughts = (thought(MentalState.DESIRE, "the terrace table", "seat"),)
    heard = ThoughtfulListener([SEAT]).hear(5, "Ann", utterance, thoughts, ("Ann", "Cleo"))
    assert [one.content for one in heard if one.act is Act.STATE] == stated
