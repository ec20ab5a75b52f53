"""Questions about what an agent thinks of another's state: what it is, and where it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import Asks, OptionRole, QuestionType
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["FALSE_BELIEFS", "SECOND_ORDER_QUESTIONS", "about_others"]

SECOND_ORDER_QUESTIONS = 2
FALSE_BELIEFS = 1


def about_others(source: QuestionSource) -> Iterator[QuestionSpec]:
    """False beliefs first, then second-order questions about other thoughts."""
    false_beliefs = _false_beliefs(source)
    for held, actual in false_beliefs[:FALSE_BELIEFS]:
        yield from _about_false_belief(source, held, actual)
    yield from _second_order(source, [held for held, _ in false_beliefs])


# -- what another thinks ---------------------------------------------------------------------------------------------


def _second_order(source: QuestionSource, false: Sequence[BeliefRecord]) -> Iterator[QuestionSpec]:
    asked = 0
    for record in _thoughts(source, false):
        if record.about is None:
            continue
        about = StateKey(record.about, record.topic)
        window = _unanswered(source, record, about)
        if asked == SECOND_ORDER_QUESTIONS or not window:
            continue
        roles, evidence = _actual_roles(source, record, about), _heard_at(source, record, about)
        spec = source.value_question(QuestionType.SECOND_ORDER, record, source.rng.choice(window), evidence, roles)
        if spec is not None:
            asked += 1
            yield spec


def _thoughts(source: QuestionSource, false: Sequence[BeliefRecord]) -> list[BeliefRecord]:
    """Thoughts about others that may be asked about, unsettled topics first."""
    known_false = {id(record) for record in false}
    thoughts = [
        record
        for record in source.records
        if record.order == 2 and id(record) not in known_false and source.usable(record)
    ]
    source.rng.shuffle(thoughts)
    thoughts.sort(key=lambda record: _unsettled(source, record), reverse=True)
    return thoughts


def _unsettled(source: QuestionSource, record: BeliefRecord) -> bool:
    """Whether more than one value of the topic was on the table, so that there is something to get wrong."""
    contents = {one.content for one in source.records if one.topic == record.topic}
    return len(contents | source.named(record.topic)) > 1


def _unanswered(source: QuestionSource, record: BeliefRecord, about: StateKey) -> list[int]:
    """Turns at which the holder thought so, had not yet heard otherwise and had done nothing to change it."""
    spoken = [one.source_turn for one in source.tracker.history(about)]
    otherwise = [turn for turn in spoken if turn > record.source_turn]
    end = min([source.tracker.last_turn, *(turn - 1 for turn in otherwise + source.argued_since(record))])
    if record.superseded_at is not None:
        end = min(end, record.superseded_at - 1)
    return list(range(record.source_turn, end + 1))


def _actual_roles(source: QuestionSource, record: BeliefRecord, about: StateKey) -> dict[str, OptionRole]:
    """The roles of what the other really held, before and after."""
    return {
        one.content: OptionRole.PRE_VALUE if one.source_turn <= record.source_turn else OptionRole.POST_VALUE
        for one in source.tracker.history(about)
        if one.content != record.content
    }


def _heard_at(source: QuestionSource, record: BeliefRecord, about: StateKey) -> tuple[int, ...]:
    """Where the holder had it from: the other's own word, or nowhere but their own mouth."""
    own = source.tracker.at(about, record.source_turn)
    if own is not None and own.content == record.content:
        return (own.source_turn,)
    return (record.source_turn,)


# -- false beliefs ---------------------------------------------------------------------------------------------------


def _false_beliefs(source: QuestionSource) -> list[tuple[BeliefRecord, BeliefRecord]]:
    """Second-order beliefs that were false from the start, each with what the other really held.

    Stale ones are left out: who says that they changed their mind is heard in that very turn.
    """
    found: dict[tuple[StateKey, str], tuple[BeliefRecord, BeliefRecord]] = {}
    for turn in range(source.tracker.last_turn + 1):
        for one in source.tracker.false_beliefs(turn):
            if one.actual is not None and not one.stale and source.usable(one.held) and source.usable(one.actual):
                key = StateKey(one.held.holder, one.held.topic, one.held.about), one.held.content
                found.setdefault(key, (one.held, one.actual))
    return list(found.values())


def _about_false_belief(source: QuestionSource, held: BeliefRecord, actual: BeliefRecord) -> Iterator[QuestionSpec]:
    turn = held.source_turn
    corrected = held.superseded_at is not None
    views: list[tuple[Asks, BeliefRecord, str, tuple[int, ...], dict[str, OptionRole]]] = [
        ("actual", actual, held.holder, (actual.source_turn,), source.held_roles(actual) | _as_partners(held)),
        ("assumed", held, actual.holder, (turn, actual.source_turn), _as_partners(actual)),
    ]
    for asks, record, other, evidence, roles in views:
        spec = source.value_question(
            QuestionType.FALSE_BELIEF, record, turn, evidence, roles, asks=asks, other=other, corrected=corrected
        )
        if spec is not None:
            yield spec


def _as_partners(record: BeliefRecord) -> dict[str, OptionRole]:
    return {record.content: OptionRole.PARTNER_VALUE}
