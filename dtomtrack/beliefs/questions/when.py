"""The question at which turn a mind changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import Asks, OptionRole, QuestionType
from dtomtrack.beliefs.questions.distractors import NotEnoughOptions, turn_distractors
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec, at_turn
from dtomtrack.beliefs.questions.typical_turns import Side
from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["NO_CHANGE_SHARE", "eligible_turns", "is_learnt", "is_plain", "side_of", "turn_options", "when"]

NO_CHANGE_SHARE = 1 / 3
"""Update-detection questions whose answer is "at no turn", for each whose answer is a turn: a quarter of all."""


def when(
    source: QuestionSource,
    key: StateKey,
    asks: Asks,
    update: BeliefRecord | None,
    changes: Sequence[BeliefRecord],
    distractors: tuple[Option, ...] | None,
) -> Iterator[QuestionSpec]:
    """When a state changed; no question, if there are no distractors.

    Args:
        update: the change that is asked for, None if there was none.
        changes: all changes of the state.
    """
    if distractors is None:
        return
    gold = None if update is None else update.source_turn
    first = source.tracker.history(key)[0]
    yield QuestionSpec(
        type=QuestionType.UPDATE_DETECTION,
        mental_state=first.mental_state,
        order=1,
        agent=key.holder,
        about=None,
        topic=key.topic,
        turn=gold,
        question=source.words(QuestionType.UPDATE_DETECTION, asks, first, None),
        gold=Option(at_turn(gold), OptionRole.GOLD),
        distractors=distractors,
        evidence=(first.source_turn, *(change.source_turn for change in changes)),
        factors=source.factors(asks, first, update),
    )


def side_of(source: QuestionSource, key: StateKey) -> Side:
    """Whose thing it is that a state is about."""
    if source.topics[key.topic].anybodys:
        return "either"
    return "second" if key.holder == source.tracker.names[1] else "first"


def eligible_turns(source: QuestionSource, agent: str) -> list[int]:
    """The turns at which an agent could have changed their mind."""
    return [turn for turn in source.tracker.turns_of(agent) if turn >= FIRST_UPDATE_TURN]


def is_learnt(source: QuestionSource, change: BeliefRecord) -> bool:
    """Whether somebody knew nothing before: some would call only the next change their first."""
    return change.prior_content == source.topics[change.topic].ignorance


def is_plain(source: QuestionSource, holder: str, turn: int) -> bool:
    """Whether a turn is the only one in which somebody said a marker."""
    return source.signalled.intersection(eligible_turns(source, holder)) == {turn}


def turn_options(
    source: QuestionSource, key: StateKey, gold: int | None, likely: Sequence[int], *, or_none: bool = True
) -> tuple[Option, ...] | None:
    """The wrong options: likely turns, then any others; None if the dialogue is too short."""
    others = [turn for turn in range(1, source.turns) if turn not in likely]
    try:
        return turn_distractors(source.topics[key.topic], gold, likely, others, source.rng, or_none=or_none)
    except NotEnoughOptions:
        return None
