"""What follows from a transcript alone: what each holds, and what has reached whom.

Built from what is read in the utterances and from whom they reached, as the transcript tells it; nothing is known of
thoughts or of plans.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from dtomtrack.beliefs.hearing import Hearing, Picture, Saying
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.transcript import HeardTurn, Transcript

__all__ = ["OverheardMinds", "Said", "Untruth", "sincere", "untruths"]


@dataclass(frozen=True)
class Said:
    """Something that was said of a state."""

    turn: int
    speaker: str
    content: str


State = tuple[str, str]
"""(holder, topic)."""


class OverheardMinds:
    """States of one transcript, from the readings of its utterances.

    Args:
        transcript: tells whom each turn reached; without one, everybody hears everything.

    Attributes:
        readings, turns: what is said, and the turns, as whoever they reached heard them.
        names: of all who say or hear anything.
    """

    def __init__(self, readings: Sequence[Reading], transcript: Transcript | None = None) -> None:
        self._hearing = Hearing()
        self._stated: dict[State, list[Said]] = defaultdict(list)
        self._presumed: dict[State, list[Said]] = defaultdict(list)
        by_turn: dict[int, list[Reading]] = defaultdict(list)
        for reading in readings:
            by_turn[reading.turn].append(reading)
        turns = _everybody(by_turn) if transcript is None else transcript.heard()
        self.readings, self.turns = tuple(readings), tuple(turns)
        self.names = frozenset(name for turn in turns for name in (turn.speaker, *turn.hearers, *turn.read_at))
        self.last_turn = max((turn.turn for turn in turns), default=-1)
        for turn in turns:
            self._hear(turn, by_turn[turn.turn])
        for reading in sincere(readings, turns):
            said = Said(reading.turn, reading.speaker, reading.content)
            if reading.act is Act.STATE:
                self._stated[reading.holder, reading.topic].append(said)
            elif reading.act is Act.PRESUME:
                self._presumed[reading.holder, reading.topic].append(said)

    def _hear(self, turn: HeardTurn, readings: Iterable[Reading]) -> None:
        self._hearing.begin(turn.turn, turn.hears)
        sayings = [
            Saying(turn.turn, one.speaker, one.holder, one.topic, one.content, one.act is Act.PRESUME)
            for one in readings
            if one.act in {Act.STATE, Act.TELL, Act.PRESUME}
        ]
        if turn.read_at:
            self._hearing.write(sayings, turn.speaker, dict(turn.read_at))
        else:
            self._hearing.say(sayings, turn.hears)

    def stated(self, holder: str, topic: str) -> list[Said]:
        """All that somebody sincerely says of a state of theirs, in order."""
        return list(self._stated.get((holder, topic), ()))

    def presumed(self, holder: str, topic: str) -> list[Said]:
        """All that others take for granted of a state."""
        return list(self._presumed.get((holder, topic), ()))

    def held(self, holder: str, topic: str, turn: int) -> Said | None:
        """The last that somebody sincerely said of a state of theirs, up to a turn."""
        return next((one for one in reversed(self.stated(holder, topic)) if one.turn <= turn), None)

    def picture(self, chain: Collection[str], holder: str, topic: str, turn: int) -> Picture | None:
        """What a chain of minds takes a state to be at the end of a turn."""
        return self._hearing.picture(chain, holder, topic, turn)


def _everybody(by_turn: dict[int, list[Reading]]) -> list[HeardTurn]:
    names = frozenset(name for here in by_turn.values() for one in here for name in (one.speaker, one.holder))
    return [_ForEverybody(turn, by_turn[turn][0].speaker, names) for turn in sorted(by_turn)]


class _ForEverybody(HeardTurn):
    """A turn that everybody hears, whoever that is."""

    def hears(self, name: str) -> bool:
        """Always."""
        return True


@dataclass(frozen=True)
class _Kept:
    """A truth that was told in confidence: from whom it is kept, who was told, and what the other hears instead."""

    truth: str
    kept_from: str
    told: frozenset[str]
    untrue: str


@dataclass(frozen=True)
class Untruth:
    """An untruth about a state of its speaker's, and who knows it for one: they were told the truth in confidence."""

    reading: Reading
    known_to: frozenset[str]


def sincere(readings: Sequence[Reading], turns: Iterable[HeardTurn]) -> list[Reading]:
    """What is read, without `untruths`."""
    untrue = {id(one.reading) for one in untruths(readings, turns)}
    return [one for one in readings if id(one) not in untrue]


def untruths(readings: Sequence[Reading], turns: Iterable[HeardTurn]) -> list[Untruth]:
    """What is read that is not so.

    Who says something in confidence, and that somebody is to hear something else of it, is sincere then; that something
    else, or, where it was not named, the first that they say otherwise of it to that somebody while none of those hears
    it who were told in confidence, is not. Once they speak of it openly, nothing is kept any more.
    """
    reached = {turn.turn: turn for turn in turns}
    kept: dict[State, _Kept] = {}
    confidences = [one for one in readings if one.act is Act.CONFIDE]
    if not confidences:
        return []
    found = []
    for reading in readings:
        turn = reached.get(reading.turn)
        if reading.act is not Act.STATE or turn is None:
            continue
        readers = {name for name, read in turn.read_at.items() if read is not None}
        state, people = (reading.holder, reading.topic), turn.hearers | readers
        confided = _confided(reading, confidences)
        if confided is not None:
            kept[state] = _Kept(reading.content, confided.kept_from, people - {reading.speaker}, confided.content)
        elif state in kept and _is_untrue(reading, kept[state], people):
            kept[state] = replace(kept[state], untrue=reading.content)
            found.append(Untruth(reading, kept[state].told))
        elif state in kept and _is_open(reading, kept[state], people):
            del kept[state]
    return found


def _confided(reading: Reading, confidences: Iterable[Reading]) -> Reading | None:
    """That it is to be kept from somebody, if that is said in the turn of a statement."""
    return next(
        (one for one in confidences if one.turn == reading.turn and one.topic in {"", reading.topic}),
        None,
    )


def _is_untrue(reading: Reading, kept: _Kept, people: Collection[str]) -> bool:
    """Whether a statement is what somebody is to hear instead of the truth."""
    to_that_one = kept.kept_from in people and kept.told.isdisjoint(people)
    return to_that_one and reading.content != kept.truth and kept.untrue in {"", reading.content}


def _is_open(reading: Reading, kept: _Kept, people: Collection[str]) -> bool:
    """Whether a statement is for who was told in confidence and who was not to know alike, or tells these the truth."""
    return kept.kept_from in people and (reading.content == kept.truth or not kept.told.isdisjoint(people))
