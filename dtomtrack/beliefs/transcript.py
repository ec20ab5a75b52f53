"""Transcripts: a dialogue as a reader in the room would know it.

Beside what is said, it tells to whom, and who of those who are there can't hear it; who comes and goes; who writes a
note, and when it is read. From it alone follows who heard what (`Transcript.heard`); nothing of it is thought or
planned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from dtomtrack.beliefs.company import Presence
from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.scenario import Scenario

__all__ = ["Event", "Happening", "HeardTurn", "Line", "Transcript", "transcript_of"]


class Happening(StrEnum):
    """A thing that happens beside what is said."""

    LATE = "is not there yet"
    JOINS = "joins"
    LEAVES = "leaves"
    BACK = "is back"
    READS = "reads"


@dataclass(frozen=True)
class Event:
    """Something that happens before the words of a turn; or, of a note that is read at once, after them.

    Attributes:
        agent: name of the one who comes, goes or reads.
        reason: why somebody goes or is late.
        note: of a note that is read, the turn at which it was written, and ``writer`` by whom.
    """

    turn: int
    happening: Happening
    agent: str
    reason: str = ""
    writer: str = ""
    note: int | None = None


@dataclass(frozen=True)
class Line:
    """The words of a turn.

    Attributes:
        to: names of those to whom alone it is said or written; empty where it is for everybody who is there.
        unhearing: names of those who are there and can't hear it.
    """

    turn: int
    speaker: str
    text: str
    to: tuple[str, ...] = ()
    unhearing: tuple[str, ...] = ()
    note: bool = False


@dataclass(frozen=True)
class HeardTurn:
    """Whom a turn reaches, as it follows from a transcript.

    Attributes:
        hearers: names of those who hear it when it is said, or write it.
        read_at: of a note, when it is read, by name; None for one who never reads it.
    """

    turn: int
    speaker: str
    hearers: frozenset[str]
    read_at: Mapping[str, int | None] = field(default_factory=dict)

    def hears(self, name: str) -> bool:
        """Whether somebody hears it when it is said."""
        return name in self.hearers


@dataclass(frozen=True)
class Transcript:
    """The names of those who take part, and what is said and happens, in order."""

    names: tuple[str, ...]
    lines: tuple[Event | Line, ...]

    @cached_property
    def spoken(self) -> list[Line]:
        """What is said and written."""
        return [line for line in self.lines if isinstance(line, Line)]

    @cached_property
    def events(self) -> list[Event]:
        """What happens beside it."""
        return [line for line in self.lines if isinstance(line, Event)]

    @cached_property
    def has_company(self) -> bool:
        """Whether anything is not for everybody."""
        return bool(self.events) or any(line.to for line in self.spoken)

    def heard(self) -> list[HeardTurn]:
        """Whom each turn reaches."""
        return list(self._reached)

    @cached_property
    def _reached(self) -> tuple[HeardTurn, ...]:
        reads: dict[int, dict[str, int]] = {}
        for event in self.events:
            if event.note is not None:
                reads.setdefault(event.note, {})[event.agent] = event.turn
        return tuple(self._heard(reads))

    def _heard(self, reads: Mapping[int, Mapping[str, int]]) -> Iterator[HeardTurn]:
        there = set(self.names)
        for line in self.lines:
            if isinstance(line, Event):
                if line.happening in {Happening.LATE, Happening.LEAVES}:
                    there.discard(line.agent)
                elif line.happening in {Happening.JOINS, Happening.BACK}:
                    there.add(line.agent)
            elif line.note:
                read_at = {name: reads.get(line.turn, {}).get(name) for name in line.to}
                yield HeardTurn(line.turn, line.speaker, frozenset((line.speaker,)), read_at)
            else:
                yield HeardTurn(line.turn, line.speaker, frozenset((line.speaker, *(line.to or there))))


def transcript_of(turns: Sequence[Turn], scenario: Scenario | None = None) -> Transcript:
    """The transcript of a dialogue.

    Args:
        scenario: tells who takes part, and when somebody is away; without it, each turn tells who hears it.
    """
    names = tuple(dict.fromkeys(name for turn in turns for name in (turn.speaker, *turn.audience)))
    if scenario is not None:
        names = scenario.names
    presence = () if scenario is None else scenario.presence
    return Transcript(names, tuple(_lines(turns, names, presence)))


def _lines(turns: Sequence[Turn], names: Sequence[str], presence: Sequence[Presence]) -> Iterator[Event | Line]:
    events: dict[int, list[Event]] = {}
    for event in (*_comings_and_goings(presence), *_readings(turns)):
        events.setdefault(event.turn, []).append(event)
    for turn in turns:
        here = events.get(turn.index, ())
        yield from (event for event in here if event.note != turn.index)
        away = {one.agent for one in presence if one.covers(turn.index)}
        yield _line(turn, [name for name in names if name not in away])
        yield from (event for event in here if event.note == turn.index)


def _line(turn: Turn, there: Sequence[str]) -> Line:
    others = [name for name in there if name != turn.speaker]
    to = tuple(name for name in turn.audience if name != turn.speaker)
    if turn.is_note:
        return Line(turn.index, turn.speaker, turn.utterance, to, note=True)
    if not to or set(to) == set(others):
        return Line(turn.index, turn.speaker, turn.utterance)
    unhearing = tuple(name for name in others if name not in to)
    return Line(turn.index, turn.speaker, turn.utterance, to, unhearing)


def _comings_and_goings(presence: Sequence[Presence]) -> Iterator[Event]:
    for one in presence:
        late = one.from_turn == 0
        yield Event(one.from_turn, Happening.LATE if late else Happening.LEAVES, one.agent, one.reason)
        if one.until_turn is not None:
            yield Event(one.until_turn, Happening.JOINS if late else Happening.BACK, one.agent)


def _readings(turns: Sequence[Turn]) -> Iterator[Event]:
    for turn in turns:
        for name, read in turn.read_at.items():
            if read is not None:
                yield Event(read, Happening.READS, name, writer=turn.speaker, note=turn.index)
