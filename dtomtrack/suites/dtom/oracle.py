"""The oracle: it answers from what the tracker has on record, whatever a question says is right.

Records tell what everybody holds and takes each other to hold; for longer chains of minds the tracker reads the
dialogue again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.questions.spec import NO_TURN, as_option, at_turn
from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.evaluation.rules import drawn
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import context_of

__all__ = ["actual_state", "oracle", "saying"]


def oracle(shown: PresentedItem) -> frozenset[int]:
    """The options that say what is on record."""
    dialogue, question = context_of(shown.item).dialogue, context_of(shown.item).question
    if question.select == "any":
        knowing = _knowing(dialogue, question)
        return frozenset(place for place, name in enumerate(shown.item.options) if name in knowing) or shown.meant("A")
    return saying(shown, _on_record(dialogue, question))


def saying(shown: PresentedItem, text: str | None) -> frozenset[int]:
    """The option of this text; any, where none is."""
    right = [letter for letter, option in shown.shown.items() if option == text]
    return shown.meant(drawn(shown, right or shown.shown))


def actual_state(dialogue: Dialogue, holder: str, topic: str, turn: int) -> str | None:
    """The option that says what somebody held at a turn, or voiced next if they had voiced nothing by then."""
    history = _history(dialogue, holder, topic, None)
    held = _at(history, turn) or next(iter(history), None)
    return None if held is None else as_option(held.content)


def _on_record(dialogue: Dialogue, question: Question) -> str | None:
    """The right option's text, by what is asked and by the records of whose state it is."""
    if question.type is QuestionType.UPDATE_DETECTION:
        return _change(dialogue, question)
    if question.turn is None:
        return None
    if question.factors.asks == "learnt":
        return _learnt(dialogue, question, question.turn)
    if question.factors.asks == "actual":
        return actual_state(dialogue, question.agent, question.topic, question.turn)
    if question.through and question.about is not None:
        tracker = BeliefTracker.of(dialogue.turns, names=dialogue.scenario.names)
        picture = tracker.picture(question.chain, question.about, question.topic, question.turn)
        return None if picture is None else as_option(picture.content)
    before = question.type is QuestionType.PRE_UPDATE
    history = _history(dialogue, question.agent, question.topic, question.about)
    held = _at(history, question.turn - 1 if before else question.turn)
    return None if held is None else as_option(held.content)


def _change(dialogue: Dialogue, question: Question) -> str:
    history = _history(dialogue, question.agent, question.topic, None)
    changes = list(_changes(dialogue, question.topic, history))
    if not changes:
        return NO_TURN
    return at_turn(changes[0] if question.factors.asks == "first_change" else changes[-1])


def _learnt(dialogue: Dialogue, question: Question, turn: int) -> str | None:
    """The turn from which on the agent is right about what another came to hold at a turn."""
    if question.about is None:
        return None
    new = _at(_history(dialogue, question.about, question.topic, None), turn)
    history = _history(dialogue, question.agent, question.topic, question.about)
    at_once = _at(history, turn)
    later = (one for one in history if one.source_turn > turn)
    right = (one for one in (at_once, *later) if one is not None and new is not None and one.content == new.content)
    return at_turn(next((max(turn, one.source_turn) for one in right), None))


def _knowing(dialogue: Dialogue, question: Question) -> set[str]:
    """Names of those who are right about what the agent holds at a turn."""
    turn = question.turn or 0
    own = _at(_history(dialogue, question.agent, question.topic, None), turn)
    pictures = {
        name: _at(_history(dialogue, name, question.topic, question.agent), turn) for name in dialogue.scenario.names
    }
    right = {name: one for name, one in pictures.items() if one and own and one.content == own.content}
    return set(right)


def _history(dialogue: Dialogue, holder: str, topic: str, about: str | None) -> list[BeliefRecord]:
    own = (one for one in dialogue.beliefs if (one.holder, one.topic, one.about) == (holder, topic, about))
    return sorted(own, key=lambda one: one.source_turn)


def _at(history: Iterable[BeliefRecord], turn: int) -> BeliefRecord | None:
    """The record that held at the end of a turn."""
    return max((one for one in history if one.source_turn <= turn), key=lambda one: one.source_turn, default=None)


def _changes(dialogue: Dialogue, topic: str, history: Iterable[BeliefRecord]) -> Iterator[int]:
    """The turns of changes from a value of the topic to another; of other contents nobody asks."""
    values = {value for one in dialogue.scenario.topics if one.id == topic for value in one.values}
    for old, new in pairwise(history):
        if not values or {old.content, new.content} <= values:
            yield new.source_turn
