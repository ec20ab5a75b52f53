"""What follows an answer that is given: lines of the dialogue, remarks, and reasons for each option of a set."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.question import Question
from dtomtrack.items.replies import read_answer, read_answers
from dtomtrack.suites.dtom.slot_result import SlotResult

QUOTING = [
    'Answer: {letter}\n\nAt turn {turn}, {speaker} says: "{line}"',
    "{letter}\n\n{speaker}: {line}",
    "**{letter}**\n\n> {speaker}: {line}",
    "The answer is {letter}. {speaker} says \u201c{line}\u201d at turn {turn}.",
    '{letter}) {text}\n\nEvidence (turn {turn}): "{line}"',
    "Answer: {letter}\nTurn {turn}: {line}",
]
INTENTS = {"A": "Request for preference", "B": "Respond to a question", "C": "Recommend a movie", "D": "Explain"}
LEFT_OPEN = [
    "They do this:\n\n1. **Request for preference (A)** - asks.\n2. **Recommend a movie (C)** - names one.",
    "A) Request for preference - The recommender asks.\nC) Recommend a movie - The recommender names one.",
    "**A)** The recommender asks.\n**C)** The recommender names one.",
    "Primary: A. Secondary: C.",
    "The line asks, which corresponds to A. It also recommends, which corresponds to C.",
    "A is the main intention; C is secondary.",
    "The utterance expresses two intentions: (A) asking and (C) recommending.",
]


def _quoted(slots: list[SlotResult]) -> Iterator[tuple[Question, Turn]]:
    """Each turn of each dialogue with a third of its questions."""
    for slot in slots:
        assert slot.dialogue is not None
        for turn in slot.dialogue.turns:
            yield from ((question, turn) for question in slot.questions[turn.index % 3 :: 3])


@pytest.mark.parametrize("form", QUOTING)
def test_a_quoted_line_of_a_generated_dialogue_does_not_replace_the_answer(
    form: str, slots: dict[str, list[SlotResult]]
) -> None:
    misread = []
    for question, turn in _quoted(slots["restaurant"]):
        options = dict[str, str](question.options.items())
        letter, text = question.answer, options[question.answer]
        reply = form.format(letter=letter, text=text, turn=turn.index, speaker=turn.speaker, line=turn.utterance)
        if read_answer(reply, options) != letter:
            misread.append(reply)
    assert misread == []


@pytest.mark.parametrize("reply", LEFT_OPEN)
def test_a_set_is_read_whole_or_not_at_all(reply: str) -> None:
    assert read_answers(reply, INTENTS) in (None, frozenset("AC"))
