"""The oracle: answers questions from the tracker's records, and from what reached whom where those don't tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from dtomtrack.beliefs.dialogue import BeliefRecord, Dialogue
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.questions.pictures import knowing
from dtomtrack.beliefs.questions.spec import NO_TURN, as_option, at_turn
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey

__all__ = ["history_of", "on_record", "state_at"]


def on_record(dialogue: Dialogue, question: Question) -> frozenset[str]:
    """The texts of the right options, by what is asked and by the records of whose state it is; empty if none is."""
    if question.type is QuestionType.INFORMATION_ACCESS:
        return frozenset(_access(dialogue, question))
    text = _text(dialogue, question)
    return frozenset() if text is None else frozenset((text,))


def _text(dialogue: Dialogue, question: Question) -> str | None:
    if question.through:
        return _chain(dialogue, question)
    history = history_of(dialogue, question.agent, question.topic, question.about)
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
        held = state_at(history, question.turn - 1 if before else question.turn)
    return None if held is None else as_option(held.content)


def history_of(dialogue: Dialogue, holder: str, topic: str, about: str | None) -> list[BeliefRecord]:
    """The records of one state, oldest first."""
    own = (one for one in dialogue.beliefs if (one.holder, one.topic, one.about) == (holder, topic, about))
    return sorted(own, key=lambda one: one.source_turn)


def state_at(history: Iterable[BeliefRecord], turn: int) -> BeliefRecord | None:
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
        if (held := state_at(history_of(dialogue, other.name, question.topic, question.agent), turn)) is not None
    }
    now = state_at(history, turn)
    coming = (one for one in history if one.source_turn > turn and one.content not in wrongs)
    return now or next(coming, None)


# -- what the records don't tell -------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _tracker(dialogue_id: str, dialogue: _ById) -> BeliefTracker:
    return BeliefTracker.of(dialogue.it.turns, dialogue.it.scenario.truths, dialogue.it.scenario.names)


class _ById:
    """A dialogue that is known by its identity: its record is too large to be hashed each time."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.it = dialogue

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.it is self.it


def _chain(dialogue: Dialogue, question: Question) -> str | None:
    if question.about is None or question.turn is None:
        return None
    tracker = _tracker(dialogue.id, _ById(dialogue))
    picture = tracker.picture(question.chain, question.about, question.topic, question.turn)
    return None if picture is None else as_option(picture.content)


def _access(dialogue: Dialogue, question: Question) -> Iterator[str]:
    """Who knows; or the turn at which somebody came to know what another had come to hold at the turn asked about."""
    tracker, since = _tracker(dialogue.id, _ById(dialogue)), question.turn or 0
    if question.factors.asks == "who_knows":
        yield from knowing(tracker, StateKey(question.agent, question.topic), question.options.values(), since)
    elif question.about is not None:
        new = state_at(history_of(dialogue, question.about, question.topic, None), since)
        pictures = (
            (turn, tracker.picture(question.chain, question.about, question.topic, turn))
            for turn in range(since, len(dialogue.turns))
        )
        known = (turn for turn, one in pictures if one is not None and new is not None and one.content == new.content)
        yield at_turn(next(known, None))
