"""Baselines of DToM-Track: rules that know whose state a question is about.

recency and the rules of `retrieval` read the words of utterances; the oracle reads the tracker's records, and so does
actual, which forgets whose mind a question is about. None looks at what a question says is right, but that best-rule
chooses among the readers of words by what is right in other dialogues.
"""

from __future__ import annotations

from collections.abc import Mapping

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.best_rule import best_of
from dtomtrack.evaluation.rules import COMMON_RULES, best, first_expressed, most_overlap, plain, turns_named
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import context_of
from dtomtrack.suites.dtom.oracle import actual_state, oracle, saying
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


def _actually(shown: PresentedItem) -> frozenset[int]:
    """A reader who forgets whose mind a question is about: everybody knows what is so, and at once.

    Other questions are answered from the records.
    """
    question, dialogue = context_of(shown.item).question, context_of(shown.item).dialogue
    if shown.item.select == "any":
        return everyone(shown)
    if question.about is None or question.turn is None:
        return oracle(shown)
    turns = turns_named(shown)
    if turns:
        return shown.meant(best(shown, {letter: -turn for letter, turn in turns.items()}))
    return saying(shown, actual_state(dialogue, question.about, question.topic, question.turn))


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
    "oracle": lambda items: oracle,
}
"""By name, how each is made."""
