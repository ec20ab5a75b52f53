"""Questions about who knows what: who is right about a state; when somebody learnt of it is `about_learning`'s."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice, product
from random import Random

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import OptionRole, QuestionType
from dtomtrack.beliefs.questions.about_learning import about_learning
from dtomtrack.beliefs.questions.moments import Moment
from dtomtrack.beliefs.questions.pictures import Span, knowing
from dtomtrack.beliefs.questions.source import QuestionSource, divergence_id
from dtomtrack.beliefs.questions.spec import Option, QuestionSpec
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.tracker import StateKey

__all__ = ["about_access"]

_LEAST_OTHERS = 2
_TURNS_A_QUESTION = 20
_RARER = {0: 5.0, 150: 1.6}
"""By the least turns of a dialogue, how much more weight a set of people has than one with one more of them."""
_FAR = (2, 4, 8)
"""Turns between a question whose answer is everybody, and the one whose turn it takes, at most, tried in this order; in
short dialogues it is that turn."""
Places = tuple[bool, ...]
"""Who is right, by their places in the cast behind the holder."""
Askable = tuple[bool, int]
"""Whether it is a matter of knowledge, and the turn."""


def about_access(source: QuestionSource) -> Iterator[QuestionSpec]:
    """Who knows, and when somebody came to know; asked only where minds come apart at all.

    Of a short dialogue only the former: who goes out is back two turns later at the soonest, so that two turns at most
    could be the answer to the latter.
    """
    spans = [span for span in source.spans(2) if span.apart and source.usable(span.actual)]
    if not spans:
        return
    spans = source.lags.ordered(spans, lambda span: source.tracker.last_turn - span.actual.source_turn)
    yield from _who_knows(source, spans, max(1, source.turns // _TURNS_A_QUESTION))
    if not source.is_short:
        yield from about_learning(source)


def _who_knows(source: QuestionSource, spans: Sequence[Span], wanted: int) -> Iterator[QuestionSpec]:
    """Questions whose right sets of people are all about equally likely, whoever they are made of.

    Which of those behind the holder in the cast are to be right is drawn first, then where that is so. In short
    dialogues a turn is asked about only if everybody is right about something at it, too, or the turn would tell.
    """
    others = len(source.tracker.names) - 1
    if others < _LEAST_OTHERS:
        return
    some = [one for one in product((True, False), repeat=others) if any(one) and not all(one)]
    rarer = _RARER[max(least for least in _RARER if least <= source.turns)]
    left, right, everybody = [*spans], _right(source), (True,) * others
    askable = _known_to_all(source, right) if source.is_short else None
    asked: list[QuestionSpec] = []
    for _ in range(wanted):
        found = (_who_knows_so(source, left, one, askable) for one in _fewest_first(some, rarer, source.rng))
        asked.extend(islice(filter(None, found), 1))
    yield from asked
    for one in source.rng.sample(asked, int(len(asked) / len(some) + source.rng.random())):
        near = (_near(one, away) for away in ((0,) if source.is_short else _FAR))
        found = (_who_knows_so(source, right, everybody, moments) for moments in near)
        yield from islice(filter(None, found), 1)


def _known_to_all(source: QuestionSource, spans: Sequence[Span]) -> frozenset[Askable]:
    """Of what and of which turns it may be asked who is right about something that everybody is right about."""
    names = source.tracker.names
    return frozenset(
        (span.actual.mental_state is MentalState.KNOWLEDGE, turn)
        for span in spans
        for turn in span.window
        if _is_known_to(source, span.actual, turn, _behind(names, span.actual.holder))
    )


def _near(asked: QuestionSpec, away: int) -> frozenset[Askable]:
    """What else may be asked about: turns that are so far from that of a question at most."""
    turns = () if asked.turn is None else range(asked.turn - away, asked.turn + away + 1)
    return frozenset((asked.mental_state is MentalState.KNOWLEDGE, turn) for turn in turns)


def _fewest_first(sets: Sequence[Places], rarer: float, rng: Random) -> list[Places]:
    """Sets in an order in which those of few people mostly come first, since it is seldom that so few are right.

    Args:
        rarer: how much seldomer with one person fewer.
    """
    keys = {one: rng.random() ** (rarer ** sum(one)) for one in sets}
    return sorted(sets, key=lambda one: -keys[one])


def _who_knows_so(
    source: QuestionSource, spans: list[Span], wanted: Places, askable: Collection[Askable] | None
) -> QuestionSpec | None:
    """A question to which these of the others are the answer; None if there is none. Its span is not asked about again.

    Args:
        wanted: who is right, by their places in the cast behind the holder.
        askable: what may be asked about; None for anything. Everybody is right mostly early, and oftener about
            knowledge than about what is in somebody's mind, so both would tell.
    """
    for span in spans:
        others = _behind(source.tracker.names, span.actual.holder)
        known = [name for name, right in zip(others, wanted, strict=True) if right]
        of_knowledge = span.actual.mental_state is MentalState.KNOWLEDGE
        turns = [turn for turn in span.window if askable is None or (of_knowledge, turn) in askable]
        turns = [turn for turn in turns if _is_known_to(source, span.actual, turn, known)]
        if turns:
            spans.remove(span)
            return _who_knows_spec(source, span, source.moments.draw(turns, options=others), known)
    return None


def _behind(names: Sequence[str], holder: str) -> list[str]:
    """The others, from the one behind the holder on."""
    at = names.index(holder)
    return [*names[at + 1 :], *names[:at]]


def _is_known_to(source: QuestionSource, record: BeliefRecord, turn: int, known: Sequence[str]) -> bool:
    """Whether at a turn beyond doubt these, and nobody else, are right about what somebody holds."""
    own = source.own(record)
    return (
        _settled(source, record, turn)
        and set(knowing(source.tracker, own, source.tracker.names, turn)) == set(known)
        and not _in_doubt(source, own, turn)
        and not _right_by_chance(source, record, turn, known)
    )


def _right(source: QuestionSource) -> list[Span]:
    """Where somebody is right; not of what partners tell of themselves: everybody mostly is, its label would tell."""
    spans = [span for span in source.spans(2) if not span.apart and source.usable(span.actual)]
    spans = [span for span in spans if not source.topics[span.actual.topic].partners_own]
    source.rng.shuffle(spans)
    return spans


def _settled(source: QuestionSource, record: BeliefRecord, turn: int) -> bool:
    """Whether somebody held something beyond doubt at a turn: it was said, and nobody had argued about it since."""
    argued = [one for one in source.argued_since(record) if one <= turn]
    return record.source_turn <= turn and not argued


def _right_by_chance(source: QuestionSource, record: BeliefRecord, turn: int, known: Sequence[str]) -> bool:
    """Whether the picture of one of those who are right is older than what they are right about: did they know?"""
    pictures = (source.tracker.picture((name,), record.holder, record.topic, turn) for name in known)
    return any(one is not None and one.source_turn < record.source_turn for one in pictures)


def _in_doubt(source: QuestionSource, own: StateKey, turn: int) -> bool:
    """Whether somebody overheard by then that another takes something else for granted than they do themselves.

    Nobody can say what they made of it; nor what they take to be so who have told others something else.
    """
    presumed = [
        one
        for one in source.readings
        if one.act is Act.PRESUME and (one.holder, one.topic) == (own.holder, own.topic) and one.turn <= turn
    ]
    for name in source.tracker.names:
        picture = source.tracker.picture((name,), own.holder, own.topic, turn)
        if name == own.holder or picture is None:
            continue
        if picture.saying.presumed and picture.saying.speaker != name:
            return True
        if any(picture.since <= told <= turn for told in source.tracker.garbled_at(name, own.holder, own.topic)):
            return True
        others = (one for one in presumed if one.speaker != name and one.content != picture.content)
        if any(one.turn >= picture.since and source.hears(name, one.turn) for one in others):
            return True
    return False


def _who_knows_spec(source: QuestionSource, span: Span, moment: Moment, known: Sequence[str]) -> QuestionSpec:
    record = span.actual
    right = tuple(Option(name, OptionRole.GOLD) for name in known)
    wrong = [name for name in source.tracker.names if name != record.holder and name not in known]
    pictures = [source.tracker.picture((name,), record.holder, record.topic, moment.turn) for name in known]
    return QuestionSpec(
        type=QuestionType.INFORMATION_ACCESS,
        mental_state=record.mental_state,
        order=1,
        agent=record.holder,
        about=None,
        topic=record.topic,
        turn=moment.turn,
        question=source.words(QuestionType.INFORMATION_ACCESS, "who_knows", record, moment),
        gold=right[0],
        distractors=tuple(Option(name, OptionRole.NOT_REACHED) for name in wrong),
        evidence=tuple(sorted({record.source_turn, *(one.saying.turn for one in pictures if one is not None)})),
        factors=source.factors("who_knows", record, None, moment=moment, span=span),
        more_gold=right[1:],
        select="any",
        divergence=divergence_id(span),
    )
