"""Questions about a turn: what somebody held then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.questions.choosing import MANY_TURNS
from dtomtrack.beliefs.questions.source import QuestionSource
from dtomtrack.beliefs.questions.spec import QuestionSpec

__all__ = ["TEMPORAL_QUESTIONS", "about_times"]

TEMPORAL_QUESTIONS = 3
"""The least that are asked, if there is enough to ask about."""
_WHERE_APART = 5
"""The least where minds come apart: these questions even out over which distances something has to be remembered."""
TURNS_A_QUESTION = 15
"""In longer dialogues, a question for so many turns."""
_APART = 5
"""Turns that lie, at least, between two about which the same state is asked: nearer, it is the same question again."""
_PLAIN_SHARE, _PLAIN_SHARE_OF_LONG = 0.6, 0.5
"""Where minds come apart, the most of these questions to which the answer is what the holder said last all the time."""

_IGNORANCE_LEFT_OUT, _LEFT_OUT_OF_SHORT = 0.55, 0.7
"""Of the states of those who know nothing yet, which lie far from the end, those that are not asked about."""
_IGNORANT_LONG = 0.3
"""From this part of a long dialogue on it is asked about who knows nothing yet: early on, it would be the rule."""


def about_times(source: QuestionSource) -> Iterator[QuestionSpec]:
    """Ask about a state that is given up later, about one that never changes, and about any other."""
    own = [record for record in source.records if record.order == 1 and source.usable(record)]
    left_out = _LEFT_OUT_OF_SHORT if source.is_short else _IGNORANCE_LEFT_OUT
    own = [record for record in own if not source.is_told(record, record.content, left_out)]
    own = [record for record in own if not source.is_rule(QuestionType.TEMPORAL, record)]
    if source.dials.comes_apart:
        asked = _evenly(source, own)
    else:
        source.rng.shuffle(own)
        records = _in_turn(_by_fate(source, own))
        asked = (spec for record in records if (spec := _question(source, record, _window(source, record))))
    yield from (spec for _, spec in zip(range(_wanted(source)), asked, strict=False))


def _wanted(source: QuestionSource) -> int:
    least = _WHERE_APART if source.dials.comes_apart else TEMPORAL_QUESTIONS
    return max(least, source.turns // TURNS_A_QUESTION)


def _question(source: QuestionSource, record: BeliefRecord, window: Sequence[int]) -> QuestionSpec | None:
    """The question about a state at one of these turns; None if there is none."""
    if not window:
        return None
    moment = source.moment(window, record.topic, record.content, (record.holder,))
    evidence = (record.source_turn,)
    return source.value_question(QuestionType.TEMPORAL, record, moment, evidence, source.held_roles(record))


def _evenly(source: QuestionSource, own: Sequence[BeliefRecord]) -> Iterator[QuestionSpec]:
    """Questions over lags that are still short of their part; where that takes it, about one state at two turns."""
    ordered = _hardest_first(source, own)
    for record in (*ordered, *ordered):
        before = source.asked_at(record)
        again = before and source.is_ignorance(record, record.content)
        if again or (not source.is_short and source.is_asked_enough(record.source_turn)):
            continue
        window = [
            turn
            for turn in _window(source, record)
            if all(abs(turn - one) > _APART for one in before) and not source.is_asked_by_its_change(record, turn)
        ]
        spec = _question(source, record, window)
        if spec is not None:
            yield spec


def _lag(source: QuestionSource, record: BeliefRecord) -> int:
    return source.tracker.last_turn - record.source_turn


def _hardest_first(source: QuestionSource, own: Sequence[BeliefRecord]) -> list[BeliefRecord]:
    """Records in an order drawn so that lags come out evenly, without most of those that are the holder's last word."""
    ordered = source.lags.ordered(own, partial(_lag, source), partial(_is_plain, source))
    plain = [record for record in ordered if _is_plain(source, record)]
    share = _PLAIN_SHARE_OF_LONG if source.turns >= MANY_TURNS else _PLAIN_SHARE
    left_out = plain[int(_wanted(source) * share) :]
    return [record for record in ordered if record not in left_out]


def _is_plain(source: QuestionSource, record: BeliefRecord) -> bool:
    return source.said.stays_last(_window(source, record), record.topic, record.content, record.holder)


def _by_fate(source: QuestionSource, own: Sequence[BeliefRecord]) -> list[list[BeliefRecord]]:
    """Records of what is given up later, of what never changes, and of any other.

    Of what never changes, that comes first on which something else was said, too; else the answer is what came up at
    all.
    """
    given_up = [record for record in own if record.superseded]
    stable = [record for record in own if not record.superseded and record.prior_content is None]
    stable.sort(key=lambda record: len(source.said.of(record.topic)) < 2)
    taken_up = [record for record in own if not record.superseded and record.prior_content is not None]
    return [given_up, stable, taken_up]


def _window(source: QuestionSource, record: BeliefRecord) -> list[int]:
    """Turns at which a state was held beyond doubt, without the one at which it was expressed if there are others.

    Once somebody has given a reason against it, a state that will be given up may be crumbling already; and once others
    have said otherwise, so may a piece of knowledge.
    """
    end = source.tracker.last_turn
    if record.superseded_at is not None:
        end = min([record.superseded_at - 1, *(turn - 1 for turn in source.argued_since(record))])
    news = source.news_since(record)
    if news is not None:
        end = min(end, news - 1)
    window = list(range(record.source_turn + 1, end + 1)) or [record.source_turn]
    if source.is_ignorance(record, record.content):
        return [turn for turn in window if turn >= source.turns * _IGNORANT_LONG and source.may_know_nothing(turn)]
    return window


def _in_turn(groups: Sequence[Sequence[BeliefRecord]]) -> Iterator[BeliefRecord]:
    """The first of each group, then the second of each, ..."""
    for row in zip_longest(*groups):
        yield from (record for record in row if record is not None)
