"""Hearing: what has reached whom, and with whom together, of what is said of states; and what follows for pictures.

An *expression* of a state of h has a content, a source turn (when h said or wrote it) and the turns at which it reached
people. Said aloud, it reaches everybody in the audience together, in that turn. A note reaches who reads it in the turn
in which it is read, and together with others only those who are there then: others who read it, and who wrote it.

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

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["NOWHERE", "Hearing", "Picture", "Saying"]

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


@dataclass
class _Reached:
    """An expression, and by turns whom it reached together."""

    saying: Saying
    source_turn: int
    number: int
    groups: list[tuple[int, Hears]] = field(default_factory=list)

    def reached(self, chain: Collection[str], turn: int) -> int | None:
        """The first turn, up to this one, at which it had reached all of a chain together."""
        return min((at for at, hears in self.groups if at <= turn and all(map(hears, chain))), default=None)


@dataclass(frozen=True)
class _Note:
    """A note that is not read yet by everybody who is to read it."""

    writer: str
    read_at: dict[str, int | None]
    sayings: tuple[_Reached, ...]


class Hearing:
    """What has reached whom, turn by turn. Turns have to be told in their order."""

    def __init__(self) -> None:
        self._reached: dict[tuple[str, str], list[_Reached]] = defaultdict(list)
        self._notes: list[_Note] = []
        self._pictures: dict[tuple[tuple[str, ...], str, str, int], Picture | None] = {}
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
        self._pictures.clear()

    def _read(self, note: _Note, turn: int, readers: set[str], hears: Hears) -> None:
        together = {name for name in (*readers, note.writer) if hears(name)}
        for one in note.sayings:
            one.groups += [(turn, frozenset((reader,)).__contains__) for reader in sorted(readers)]
            one.groups.append((turn, together.__contains__))

    def say(self, sayings: Sequence[Saying], hears: Hears) -> None:
        """Something is said aloud, and reaches who hears it."""
        for one in self._add(sayings):
            one.groups.append((one.saying.turn, hears))
            self._pictures.clear()

    def think(self, saying: Saying) -> None:
        """Somebody takes something of another for granted without a word."""
        known = self.picture((saying.speaker,), saying.holder, saying.topic, saying.turn)
        if known is None or known.content != saying.content:
            self.say((saying,), frozenset((saying.speaker,)).__contains__)

    def write(self, sayings: Sequence[Saying], writer: str, read_at: dict[str, int | None]) -> None:
        """A note is written; in this turn it reaches those who read it at once, and its writer."""
        written = tuple(self._add(sayings))
        for one in written:
            one.groups.append((one.saying.turn, frozenset((writer,)).__contains__))
        note = _Note(writer, read_at, written)
        self._notes.append(note)
        for one in written:
            at_once = {name for name, read in read_at.items() if read == one.saying.turn}
            one.groups += [(one.saying.turn, frozenset((reader, writer)).__contains__) for reader in sorted(at_once)]
        self._pictures.clear()

    def _add(self, sayings: Sequence[Saying]) -> Iterator[_Reached]:
        for saying in sayings:
            self._count += 1
            one = _Reached(saying, self._source(saying), self._count)
            self._reached[saying.holder, saying.topic].append(one)
            self._pictures.clear()
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
        asked = tuple(chain), holder, topic, turn
        if asked not in self._pictures:
            self._pictures[asked] = self._picture(chain, holder, topic, turn)
        return self._pictures[asked]

    def _picture(self, chain: Collection[str], holder: str, topic: str, turn: int) -> Picture | None:
        found = [(self._rank(one, chain, since), one, since) for one, since in self._known(chain, holder, topic, turn)]
        if not found:
            return None
        _, best, since = max(found, key=lambda each: each[0])
        return Picture(best.saying, best.source_turn, since)

    def _known(self, chain: Collection[str], holder: str, topic: str, turn: int) -> Iterator[tuple[_Reached, int]]:
        for one in self._reached.get((holder, topic), ()):
            if one.saying.turn > turn or _told_by_only(one.saying, chain):
                continue
            since = one.reached(chain, turn)
            if since is not None:
                yield one, since

    def _rank(self, one: _Reached, chain: Collection[str], since: int) -> tuple[int, bool, int, int]:
        saying = one.saying
        shown = saying.presumed and saying.speaker in chain
        return one.source_turn, shown or saying.own, since, one.number

    def reached_at(self, saying: Saying, name: str) -> int | None:
        """The turn at which an expression reached somebody; None if it never did."""
        same = (one for one in self._reached.get((saying.holder, saying.topic), ()) if one.saying == saying)
        return min((turn for one in same for turn, hears in one.groups if hears(name)), default=None)

    def turns(self, holder: str, topic: str) -> list[int]:
        """The turns at which anything about a state reached anybody."""
        reached = self._reached.get((holder, topic), ())
        return sorted({turn for one in reached for turn, _ in one.groups})

    def states(self) -> list[tuple[str, str]]:
        """(holder, topic) of all states of which anything was said, in the order of their first mention."""
        return list(self._reached)


def _told_by_only(saying: Saying, chain: Collection[str]) -> bool:
    """Whether it is what the one mind of a chain told others of somebody else."""
    return not saying.own and not saying.presumed and set(chain) == {saying.speaker}
