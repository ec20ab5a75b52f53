"""Baselines: rules that answer questions without a model, and always answer.

random, first-letter, longest and frequent-gold never see the dialogue: what they reach is what a question gives away by
itself. recency, first-mention and overlap read the words of the utterances, and nothing of a domain's. The oracle reads
the tracker's records. None of them looks at what a question says is right, but that frequent-gold counts it in the
questions of other dialogues.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Protocol

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.matching import stems
from dtomtrack.beliefs.question import LETTERS, Letter, Question, QuestionType
from dtomtrack.beliefs.questions.spec import NO_TURN, as_option, at_turn
from dtomtrack.errors import ModelSpecError
from dtomtrack.evaluation.asked import Asked, Shown

__all__ = ["BASELINES", "PREFIX", "Baseline", "open_baseline"]

PREFIX = "baseline/"
_FOLDS = 10
_HALF = 0.5
_TURN = re.compile(r"\bturn (\d+)\b", re.IGNORECASE)


class Baseline(Protocol):
    """A rule that answers questions."""

    def __call__(self, asked: Asked) -> Letter:
        """The letter of an option, as it is shown."""
        ...


def open_baseline(name: str, questions: Callable[[], Iterable[Question]]) -> Baseline:
    """A baseline by name.

    Args:
        name: with its prefix: "baseline/random".
        questions: all questions of the dataset, for a rule that learns from the others.

    Raises:
        ModelSpecError: there is none of this name.
    """
    make = BASELINES.get(name.removeprefix(PREFIX))
    if make is None:
        raise ModelSpecError(f"model {name!r}: there is no such baseline; there are {', '.join(BASELINES)}")
    return make(questions)


# -- rules that never see the dialogue -------------------------------------------------------------------------------


def _random(asked: Asked) -> Letter:
    return _drawn(asked, LETTERS)


def _drawn(asked: Asked, among: Collection[Letter]) -> Letter:
    """One of these letters, drawn by the item's own id and by how its options stand."""
    told = f"{asked.question.id}/{asked.rotation}".encode()
    letters = sorted(among)
    return letters[int.from_bytes(hashlib.sha256(told).digest()[:8], "big") % len(letters)]


def _best(asked: Asked, scores: Mapping[Letter, float]) -> Letter:
    """The letter with the highest score; among several, one is drawn."""
    most = max(scores.values())
    return _drawn(asked, [letter for letter, score in scores.items() if score == most])


def _first_letter(asked: Asked) -> Letter:
    return LETTERS[0]


def _longest(asked: Asked) -> Letter:
    return _best(asked, {letter: float(len(text)) for letter, text in asked.shown.items()})


class _FrequentGold:
    """The option that is right most often in questions of its type; counted in the dialogues of the other folds."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._all: Counter[tuple[QuestionType, str]] = Counter()
        self._folds: list[Counter[tuple[QuestionType, str]]] = [Counter() for _ in range(_FOLDS)]
        for question in questions:
            gold = (question.type, question.gold)
            self._all[gold] += 1
            self._folds[_fold(question)][gold] += 1

    def __call__(self, asked: Asked) -> Letter:
        own, of_type = self._folds[_fold(asked.question)], asked.question.type
        scores = {letter: self._all[of_type, text] - own[of_type, text] for letter, text in asked.shown.items()}
        return _best(asked, scores)


def _fold(question: Question) -> int:
    return hashlib.sha256(question.dialogue_id.encode()).digest()[0] % _FOLDS


# -- rules that read the words of the utterances ---------------------------------------------------------------------


def _recency(asked: Asked) -> Letter:
    """The option closest to the last word on the topic of the agent whose word counts; of turns, the last."""
    turns = _turns_named(asked.shown)
    if turns:
        return _best(asked, turns)
    question = asked.question
    second_order = question.type is QuestionType.SECOND_ORDER and question.about is not None
    speaker = question.about if second_order else question.agent
    said = [turn.utterance for turn in asked.dialogue.turns if turn.speaker == speaker]
    return _first_expressed(asked, reversed(said)) or _most_overlap(asked, said)


def _first_mention(asked: Asked) -> Letter:
    """The option that anybody mentions first; of turns, the first."""
    turns = _turns_named(asked.shown)
    if turns:
        return _best(asked, {letter: -turn for letter, turn in turns.items()})
    said = [turn.utterance for turn in asked.dialogue.turns]
    return _first_expressed(asked, said) or _most_overlap(asked, said)


def _overlap(asked: Asked) -> Letter:
    """The option most of whose words occur in the dialogue."""
    return _most_overlap(asked, [turn.utterance for turn in asked.dialogue.turns])


def _turns_named(shown: Shown) -> dict[Letter, float]:
    """The turn that each option names, where two or more do."""
    found = {letter: _TURN.search(text) for letter, text in shown.items()}
    turns = {letter: float(match[1]) for letter, match in found.items() if match is not None}
    return turns if len(turns) > 1 else {}


def _first_expressed(asked: Asked, utterances: Iterable[str]) -> Letter | None:
    """What the first utterance that expresses one of the options expresses: most of the words that tell it apart."""
    words = {letter: stems(text) for letter, text in asked.shown.items()}
    telling = {
        letter: own.difference(*(theirs for other, theirs in words.items() if other != letter))
        for letter, own in words.items()
    }
    for utterance in utterances:
        said = stems(utterance)
        shares = {letter: len(own & said) / len(own) for letter, own in telling.items() if own}
        most = max(shares.values(), default=0.0)
        if most >= _HALF:
            return _best(asked, shares)
    return None


def _most_overlap(asked: Asked, utterances: Iterable[str]) -> Letter:
    said = frozenset[str]().union(*map(stems, utterances))
    words = {letter: stems(text) for letter, text in asked.shown.items()}
    return _best(asked, {letter: len(own & said) / max(1, len(own)) for letter, own in words.items()})


# -- the rule that reads the tracker ---------------------------------------------------------------------------------


def _oracle(asked: Asked) -> Letter:
    """The option that says what is on record."""
    text = _on_record(asked.dialogue, asked.question)
    right = [letter for letter, shown in asked.shown.items() if shown == text]
    return _drawn(asked, right or LETTERS)


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
    """What was held at the end of a turn."""
    return max((one for one in history if one.source_turn <= turn), key=lambda one: one.source_turn, default=None)


def _changes(dialogue: Dialogue, topic: str, history: Iterable[BeliefRecord]) -> Iterator[int]:
    """The turns of changes from a value of the topic to another; of what is none nobody asks."""
    values = {value for one in dialogue.scenario.topics if one.id == topic for value in one.values}
    for old, new in pairwise(history):
        if not values or {old.content, new.content} <= values:
            yield new.source_turn


def _actual(dialogue: Dialogue, question: Question, history: Iterable[BeliefRecord], turn: int) -> BeliefRecord | None:
    """What the agent really held when another got it wrong, or said next if nothing was said by then."""
    wrongs = {
        held.content
        for other in dialogue.scenario.agents
        if (held := _at(_history(dialogue, other.name, question.topic, question.agent), turn)) is not None
    }
    now = _at(history, turn)
    coming = [one for one in history if one.source_turn > turn]
    return next((one for one in (now, *coming) if one is not None and one.content not in wrongs), None)


def _plain(rule: Baseline) -> Callable[[Callable[[], Iterable[Question]]], Baseline]:
    """A rule that learns nothing."""
    return lambda questions: rule


BASELINES: Mapping[str, Callable[[Callable[[], Iterable[Question]]], Baseline]] = {
    "random": _plain(_random),
    "first-letter": _plain(_first_letter),
    "longest": _plain(_longest),
    "frequent-gold": lambda questions: _FrequentGold(questions()),
    "recency": _plain(_recency),
    "first-mention": _plain(_first_mention),
    "overlap": _plain(_overlap),
    "oracle": _plain(_oracle),
}
"""By name, how each is made."""
