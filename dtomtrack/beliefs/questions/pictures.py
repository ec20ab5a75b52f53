"""Spans of turns over which a chain of minds takes a state to be one thing: right, or apart from what is so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, permutations

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.divergence import PlannedDivergence, Way
from dtomtrack.beliefs.hearing import Picture
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.beliefs.transcript import Happening, HeardTurn, Transcript

__all__ = ["Span", "knowing", "spans_of", "way_of"]


@dataclass(frozen=True)
class Span:
    """Turns over which neither a picture nor what it is of changes.

    Attributes:
        chain: names, from the one whose picture it is on.
        actual: the record of what the holder really holds.
        first, last: the turns at whose ends it is so.
    """

    chain: tuple[str, ...]
    picture: Picture
    actual: BeliefRecord
    first: int
    last: int

    @property
    def apart(self) -> bool:
        """Whether the picture is not so."""
        return self.picture.content != self.actual.content

    @property
    def window(self) -> list[int]:
        """The turns that can be asked about: without the one in which it came about, if there are others."""
        return list(range(self.first + 1, self.last + 1)) or [self.first]


def spans_of(tracker: BeliefTracker, order: int) -> Iterator[Span]:
    """The spans of all chains of an order, from 2, that know anything of a state.

    What is wrongly taken for granted to the holder's face counts up to their answer: behind "that isn't what I told
    you" nobody can say whether it is still assumed. Nor can anybody say what others who overhear it make of it, nor
    what somebody still takes to be so who has told others something else.
    """
    for key in tracker.states():
        if key.about is not None:
            continue
        stretches = list(_stretches(tracker, key))
        for chain in permutations(tracker.names, order - 1):
            if chain[-1] != key.holder:
                spans = _spans(tracker, chain, stretches)
                for span in filter(None, (_unanswered(tracker, span) for span in spans)):
                    yield from _ungarbled(tracker, span)


@dataclass(frozen=True)
class _Stretch:
    """Turns over which nothing reaches anybody of a state, and it does not change."""

    actual: BeliefRecord
    first: int
    last: int


def _stretches(tracker: BeliefTracker, key: StateKey) -> Iterator[_Stretch]:
    own = [record.source_turn for record in tracker.history(key)]
    starts = sorted({*own, *tracker.reached_at(key.holder, key.topic)})
    for first, following in pairwise([*starts, tracker.last_turn + 1]):
        actual = tracker.at(key, first) or _soon(tracker, key, first + 1)
        if actual is not None and first <= tracker.last_turn:
            yield _Stretch(actual, first, following - 1)


def _unanswered(tracker: BeliefTracker, span: Span) -> Span | None:
    """The part of a span that can be asked about where it rests on a wrong presumption; None if there is none."""
    saying = span.picture.saying
    if not saying.presumed or not span.apart:
        return span
    if span.chain[-1] != saying.speaker:
        return None
    answered = tracker.answered_at(saying)
    if answered is None or span.last < answered:
        return span
    return replace(span, last=answered - 1) if span.first < answered else None


def _ungarbled(tracker: BeliefTracker, span: Span) -> Iterator[Span]:
    """The part of a span in which none of its chain has told something else since they got their picture."""
    own, since = span.actual, span.picture.since
    told = [turn for name in span.chain for turn in tracker.garbled_at(name, own.holder, own.topic)]
    first = max(span.first, since) if any(span.first <= turn < since for turn in told) else span.first
    last = min((turn - 1 for turn in told if since <= turn <= span.last), default=span.last)
    if (first, last) == (span.first, span.last):
        yield span
    elif first < last:
        yield replace(span, first=first, last=last)


def _spans(tracker: BeliefTracker, chain: tuple[str, ...], stretches: Sequence[_Stretch]) -> Iterator[Span]:
    known = [
        (picture, one)
        for one in stretches
        if (picture := tracker.picture(chain, one.actual.holder, one.actual.topic, one.first)) is not None
    ]
    for _, same in groupby(known, key=lambda one: (one[0].content, one[1].actual, _is_overheard(one[0], chain))):
        joined = list(same)
        picture, last = joined[-1]
        yield Span(chain, picture, last.actual, joined[0][1].first, last.last)


def _is_overheard(picture: Picture, chain: tuple[str, ...]) -> bool:
    """Whether somebody else takes it for granted; who has a picture from that may come to one of their own later."""
    return picture.saying.presumed and picture.saying.speaker != chain[-1]


def _soon(tracker: BeliefTracker, key: StateKey, turn: int) -> BeliefRecord | None:
    """What somebody turns out to have held all along, when they say so for the first time at a turn."""
    return next((one for one in tracker.history(key)[:1] if one.source_turn == turn), None)


def way_of(
    span: Span, planned: Sequence[PlannedDivergence], transcript: Transcript | None, of_others: Collection[str]
) -> Way:
    """The way in which a picture came apart: as it was planned, or else as the transcript has it.

    Args:
        of_others: what others than the holder hold of the topic.
    """
    holder, topic, mistaken = span.actual.holder, span.actual.topic, span.chain[-1]
    for one in planned:
        until = span.last + 1 if one.until_turn is None else one.until_turn
        meant = (one.holder, one.topic) == (holder, topic) and one.mistaken in span.chain
        if meant and one.from_turn <= span.last and span.first < until:
            return one.way
    saying = span.picture.saying
    if saying.presumed:
        return Way.MISATTRIBUTION if saying.content in of_others else Way.PRESUMPTION
    if not saying.own:
        return Way.HEARSAY
    return _missed(span, mistaken, [] if transcript is None else transcript.heard(), transcript)


def _missed(span: Span, mistaken: str, heard: Sequence[HeardTurn], transcript: Transcript | None) -> Way:
    """How somebody missed the holder's newest word."""
    turn = next((one for one in heard if one.turn == span.actual.source_turn), None)
    if turn is None or transcript is None or turn.hears(mistaken):
        return Way.UNTRUTH
    if mistaken in turn.read_at:
        return Way.NOTE
    return Way.ABSENCE if _is_away(mistaken, turn.turn, transcript) else Way.ASIDE


def _is_away(name: str, turn: int, transcript: Transcript) -> bool:
    away = False
    for event in transcript.events:
        if event.agent == name and event.turn <= turn and event.happening is not Happening.READS:
            away = event.happening in {Happening.LEAVES, Happening.LATE}
    return away


def knowing(tracker: BeliefTracker, key: StateKey, names: Collection[str], turn: int) -> list[str]:
    """Those who are right about what somebody holds at the end of a turn."""
    actual = tracker.at(key, turn)
    return [
        name
        for name in names
        if actual is not None
        and name != key.holder
        and (picture := tracker.picture((name,), key.holder, key.topic, turn)) is not None
        and picture.content == actual.content
    ]
