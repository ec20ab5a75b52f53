"""The belief tracker: who held what, since which turn, and what before (paper, "Belief State Tracking").

It is a plain class that knows nothing of scenarios or plans: it is given turns, one by one, of any number of agents.

    tracker = BeliefTracker()
    for turn in turns:
        tracker.add(turn)
    tracker.at(StateKey("Maya", "seating"), turn=5)
    tracker.picture(("Ben", "Cleo"), "Maya", "seating", turn=5)

What an agent holds is what it thinks: the last inner speech. What others take it to hold comes from what has reached
them of what is said, and never from what is thought: `dtomtrack.beliefs.hearing` has the one definition, for chains of
minds of any length. Said is what `Turn.expressions` names; where an agent says other than it thinks, that is an
untruth. An agent that thinks of another what nothing that reached it says takes that for granted, for itself alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dtomtrack.beliefs.dialogue import BeliefRecord, InnerSpeech, Turn
from dtomtrack.beliefs.hearing import Hearing, Picture, Reach, Saying
from dtomtrack.beliefs.scenario import MentalState

__all__ = ["BeliefTracker", "FalseBelief", "StateKey"]


class StateKey(NamedTuple):
    """Whose state, on which topic; ``about`` is None for the holder's own state, else whom the holder thinks about."""

    holder: str
    topic: str
    about: str | None = None


@dataclass(frozen=True)
class FalseBelief:
    """A record that is wrong at ``turn``: what ``held`` says is not so.

    Attributes:
        held: the false record: second-order, or first-order against the facts.
        actual: the record of the other agent that it gets wrong, or None where the facts are against it.
        truth: what is so.
        stale: the record was true when it was formed: the other has changed their mind since.
    """

    turn: int
    held: BeliefRecord
    actual: BeliefRecord | None
    truth: str
    stale: bool


class BeliefTracker:
    """Structured mental states over the turns of one dialogue.

    Args:
        facts: by topic, what is true in the world, where that is known; first-order beliefs are measured against it.
        names: of those who take part without a word; who speaks or is named in an audience is known anyway.
    """

    def __init__(self, facts: dict[str, str] | None = None, names: Iterable[str] = ()) -> None:
        self._facts = dict(facts or {})
        self._names = dict.fromkeys(names)
        self._own: dict[StateKey, list[BeliefRecord]] = {}
        self._all: dict[StateKey, list[BeliefRecord]] | None = None
        self._hearing = Hearing()
        self._kinds: dict[tuple[str | None, str], MentalState] = {}
        self._turns: dict[str, list[int]] = {}
        self._last_turn = -1

    @classmethod
    def of(cls, turns: Iterable[Turn], facts: dict[str, str] | None = None, names: Iterable[str] = ()) -> BeliefTracker:
        """A tracker that has read these turns."""
        tracker = cls(facts, names)
        for turn in turns:
            tracker.add(turn)
        return tracker

    def add(self, turn: Turn) -> None:
        """Read one turn.

        Thoughts without a topic are passed over; a content that is held already is not recorded twice.

        Raises:
            ValueError: the turn is not later than the one before.
        """
        if turn.index <= self._last_turn:
            raise ValueError(f"turn {turn.index} comes after turn {self._last_turn}: add turns in order")
        self._last_turn = turn.index
        self._all = None
        self._turns.setdefault(turn.speaker, []).append(turn.index)
        self._names.update(dict.fromkeys((turn.speaker, *turn.audience)))
        self._hearing.begin(turn.index, turn.hears)
        for one in turn.inner_speech:
            if one.topic is not None:
                self._think(turn.speaker, turn.index, one, one.topic)
        self._hear(turn)

    def note(self, holder: str, turn: int, thought: InnerSpeech) -> None:
        """Record a state that somebody is known to hold at a turn, whoever speaks then; as annotators write it down.

        Raises:
            ValueError: the thought has no topic, or the turn comes before one that was read.
        """
        if thought.topic is None:
            raise ValueError(f"the thought {thought.text!r} has no topic")
        if turn < self._last_turn:
            raise ValueError(f"turn {turn} comes after turn {self._last_turn}: note states in order")
        self._last_turn = turn
        self._all = None
        self._names.setdefault(holder)
        self._think(holder, turn, thought, thought.topic)

    def _think(self, holder: str, turn: int, thought: InnerSpeech, topic: str) -> None:
        for whose in (thought.about or holder, None):
            self._kinds.setdefault((whose, topic), thought.mental_state)
        if thought.about is None:
            self._hold(holder, turn, thought, topic)
        elif thought.about != holder:
            self._hearing.think(Saying(turn, holder, thought.about, topic, thought.content, presumed=True))

    def _hold(self, holder: str, turn: int, thought: InnerSpeech, topic: str) -> None:
        records = self._own.setdefault(StateKey(holder, topic), [])
        prior = records[-1] if records else None
        if prior is None or prior.content != thought.content:
            _follow(records, StateKey(holder, topic), thought.mental_state, thought.content, turn)

    def _hear(self, turn: Turn) -> None:
        sayings = [
            Saying(turn.index, turn.speaker, one.about or turn.speaker, one.topic, one.content, one.presumed)
            for one in turn.expressions
        ]
        if turn.is_note:
            self._hearing.write(sayings, turn.speaker, dict(turn.read_at))
        else:
            self._hearing.say(sayings, turn.hears)

    @property
    def _records(self) -> dict[StateKey, list[BeliefRecord]]:
        """All records by state: own states, and what each takes another's to be."""
        if self._all is None:
            self._all = self._own | dict(self._of_others())
        return self._all

    def _of_others(self) -> Iterator[tuple[StateKey, list[BeliefRecord]]]:
        for holder, topic in self._hearing.states():
            turns, kind = self._hearing.turns(holder, topic), self._kind(holder, topic)
            for name in self._names:
                if name != holder and kind is not None:
                    records = self._picture_records(name, holder, topic, kind, turns)
                    if records:
                        yield StateKey(name, topic, about=holder), records

    def _kind(self, holder: str, topic: str) -> MentalState | None:
        """How somebody holds a topic; as others do where nobody is known to think of it."""
        return self._kinds.get((holder, topic)) or self._kinds.get((None, topic))

    def _picture_records(
        self, name: str, about: str, topic: str, kind: MentalState, turns: Iterable[int]
    ) -> list[BeliefRecord]:
        records: list[BeliefRecord] = []
        for turn in turns:
            picture = self._hearing.picture((name,), about, topic, turn)
            if picture is not None and (not records or records[-1].content != picture.content):
                _follow(records, StateKey(name, topic, about), kind, picture.content, turn)
        return records

    def picture(self, chain: Collection[str], about: str, topic: str, turn: int) -> Picture | None:
        """What a chain of minds takes somebody's state to be at the end of a turn; None if nothing.

        Args:
            chain: names, from the one whose picture it is on: ("Ben", "Cleo") for what Ben takes Cleo to take it to be.
        """
        return self._hearing.picture(chain, about, topic, turn)

    def garbled_at(self, teller: str, about: str, topic: str) -> list[int]:
        """The turns at which somebody tells of another's state something else than they had of it until then."""
        return self._hearing.garbled_at(teller, about, topic)

    def reached_at(self, about: str, topic: str) -> list[int]:
        """The turns at which anything that was said of a state reached anybody."""
        return self._hearing.turns(about, topic)

    def together(self) -> list[Reach]:
        """What was said of states, as it reached several people together, in the order of the turns."""
        return self._hearing.together(self.names)

    def answered_at(self, saying: Saying) -> int | None:
        """The turn at which the one whose state is spoken of first speaks after it has reached them; None if never."""
        heard = self._hearing.reached_at(saying, saying.holder)
        if heard is None:
            return None
        return next((turn for turn in self._turns.get(saying.holder, ()) if turn > heard), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of those who take part, as far as they are known."""
        return tuple(self._names)

    @property
    def last_turn(self) -> int:
        """Index of the last turn read; -1 before the first."""
        return self._last_turn

    def turns_of(self, agent: str) -> list[int]:
        """The turns at which an agent spoke."""
        return list(self._turns.get(agent, ()))

    def states(self) -> list[StateKey]:
        """All states on record, in the order in which they were first held."""
        records = self._records
        return sorted(records, key=lambda key: records[key][0].source_turn)

    def records(self) -> list[BeliefRecord]:
        """All records, by source turn."""
        return sorted((one for records in self._records.values() for one in records), key=lambda one: one.source_turn)

    def history(self, key: StateKey) -> list[BeliefRecord]:
        """The records of one state, oldest first."""
        return list(self._records.get(key, ()))

    def at(self, key: StateKey, turn: int) -> BeliefRecord | None:
        """The record held at the end of a turn; None if nothing had been expressed yet."""
        return next((one for one in reversed(self._records.get(key, ())) if one.source_turn <= turn), None)

    def before(self, key: StateKey, turn: int) -> BeliefRecord | None:
        """The record held just before a turn."""
        return self.at(key, turn - 1)

    def after(self, key: StateKey, turn: int) -> BeliefRecord | None:
        """The record held next, once the state of ``turn`` had been superseded; None if it never was."""
        return next((one for one in self._records.get(key, ()) if one.source_turn > turn), None)

    def updates(self, order: int = 1) -> list[tuple[BeliefRecord, BeliefRecord]]:
        """Changes of mind as pairs (superseded record, its successor), by turn."""
        pairs = [
            (old, new)
            for records in self._records.values()
            for old, new in itertools.pairwise(records)
            if old.order == order
        ]
        return sorted(pairs, key=lambda pair: pair[1].source_turn)

    def false_beliefs(self, turn: int) -> list[FalseBelief]:
        """All that is falsely held at the end of a turn.

        A second-order record is false if it differs from what the agent it is about holds then; a first-order belief or
        piece of knowledge, if it differs from the facts.
        """
        return list(self._false_beliefs(turn))

    def _false_beliefs(self, turn: int) -> Iterator[FalseBelief]:
        for key in self._records:
            held = self.at(key, turn)
            if held is None:
                continue
            if key.about is not None:
                yield from self._false_second_order(key, key.about, held, turn)
            elif key.topic in self._facts and held.mental_state in {MentalState.BELIEF, MentalState.KNOWLEDGE}:
                truth = self._facts[key.topic]
                if held.content != truth:
                    yield FalseBelief(turn, held, None, truth, stale=False)

    def _false_second_order(self, key: StateKey, about: str, held: BeliefRecord, turn: int) -> Iterator[FalseBelief]:
        own = StateKey(about, key.topic)
        actual = self.at(own, turn)
        if actual is None or actual.content == held.content:
            return
        then = self.at(own, held.source_turn)
        stale = then is not None and then.content == held.content
        yield FalseBelief(turn, held, actual, actual.content, stale)


def _follow(records: list[BeliefRecord], key: StateKey, kind: MentalState, content: str, turn: int) -> None:
    """Put a record behind those of the same state; it takes the place of the last."""
    prior = records[-1] if records else None
    if prior is not None:
        records[-1] = prior.model_copy(update={"superseded": True, "superseded_at": turn})
    records.append(
        BeliefRecord(
            holder=key.holder,
            about=key.about,
            order=1 if key.about is None else 2,
            mental_state=kind,
            topic=key.topic,
            content=content,
            source_turn=turn,
            prior_content=None if prior is None else prior.content,
        )
    )
