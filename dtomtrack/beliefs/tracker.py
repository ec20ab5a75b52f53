"""The belief tracker: who held what, since which turn, and what before (paper, "Belief State Tracking").

It is a plain class that knows nothing of scenarios or plans: it is given turns, one by one, of any number of agents,
and reads their inner speech.

    tracker = BeliefTracker()
    for turn in turns:
        tracker.add(turn)
    tracker.at(StateKey("Maya", "seating"), turn=5)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dtomtrack.beliefs.dialogue import BeliefRecord, InnerSpeech, Turn
from dtomtrack.beliefs.scenario import MentalState

__all__ = ["BeliefTracker", "FalseBelief", "StateKey"]


@dataclass(frozen=True)
class StateKey:
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
    """

    def __init__(self, facts: dict[str, str] | None = None) -> None:
        self._facts = dict(facts or {})
        self._records: dict[StateKey, list[BeliefRecord]] = {}
        self._turns: dict[str, list[int]] = {}
        self._last_turn = -1

    @classmethod
    def of(cls, turns: Iterable[Turn], facts: dict[str, str] | None = None) -> BeliefTracker:
        """A tracker that has read these turns."""
        tracker = cls(facts)
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
        self._turns.setdefault(turn.speaker, []).append(turn.index)
        for one in turn.inner_speech:
            if one.topic is not None:
                self._add(turn.speaker, turn.index, one, one.topic)

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
        self._add(holder, turn, thought, thought.topic)

    def _add(self, holder: str, turn: int, thought: InnerSpeech, topic: str) -> None:
        records = self._records.setdefault(StateKey(holder, topic, thought.about), [])
        prior = records[-1] if records else None
        if prior is not None:
            if prior.content == thought.content:
                return
            records[-1] = prior.model_copy(update={"superseded": True, "superseded_at": turn})
        records.append(
            BeliefRecord(
                holder=holder,
                about=thought.about,
                order=thought.order,
                mental_state=thought.mental_state,
                topic=topic,
                content=thought.content,
                source_turn=turn,
                prior_content=prior.content if prior else None,
            )
        )

    @property
    def last_turn(self) -> int:
        """Index of the last turn read; -1 before the first."""
        return self._last_turn

    def turns_of(self, agent: str) -> list[int]:
        """The turns at which an agent spoke."""
        return list(self._turns.get(agent, ()))

    def states(self) -> list[StateKey]:
        """All states on record, in the order in which they were first expressed."""
        return list(self._records)

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
