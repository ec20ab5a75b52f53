"""Baselines of DToM-Track: rules that know whose state a question is about.

recency and the rules of `retrieval` read the words of utterances; the oracle reads the tracker's records, and so does
actual, which forgets whose mind a question is about. None looks at what a question says is right, but that best-rule
chooses among the readers of words by what is right in other dialogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.questions.spec import NO_TURN, as_option, at_turn
from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.best_rule import best_of
from dtomtrack.evaluation.rules import COMMON_RULES, best, drawn, first_expressed, most_overlap, plain, turns_named
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import context_of
from dtomtrack.suites.dtom.retrieval import RETRIEVAL_RULES, everyone

__all__ = ["RULES"]


def _recency(shown: PresentedItem) -> str:
    """The option closest to the last word on the topic of the agent whose word counts; of turns, the last."""
    turns = turns_named(shown)
    if turns:
        return best(shown, turns)
    context = context_of(shown.item)
    question = context.question
    second_order = question.type is QuestionType.SECOND_ORDER and question.about is not None
    speaker = question.about if second_order else question.agent
    said = [turn.utterance for turn in context.dialogue.turns if turn.speaker == speaker]
    return first_expressed(shown, reversed(said)) or most_overlap(shown, said)


def _oracle(shown: PresentedItem) -> str:
    """The option that says what is on record."""
    context = context_of(shown.item)
    return _saying(shown, _on_record(context.dialogue, context.question))


def _saying(shown: PresentedItem, text: str | None) -> str:
    """The option of this text; any, where none is."""
    right = [letter for letter, option in shown.shown.items() if option == text]
    return drawn(shown, right or shown.shown)


def _on_record(dialogue: Dialogue, question: Question) -> str | None:
    """The right option's text, by what is asked and by the records of whose state it is."""
    history = _history(dialogue, question.agent, question.topic, question.about)
    if question.type is QuestionType.UPDATE_DETECTION:
        changes = list(_changes(dialogue, question.topic, history))
        if not changes:
            return NO_TURN
        return at_turn(changes[0] if question.factors.asks == "first_change" else changes[-1])
    if question.turn is None:
        return None
    if question.factors.asks == "actual":
        held = _actual(dialogue, question, history, question.turn)
    else:
        before = question.type is QuestionType.PRE_UPDATE
        held = _at(history, question.turn - 1 if before else question.turn)
    return None if held is None else as_option(held.content)


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


def _actual(dialogue: Dialogue, question: Question, history: Iterable[BeliefRecord], turn: int) -> BeliefRecord | None:
    """The state that the agent really held when another got it wrong, or voiced next if none was voiced by then."""
    wrongs = {
        held.content
        for other in dialogue.scenario.agents
        if (held := _at(_history(dialogue, other.name, question.topic, question.agent), turn)) is not None
    }
    now = _at(history, turn)
    coming = [one for one in history if one.source_turn > turn]
    return next((one for one in (now, *coming) if one is not None and one.content not in wrongs), None)


def _actually(shown: PresentedItem) -> frozenset[int]:
    """A reader who forgets whose mind a question is about: what is so is what everybody takes it for, and knows.

    Of somebody who has voiced no state yet, the one that is voiced next; other questions are answered from the records.
    """
    return everyone(shown) if shown.item.select == "any" else shown.meant(_state_itself(shown))


def _state_itself(shown: PresentedItem) -> str:
    """The option that says what is so, where a question asks what somebody takes it for."""
    context = context_of(shown.item)
    dialogue, question = context.dialogue, context.question
    if question.about is None or question.turn is None:
        return _oracle(shown)
    history = _history(dialogue, question.about, question.topic, None)
    held = _at(history, question.turn) or next(iter(history), None)
    return _saying(shown, None if held is None else as_option(held.content))


_READERS: Mapping[str, RuleMaker] = {
    **RETRIEVAL_RULES,
    **{name: COMMON_RULES[name] for name in ("first-mention", "most-mentioned", "overlap")},
    "recency": plain(_recency),
}
RULES: Mapping[str, RuleMaker] = {
    "recency": plain(_recency),
    **RETRIEVAL_RULES,
    "best-rule": best_of(_READERS),
    "actual": lambda items: _actually,
    "oracle": plain(_oracle),
}
"""By name, how each is made."""
