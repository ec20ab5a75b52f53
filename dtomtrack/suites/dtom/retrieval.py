"""Rules that retrieve by turn: they read who said which option when, and know nothing of who heard it.

They see the transcript as a model sees it. Where they do well, a question tests retrieval and not who knows what.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.questions.spec import NO_TURN
from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.rules import best, drawn, most_overlap, plain, turns_named
from dtomtrack.evaluation.said import mentions
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import context_of

__all__ = ["RETRIEVAL_RULES", "everyone"]


def _last_before(shown: PresentedItem) -> str:
    """The option that the one whose state it is mentioned last before the turn asked about; of turns, the last."""
    question = context_of(shown.item).question
    return _last_by(shown, question.about or question.agent)


def _last_by_thinker(shown: PresentedItem) -> str:
    """The same of the one who thinks so: of A's picture of B, what A mentioned."""
    return _last_by(shown, context_of(shown.item).question.agent)


def _last_by_anyone(shown: PresentedItem) -> str:
    """The same of whoever spoke."""
    return _last_by(shown, None)


def _last_by(shown: PresentedItem, speaker: str | None) -> str:
    """The option mentioned last by then; where none was, the first that was mentioned later, or the most alike."""
    turns = turns_named(shown)
    if turns:
        return best(shown, turns)
    context = context_of(shown.item)
    before, after = _around(context.dialogue, context.question, speaker)
    found = chain(_backwards(shown, before), mentions(shown.shown, after))
    return next(found, None) or most_overlap(shown, (*before, *after))


def _around(dialogue: Dialogue, question: Question, speaker: str | None) -> tuple[list[str], list[str]]:
    """The utterances up to the moment that a question asks about, and those that follow.

    Which turn was somebody's second change of mind no question says, so that a rule has the whole dialogue before it.
    """
    strict = question.type is QuestionType.PRE_UPDATE
    told = question.turn is not None and question.factors.asked_by != "change"
    end = question.turn - strict if told and question.turn is not None else len(dialogue.turns)
    own = [turn for turn in dialogue.turns if speaker in {None, turn.speaker}]
    return (
        [turn.utterance for turn in own if turn.index <= end],
        [turn.utterance for turn in own if turn.index > end],
    )


def _backwards(shown: PresentedItem, texts: Iterable[str]) -> Iterator[str]:
    for text in reversed(list(texts)):
        yield from reversed(list(mentions(shown.shown, [text])))


def _marker_turn(shown: PresentedItem) -> str:
    """Asked when somebody changed their mind, a turn in which they said a marker, else no turn; else a guess."""
    context = context_of(shown.item)
    question = context.question
    if question.type is not QuestionType.UPDATE_DETECTION:
        return drawn(shown, shown.shown)
    marked = {
        float(turn.index)
        for turn in context.dialogue.turns
        if turn.speaker == question.agent and find_markers(turn.utterance)
    }
    offered = {letter: turn for letter, turn in turns_named(shown).items() if turn in marked}
    if offered:
        first = question.factors.asks == "first_change"
        return best(shown, {letter: -turn if first else turn for letter, turn in offered.items()})
    return drawn(shown, [letter for letter, text in shown.shown.items() if text == NO_TURN] or shown.shown)


def everyone(shown: PresentedItem) -> frozenset[int]:
    """Asked who knows, everybody; else a guess."""
    if shown.item.select == "one":
        return shown.meant(drawn(shown, shown.shown))
    return frozenset(range(len(shown.item.options)))


def _present(shown: PresentedItem) -> frozenset[int]:
    """Asked who knows, whoever is in the room at the turn asked about; else a guess."""
    context = context_of(shown.item)
    if shown.item.select == "one" or context.question.turn is None:
        return everyone(shown)
    there = context.dialogue.scenario.present(context.question.turn)
    named = frozenset(position for position, option in enumerate(shown.item.options) if option in there)
    return named or everyone(shown)


RETRIEVAL_RULES: Mapping[str, RuleMaker] = {
    "last-before": plain(_last_before),
    "last-by-thinker": plain(_last_by_thinker),
    "last-by-anyone": plain(_last_by_anyone),
    "marker-turn": plain(_marker_turn),
    "everyone": lambda items: everyone,
    "present": lambda items: _present,
}
"""By name, how each is made."""
