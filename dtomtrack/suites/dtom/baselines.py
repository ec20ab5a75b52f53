"""Baselines of DToM-Track: rules that know whose state a question is about.

recency and the rules of `retrieval` read the words of utterances; the oracle reads the tracker's records, and so does
actual, which forgets whose mind a question is about. None looks at what a question says is right, but that best-rule
chooses among the readers of words by what is right in other dialogues.
"""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.spec import as_option
from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.best_rule import best_of
from dtomtrack.evaluation.rules import COMMON_RULES, best, drawn, first_expressed, most_overlap, plain, turns_named
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import context_of
from dtomtrack.suites.dtom.oracle import history_of, on_record, state_at
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


def _oracle(shown: PresentedItem) -> frozenset[int]:
    """The options that say what is on record."""
    context = context_of(shown.item)
    texts = on_record(context.dialogue, context.question)
    right = [letter for letter, option in shown.shown.items() if option in texts]
    return shown.meant(right or drawn(shown, shown.shown))


def _saying(shown: PresentedItem, text: str | None) -> str:
    """The option of this text; any, where none is."""
    right = [letter for letter, option in shown.shown.items() if option == text]
    return drawn(shown, right or shown.shown)


def _actually(shown: PresentedItem) -> frozenset[int]:
    """A reader who forgets whose mind a question is about: everybody knows what is so, and at once.

    Of somebody who has voiced no state yet, the one that is voiced next; other questions are answered from the records.
    """
    return everyone(shown) if shown.item.select == "any" else _state_itself(shown)


def _state_itself(shown: PresentedItem) -> frozenset[int]:
    """The option that says what is so, where a question asks what somebody takes it for."""
    context = context_of(shown.item)
    dialogue, question = context.dialogue, context.question
    if question.about is None or question.turn is None:
        return _oracle(shown)
    turns = turns_named(shown)
    if turns:
        return shown.meant(best(shown, {letter: -turn for letter, turn in turns.items()}))
    history = history_of(dialogue, question.about, question.topic, None)
    held = state_at(history, question.turn) or next(iter(history), None)
    return shown.meant(_saying(shown, None if held is None else as_option(held.content)))


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
    "oracle": lambda items: _oracle,
}
"""By name, how each is made."""
