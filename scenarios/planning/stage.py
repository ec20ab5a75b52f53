"""The stage: a dialogue as far as it has been planned, turn by turn.

It knows who is there, who spoke last, who has heard what, and whose picture of whom is wrong since when. Exchanges
(`dtomtrack.scenarios.planning.exchanges`, `.apart`) put turns on it; it adds what people say to what was just said.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from zlib import crc32

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack, PackTopic
from dtomtrack.scenarios.planning.attendance import Absence, Attendance
from dtomtrack.scenarios.planning.ledger import Ledger
from dtomtrack.scenarios.planning.reactions import reaction_to
from dtomtrack.scenarios.planning.secrets import Secrets
from dtomtrack.scenarios.planning.steps import Kind, Step
from dtomtrack.scenarios.planning.turns import StagedTurn
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.scenarios.telling import is_harmless, telling_words

__all__ = ["Apart", "Stage"]


@dataclass
class Apart:
    """A picture that is wrong for some turns."""

    way: Way
    holder: str
    mistaken: str
    topic: PackTopic
    turn: int
    actual: str
    believed: str | None
    until: int | None = None
    shown_at: list[int] = field(default_factory=list)


class Stage:
    """A dialogue that is being planned.

    Args:
        sides: by name, on which side of the conversation somebody is.
        away: those who come late.

    Attributes:
        strands: what is still to come of each state, in its order; planned: all else that is.
        nobody_mistells_at: the last turn at which it was looked for in vain who may tell something wrong of another.
        whole: how many turns it is to have; ``length`` is without those kept for farewells while it is played.
        last_turns: so many turns before the end nothing waits any more for who is to be left behind by it.
    """

    def __init__(
        self,
        pack: DomainPack,
        sides: Mapping[str, str],
        turns: int,
        difficulty: Difficulty,
        rng: Random,
        away: Iterable[str] = (),
    ) -> None:
        self.pack, self.sides, self.length, self.difficulty, self.rng = pack, sides, turns, difficulty, rng
        self.whole = turns
        self.names = tuple(sides)
        self.ledger = Ledger()
        self.turns: list[StagedTurn] = []
        self.attendance = Attendance(self.names, [Absence(name, 0, rng.randrange(1000)) for name in away])
        self.apart: list[Apart] = []
        self.planned: list[Step] = []
        self.strands: list[list[Step]] = []
        self.nobody_mistells_at = -1
        self.last_turns = rng.randint(*_LAST_TURNS)
        self._confided: dict[tuple[str, str], frozenset[str]] = {}
        self._pretended: dict[tuple[str, str], str] = {}
        self._secrets = Secrets()
        self._from_the_start: dict[tuple[str, str], str] = {}
        self._favored: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._opposed: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._brought_up: dict[tuple[str, str], str] = {}
        self._turnabouts: Counter[tuple[str, str]] = Counter()
        self._said_at: dict[tuple[str, str], int] = {}
        self._taken_up_at: dict[tuple[str, str], int] = {}
        self._voiced_at: dict[tuple[str, str], int] = {}
        self._telling: frozenset[str] = frozenset()
        self._counts: Counter[tuple[object, ...]] = Counter()
        self._offset = rng.randrange(1 << 20)

    # -- who and when ------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The index of the next turn."""
        return len(self.turns)

    @property
    def left(self) -> int:
        """How many turns are left."""
        return self.length - len(self.turns)

    @property
    def last(self) -> str:
        """Who spoke last."""
        return self.turns[-1].speaker if self.turns else ""

    def is_away(self, name: str) -> bool:
        """Whether somebody is away."""
        return name in self.attendance.away

    @property
    def present(self) -> tuple[str, ...]:
        """Those who are there."""
        return self.attendance.present

    def others(self, *but: str) -> list[str]:
        """Those who are there, but for these."""
        return [name for name in self.present if name not in but]

    def partners(self, topic: PackTopic, holder: str) -> list[str]:
        """Those who are there and can speak the lines of a topic that are for others than its holder."""
        others = self.others(holder)
        return others if topic.shared else [name for name in self.spoken_to(topic, holder) if name in others]

    def spoken_to(self, topic: PackTopic, holder: str) -> list[str]:
        """Those on the other side, there or not, whom the lines of a topic that is not for all are said to."""
        across = [name for name in self.names if self.sides[name] != self.sides[holder]]
        return across[:1] if topic.partners == "first" else across

    def ready_to_speak(self, names: Sequence[str]) -> str:
        """One of these who is there and did not speak last; empty if there is none."""
        fitting = [name for name in names if name != self.last and not self.is_away(name)]
        return self.rng.choice(fitting) if fitting else ""

    @property
    def idle(self) -> int:
        """For how many turns nobody has talked of anything."""
        busy = (at for at, turn in enumerate(reversed(self.turns)) if not _is_idle(turn))
        return next(busy, self.now)

    # -- what is said ------------------------------------------------------------------------------------------------

    def direct(self, move: Move, topic: PackTopic | None = None, holder: str = "", **more: object) -> Direction:
        """A direction, with numbers by which its lines are picked."""
        topic_id = topic.id if topic else ""
        said = move in _SAYING or (move is Move.UPDATE and not more.get("marker"))
        if said:
            more["anew"] = move is Move.UPDATE or not self.has_said(holder, topic_id) <= {more["value"]}
        key = (Move.VOICE if said else move, topic_id, more.get("value", ""))
        shared = ("", *_pool(move, topic, again=more.get("named") == ("again",)))
        self._counts[key] += 1
        self._counts[shared] += 1
        pick, nth = self._pick(key), self._offset + self._counts[shared]
        return Direction(move=move, topic=topic_id, holder=holder, pick=pick, nth=nth, **more)  # type: ignore[arg-type]

    def has_come_up(self, topic: PackTopic) -> bool:
        """Whether anybody has said anything on a topic."""
        return any(one.topic == topic.id for turn in self.turns for one in turn.directions)

    def has_said(self, holder: str, topic: str) -> set[str]:
        """The values that somebody has said to hold, true or not."""
        spoken = (one for turn in self.turns for one in turn.directions if one.move in _OWN_WORDS)
        return {one.value for one in spoken if (one.holder, one.topic) == (holder, topic)}

    def to_come(self, holder: str, topic: PackTopic) -> set[str]:
        """The values that somebody will still come to hold."""
        return {step.value for strand in self.strands for step in strand if step.state == (holder, topic.id)}

    def _pick(self, key: tuple[object, ...]) -> int:
        return self._offset + crc32(repr(key).encode()) + self._counts[key]

    def next_pick(self, move: Move, topic: PackTopic, value: str) -> int:
        """The number by which the words of the next direction of this kind will be picked."""
        return self._pick((move, topic.id, value)) + 1

    def used(self, move: Move) -> int:
        """How often a move was made."""
        return self._counts["", move, ""]

    def fresh_reasons(self, topic: PackTopic, value: str) -> int:
        """How many reasons for a value have not been given yet."""
        return len(topic.value(value).reason) - self._counts[Move.REVEAL, topic.id, value]

    def fresh_against(self, topic: PackTopic, value: str) -> bool:
        """Whether something can still be said against a value that has not been said."""
        return value != topic.ignorance and self._counts["against", topic.id, value] < len(topic.value(value).against)

    def next_against(self, topic: PackTopic, value: str) -> int:
        """The number by which the words against a value are picked, which are said now."""
        key = ("against", topic.id, value)
        self._counts[key] += 1
        return self._pick(key)

    def say(
        self,
        speaker: str,
        *directions: Direction,
        hearers: Sequence[str] | None = None,
        read_at: Mapping[str, int | None] | None = None,
    ) -> int:
        """Put a turn on the stage, with what its speaker says to the turn before; gives its index."""
        turn = StagedTurn(
            speaker,
            list(directions),
            self.present,
            None if hearers is None else tuple(hearers),
            dict(read_at or {}),
        )
        turn.directions[:] = [
            one._replace(behind=self._speaks_past(one, turn.read_at or turn.heard_by)) for one in directions
        ]
        if self.turns and (reaction := reaction_to(self, turn)):
            turn.directions.insert(0, reaction)
        self.turns.append(turn)
        return self.now - 1

    def _speaks_past(self, one: Direction, hearers: Collection[str]) -> bool:
        """Whether nobody hears what somebody holds of those whom a topic's lines are said to."""
        if one.move not in _OWN_WORDS or self.pack.topic(one.topic).shared:
            return False
        return not any(name in hearers for name in self.spoken_to(self.pack.topic(one.topic), one.holder))

    def add(self, direction: Direction) -> None:
        """Let the last speaker say something more."""
        self.turns[-1].directions.append(direction)

    # -- what comes of it --------------------------------------------------------------------------------------------

    def express(self, holder: str, topic: PackTopic, value: str, way: Way = Way.ABSENCE) -> None:
        """The last turn expressed what its speaker holds: those who don't hear it are left behind, in this way."""
        turn = self.turns[-1]
        if self.believable(holder, topic, turn.heard_by):
            self._confided.pop((holder, topic.id), None)
            self._pretended.pop((holder, topic.id), None)
        self._secrets.tell(holder, topic.id, turn.heard_by)
        self._said_at[holder, topic.id] = self.now - 1
        self._voiced_at.setdefault((holder, topic.id), self.now - 1)
        if value != self.ledger.held(holder, topic.id) or (holder, topic.id) not in self._taken_up_at:
            self._taken_up_at[holder, topic.id] = self.now - 1
        self.ledger.hold(holder, topic.id, value)
        self.ledger.hear(turn.heard_by, holder, topic.id, value, self.now - 1, hearsay=False)
        self.settle(holder, topic, way)

    def said_since(self, holder: str, topic: PackTopic) -> int:
        """How many turns ago the holder last said how it is."""
        return self.now - self._said_at.get((holder, topic.id), -self.length)

    def held_since(self, holder: str, topic: PackTopic) -> int:
        """How many turns ago the holder took up what they hold."""
        return self.now - self._taken_up_at.get((holder, topic.id), -self.length)

    def is_asked_about(self, one: Apart) -> bool:
        """Whether there is a turn at which it can be asked about a wrong picture: the holder has said how it is."""
        voiced = self._voiced_at.get((one.holder, one.topic.id), self.length)
        until = self.length if one.until is None else one.until
        return one.believed in one.topic.clauses and one.turn < until and voiced < max(until, one.turn + 2)

    def keep_secret(self, holder: str, topic: PackTopic, confidants: Iterable[str], kept_from: str) -> None:
        """The holder has just asked these to keep from somebody how it is."""
        held = self.ledger.held(holder, topic.id)
        self._secrets.ask(self.now - 1, holder, topic.id, held, confidants, kept_from)

    def is_fresh_secret(self, holder: str, topic: PackTopic) -> bool:
        """Whether it was only just asked to be kept, so that passing it on would be out of character."""
        return self._secrets.is_fresh(holder, topic.id, self.now, self.length) or self.is_to_be_untrue(holder, topic)

    def is_kept_from(self, name: str, who: str, holder: str, topic: PackTopic) -> bool:
        """Whether ``who`` goes by what they were asked to keep from somebody, who goes by something else."""
        known, theirs = (self.ledger.picture(one, holder, topic.id) for one in (who, name))
        if known is None or (theirs is not None and theirs.value == known.value):
            return False
        return self._secrets.is_kept_from(name, who, holder, topic.id, known.value)

    def confided(self, holder: str, topic: PackTopic, to: Iterable[str], instead: str) -> None:
        """The holder asked these to keep how it is from somebody, who will hear something else."""
        self._confided[holder, topic.id] = frozenset(to)
        self._pretended[holder, topic.id] = instead
        self.ledger.let_in(holder, topic.id, self._confided[holder, topic.id], instead)

    @property
    def untruths_to_come(self) -> list[Step]:
        """The untruths that were announced, and have not been told yet."""
        return [one for one in self.planned if one.kind is Kind.MISLEAD]

    def is_to_be_untrue(self, holder: str, topic: PackTopic) -> bool:
        """Whether the holder has still to tell an untruth on a topic."""
        return any(one.state == (holder, topic.id) for one in self.untruths_to_come)

    def is_to_stay(self, name: str) -> bool:
        """Whether somebody has still to tell an untruth that was announced, or to hear it."""
        return any(name in {one.holder, one.who} for one in self.untruths_to_come)

    def pretended(self, holder: str, topic: PackTopic) -> str:
        """What the holder said that somebody will hear instead of the truth; empty for nothing."""
        return self._pretended.get((holder, topic.id), "")

    def believable(self, holder: str, topic: PackTopic, hearers: Iterable[str], value: str = "") -> bool:
        """Whether a reader takes it for the truth what the holder says before these.

        After an untruth was announced it is taken for one, unless somebody hears it who was told of it; and the very
        value that was announced is, whoever hears it, and however much later.
        """
        if value in self.ledger.announced(holder, topic.id):
            return False
        told = self._confided.get((holder, topic.id))
        return told is None or not told.isdisjoint(hearers)

    def begin(self, minds: Mapping[tuple[str, str], str]) -> None:
        """What each (holder, topic) is about to say first; until then nobody has heard of it."""
        self._from_the_start = dict(minds)
        self._telling = telling_words(self.pack.topic(topic) for topic in dict.fromkeys(one for _, one in minds))
        for one in self.attendance.absences:
            one.reason = self._passing(self.pack.lines.join, one.reason)

    def mind(self, name: str, topic: PackTopic) -> str:
        """What somebody holds, said or not; empty if they have no state of their own about the topic."""
        return self.ledger.held(name, topic.id) or self._from_the_start.get((name, topic.id), "")

    def argued(self, name: str, topic: PackTopic, value: str, old: str) -> None:
        """Somebody has argued for a value, and against another unless that is empty."""
        self._favored[name, topic.id].add(value)
        self._opposed[name, topic.id].add(old)

    def brings_up(self, name: str, topic: PackTopic, value: str) -> None:
        """Somebody has just given a reason for a value, as their own or as hearsay."""
        self._turnabouts[name, topic.id] += self.brought_up(name, topic) not in {"", value}
        self._brought_up[name, topic.id] = value

    def brought_up(self, name: str, topic: PackTopic) -> str:
        """The value that somebody gave a reason for last; empty for none."""
        return self._brought_up.get((name, topic.id), "")

    def has_turned_enough(self, name: str, topic: PackTopic) -> bool:
        """Whether somebody has argued now for this and now for that so often that nobody would listen any more."""
        return self._turnabouts[name, topic.id] >= 1 + self.length // _A_TURNABOUT_IN

    def favored_by(self, name: str, topic: PackTopic) -> Collection[str]:
        """The values that somebody has argued for."""
        return self._favored[name, topic.id]

    def opposed_by(self, name: str, topic: PackTopic) -> Collection[str]:
        """The values that somebody has argued against."""
        return self._opposed[name, topic.id]

    def settle(self, holder: str, topic: PackTopic, way: Way | None) -> None:
        """Write down whose picture of a state has become wrong, in this way, and whose is right again.

        Args:
            way: None where others overheard what somebody takes for granted: nobody can say what they make of it.
        """
        turn, actual = self.now - 1, self.ledger.held(holder, topic.id)
        wrong = {name: self.ledger.picture(name, holder, topic.id) for name in self.ledger.mistaken(holder, topic.id)}
        for one in self.apart:
            if one.until is None and (one.holder, one.topic.id) == (holder, topic.id):
                picture = wrong.get(one.mistaken)
                ignorant = one.believed is None and self.ledger.picture(one.mistaken, holder, topic.id) is None
                same = picture is not None and picture.value == one.believed and one.actual == actual
                if same or ignorant:
                    wrong.pop(one.mistaken, None)
                else:
                    one.until = turn
        for name, picture in wrong.items():
            if way is not None and picture is not None and name != holder:
                missed = self._missed_by(name, holder, topic, way)
                self.apart.append(Apart(missed, holder, name, topic, turn, actual, picture.value))

    def _missed_by(self, name: str, holder: str, topic: PackTopic, way: Way) -> Way:
        """How somebody was left behind: who has not heard the hearsay, as they were before."""
        if way is Way.HEARSAY and name not in self.turns[-1].heard_by:
            before = (one for one in reversed(self.apart) if (one.mistaken, one.holder) == (name, holder))
            return next((one.way for one in before if one.topic.id == topic.id), Way.ABSENCE)
        return Way.ABSENCE if way in _UNHEARD and self.is_away(name) else way

    def open_apart(self, mistaken: str, holder: str, topic: str) -> Apart | None:
        """The open divergence of a picture, if it is wrong."""
        for one in reversed(self.apart):
            if one.until is None and (one.mistaken, one.holder, one.topic.id) == (mistaken, holder, topic):
                return one
        return None

    def leave(self, name: str) -> None:
        """Somebody says why they have to go, and leaves."""
        direction = self.direct(Move.LEAVE)
        reason = self._passing(self.pack.lines.leave, direction.nth)
        self.say(name, direction._replace(value=str(reason)))
        self.attendance.leave(name, self.now, reason)

    def _passing(self, lines: Sequence[Sequence[str]], number: int) -> int:
        """The place of one of these lines, or groups of lines, that has nothing to do with what is talked about."""
        fitting = [at for at, one in enumerate(lines) if is_harmless(" ".join(one), self._telling)]
        return fitting[number % len(fitting)] if fitting else number

    def missed_so_far(self, name: str) -> None:
        """Write down what somebody who has just come does not know."""
        for holder, topic_id in self.ledger.states():
            if holder != name and self.ledger.picture(name, holder, topic_id) is None:
                held = self.ledger.held(holder, topic_id)
                topic = self.pack.topic(topic_id)
                self.apart.append(Apart(Way.LATE_JOINER, holder, name, topic, self.now - 1, held, None))

    # -- what is to come ---------------------------------------------------------------------------------------------

    def plan(self, step: Step) -> None:
        """Something is to follow."""
        self.planned.append(step)

    def gap(self, most: int) -> int:
        """Some turns, from 0 to ``most``, as far as the dialogue goes."""
        return self.rng.randint(0, max(0, min(most, self.left - 4)))


_A_TURNABOUT_IN = 40
"""Turns for which somebody may argue once more for something else than they have on a topic, beside the first time."""
_LAST_TURNS = (4, 7)
"""The fewest and the most last turns: what was left for them is not to come at the same turn of each dialogue."""
_UNHEARD = frozenset({Way.ASIDE, Way.NOTE})
"""Ways in which what is said does not reach who is there; who is out misses it for that."""


def _pool(move: Move, topic: PackTopic | None, *, again: bool) -> tuple[object, object]:
    """The lines that a move shares with others of its kind, by a name: what is taken from one comes in turn.

    Args:
        again: it is asked again, in words that are the same for all states.
    """
    if again or topic is None:
        return move, "again" if again else ""
    if move is Move.ACCEPT and topic.state is MentalState.EMOTION:
        # a changed feeling is heard like any other
        return Move.ACKNOWLEDGE, topic.state
    return move, topic.state if move in _BY_STATE else ""


def _is_idle(turn: StagedTurn) -> bool:
    return any(one.move in _IDLE for one in turn.directions)


_IDLE = frozenset({Move.SMALL_TALK, Move.ANSWER_SMALL_TALK, Move.ASIDE, Move.SLIP})
_SAYING = frozenset({Move.VOICE, Move.MISLEAD})
"""Moves that take their words from the same lines, as changes without a marker do: none is to come twice."""
_OWN_WORDS = _SAYING | {Move.UPDATE}
"""Moves by which somebody says what they hold."""
_BY_STATE = frozenset({Move.ACKNOWLEDGE, Move.TELL, Move.ACT, Move.WONDER, Move.MENTION})
"""Moves whose shared lines depend on the mental state."""
