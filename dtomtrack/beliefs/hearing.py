"""Hearing: what has reached whom, and with whom together, of what is said of states; and what follows for pictures.

An *expression* of a state of h has a content, a source turn (when h said or wrote it) and the turns at which it reached
people. Said aloud, it reaches everybody in the audience together, in that turn. A note reaches who reads it in the turn
in which it is read, and together with others only those who are there then: others who read it then, and those whom it
had reached together before, by reading or writing it. That somebody reads it tells two others nothing of each other.

Somebody else who tells what h holds (hearsay) passes on what they last had of h: the source turn is that of what they
had, whatever becomes of the content on the way. Who takes something for granted of h, aloud or in thought, shows what
they themselves take h to hold; the source turn, again, is that of what they last had of h, or `NOWHERE` if they had
nothing.

For a chain of minds a1 > a2 > ... > ak about h (k = 1: what a1 takes h's state to be), the value at a turn is the
content of the expression with the latest source turn among those that had reached all of a1 ... ak together by then;
what one told others does not count for the teller's own picture. There is no value if there is no such expression. Of
several with the same source turn, h's own word and what one of the chain takes for granted come before hearsay; of
those, what came last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import NamedTuple

__all__ = ["NOWHERE", "Hearing", "Picture", "Reach", "Saying"]

NOWHERE = -1
"""The source turn of what somebody takes for granted out of nowhere: before anything was said."""

Hears = Callable[[str], bool]
"""Whether somebody hears a turn."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What is expressed in a turn of a state of ``holder``: by themselves, or by somebody else.

    Attributes:
        presumed: of somebody else's, it is taken for granted and not told.
    """

    turn: int
    speaker: str
    holder: str
    topic: str
    content: str
    presumed: bool = False

    @property
    def own(self) -> bool:
        """Whether it is the holder's own word."""
        return self.speaker == self.holder


@dataclass(frozen=True, slots=True)
class Picture:
    """What somebody, or a chain of minds, takes a state to be.

    Attributes:
        saying: by which it is so; its content is the value.
        source_turn: of the holder's word behind it; `NOWHERE` if there is none.
        since: the turn at which it reached them.
    """

    saying: Saying
    source_turn: int
    since: int

    @property
    def content(self) -> str:
        """What the state is taken to be."""
        return self.saying.content


@dataclass(frozen=True, slots=True)
class Reach:
    """An expression reaches people together.

    Attributes:
        turn: at which it reaches them.
        source_turn: of the holder's word behind it; `NOWHERE` if there is none.
        names: of those whom it reaches, and of who said it.
    """

    saying: Saying
    turn: int
    source_turn: int
    names: tuple[str, ...]


State = tuple[str, str]
"""(holder, topic)."""


class _Group(NamedTuple):
    """Those whom an expression reaches at a turn: together, or, of a note that some read, together with these."""

    turn: int
    hears: Hears
    readers: frozenset[str]


@dataclass(slots=True)
class _Reached:
    """An expression, and whom it reached together at which turns, in their order."""

    saying: Saying
    source_turn: int
    number: int
    groups: list[_Group] = field(default_factory=list)

    @property
    def state(self) -> State:
        """What it is an expression of."""
        return self.saying.holder, self.saying.topic

    def reached(self, chain: Collection[str]) -> int | None:
        """The first turn at which it had reached all of a chain together; None if it never did."""
        for turn, hears, readers in self.groups:
            if all(map(hears, chain)) and (not readers or self._is_shared_by_reading(chain, turn, readers)):
                return turn
        return None

    def _is_shared_by_reading(self, chain: Collection[str], turn: int, readers: frozenset[str]) -> bool:
        """Whether some of a chain read it at a turn, and it had reached the others together."""
        others = [name for name in chain if name not in readers]
        if len(others) == len(chain):
            return False
        before = self.reached(others) if others else turn
        return before is not None and before <= turn

    def shared_among(self, names: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Which of these it reached together, and when."""
        for turn, hears, readers in self.groups:
            there = tuple(filter(hears, names))
            if not readers:
                yield turn, there
            elif not readers.isdisjoint(there):
                others = [name for name in there if name not in readers]
                before = dict.fromkeys(some for at, some in self.shared_among(others) if at <= turn)
                largest = [some for some in before if not any(set(some) < set(other) for other in before)]
                for some in largest or [()]:
                    yield turn, tuple(name for name in there if name in some or name in readers)


@dataclass(frozen=True, slots=True)
class _Course:
    """What a chain of minds takes a state to be, turn by turn: each picture holds from its turn on."""

    turns: list[int]
    pictures: list[Picture]

    def at(self, turn: int) -> Picture | None:
        """The picture at the end of a turn."""
        place = bisect_right(self.turns, turn)
        return self.pictures[place - 1] if place else None


@dataclass(frozen=True)
class _Note:
    """A note that is not read yet by everybody who is to read it."""

    writer: str
    read_at: dict[str, int | None]
    sayings: tuple[_Reached, ...]


class Hearing:
    """What has reached whom, turn by turn. Turns have to be told in their order."""

    def __init__(self) -> None:
        self._reached: dict[State, list[_Reached]] = defaultdict(list)
        self._notes: list[_Note] = []
        self._courses: dict[State, dict[tuple[str, ...], _Course]] = {}
        """As far as they were asked for since anything more of a state reached anybody."""
        self._count = 0

    def begin(self, turn: int, hears: Hears) -> None:
        """A turn begins: notes that are read in it reach their readers.

        Args:
            hears: who is there for what is said in it.
        """
        for note in self._notes:
            readers = {name for name, read in note.read_at.items() if read == turn}
            if readers:
                self._read(note, turn, readers, hears)

    def _read(self, note: _Note, turn: int, readers: set[str], hears: Hears) -> None:
        known_to = (name for name, read in note.read_at.items() if read is not None and read <= turn)
        together = {name for name in (*known_to, note.writer) if hears(name)}
        for one in note.sayings:
            for reader in sorted(readers):
                self._reach(one, turn, frozenset((reader,)).__contains__)
            self._reach(one, turn, together.__contains__, frozenset(readers))

    def _reach(self, one: _Reached, turn: int, hears: Hears, readers: frozenset[str] = frozenset()) -> None:
        one.groups.append(_Group(turn, hears, readers))
        self._courses.pop(one.state, None)

    def say(self, sayings: Sequence[Saying], hears: Hears) -> None:
        """Something is said aloud, and reaches who hears it."""
        for one in self._add(sayings):
            self._reach(one, one.saying.turn, hears)

    def think(self, saying: Saying) -> None:
        """Somebody takes something of another for granted without a word."""
        known = self.picture((saying.speaker,), saying.holder, saying.topic, saying.turn)
        if known is None or known.content != saying.content:
            self.say((saying,), frozenset((saying.speaker,)).__contains__)

    def write(self, sayings: Sequence[Saying], writer: str, read_at: dict[str, int | None]) -> None:
        """A note is written; in this turn it reaches its writer and, together, those who read it at once.

        Who reads it at once is there: it is written to nobody who is away.
        """
        written = tuple(self._add(sayings))
        at_once = frozenset(name for name, read in read_at.items() if written and read == written[0].saying.turn)
        for one in written:
            self._reach(one, one.saying.turn, frozenset((writer,)).__contains__)
            if at_once:
                self._reach(one, one.saying.turn, at_once.union((writer,)).__contains__)
        self._notes.append(_Note(writer, read_at, written))

    def _add(self, sayings: Sequence[Saying]) -> Iterator[_Reached]:
        for saying in sayings:
            self._count += 1
            one = _Reached(saying, self._source(saying), self._count)
            self._reached[one.state].append(one)
            yield one

    def _source(self, saying: Saying) -> int:
        if saying.own:
            return saying.turn
        known = self.picture((saying.speaker,), saying.holder, saying.topic, saying.turn)
        return NOWHERE if known is None else known.source_turn

    def picture(self, chain: Collection[str], holder: str, topic: str, turn: int) -> Picture | None:
        """The value of a chain of minds about a holder's state at the end of a turn; None if it has none.

        Args:
            chain: names, from the one whose picture it is on.
        """
        courses = self._courses.setdefault((holder, topic), {})
        minds = tuple(chain)
        if minds not in courses:
            courses[minds] = self._course(minds, holder, topic)
        return courses[minds].at(turn)

    def _course(self, chain: tuple[str, ...], holder: str, topic: str) -> _Course:
        """The pictures of a chain, each in place of one before it that it outranks."""
        course, highest = _Course([], []), None
        for since, one in sorted(self._known(chain, holder, topic), key=itemgetter(0)):
            rank = self._rank(one, chain, since)
            if highest is None or rank > highest:
                highest = rank
                course.turns.append(since)
                course.pictures.append(Picture(one.saying, one.source_turn, since))
        return course

    def _known(self, chain: tuple[str, ...], holder: str, topic: str) -> Iterator[tuple[int, _Reached]]:
        """What reached a chain, and when."""
        for one in self._reached.get((holder, topic), ()):
            if not _told_by_only(one.saying, chain) and (since := one.reached(chain)) is not None:
                yield since, one

    def _rank(self, one: _Reached, chain: Collection[str], since: int) -> tuple[int, bool, int, int]:
        saying = one.saying
        shown = saying.presumed and saying.speaker in chain
        return one.source_turn, shown or saying.own, since, one.number

    def reached_at(self, saying: Saying, name: str) -> int | None:
        """The turn at which an expression reached somebody; None if it never did."""
        same = (one for one in self._reached.get((saying.holder, saying.topic), ()) if one.saying == saying)
        return min((group.turn for one in same for group in one.groups if group.hears(name)), default=None)

    def garbled_at(self, teller: str, holder: str, topic: str) -> list[int]:
        """The turns at which somebody tells of another's state something else than they had of it until then."""
        told = (one.saying for one in self._reached.get((holder, topic), ()) if one.saying.speaker == teller != holder)
        return [one.turn for one in told if not one.presumed and self._had(one) != one.content]

    def _had(self, told: Saying) -> str | None:
        """What a teller took the state to be of which they tell."""
        picture = self.picture((told.speaker,), told.holder, told.topic, told.turn)
        return None if picture is None else picture.content

    def together(self, names: Sequence[str]) -> list[Reach]:
        """What reached at least two of these together, in the order of the turns."""
        reached = (one for group in self._reached.values() for one in group)
        all_of = (
            Reach(one.saying, turn, one.source_turn, together)
            for one in sorted(reached, key=attrgetter("number"))
            for turn, together in one.shared_among(names)
        )
        return sorted((one for one in all_of if len(one.names) > 1), key=attrgetter("turn"))

    def turns(self, holder: str, topic: str) -> list[int]:
        """The turns at which anything about a state reached anybody."""
        reached = self._reached.get((holder, topic), ())
        return sorted({group.turn for one in reached for group in one.groups})

    def states(self) -> list[State]:
        """(holder, topic) of all states of which anything was said, in the order of their first mention."""
        return list(self._reached)


def _told_by_only(saying: Saying, chain: Collection[str]) -> bool:
    """Whether it is what the one mind of a chain told others of somebody else."""
    return not saying.own and not saying.presumed and set(chain) == {saying.speaker}
