"""Annotated states in the belief tracker: who held what at which turn, and where that is not known."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dtomtrack.beliefs.dialogue import BeliefRecord
from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.suites.trajectories.records import AnnotatedState, Trajectory

__all__ = ["Change", "TrackedTrajectory"]

Change = tuple[BeliefRecord, BeliefRecord]
"""What was held, and what took its place."""


class TrackedTrajectory:
    """A trajectory with the tracker that has read its states.

    Attributes:
        given: the trajectory.
        tracker: all that is known of who held what.
    """

    def __init__(self, given: Trajectory) -> None:
        self.given = given
        self.tracker = BeliefTracker()
        self._unknown: dict[StateKey, list[int]] = {}
        self._known: dict[StateKey, list[int]] = {}
        for state in sorted(given.states, key=lambda one: one.turn):
            self._note(state)

    def _note(self, state: AnnotatedState) -> None:
        key = StateKey(state.holder, state.topic, state.about)
        if state.content is None:
            self._unknown.setdefault(key, []).append(state.turn)
            return
        self._known.setdefault(key, []).append(state.turn)
        if state.about is None:
            held = thought(state.mental_state, state.content, state.topic)
        else:
            held = second_order(state.about, state.mental_state, state.content, state.topic)
        self.tracker.note(state.holder, state.turn, held)

    def at(self, key: StateKey, turn: int) -> BeliefRecord | None:
        """The record held at the end of a turn; None where nothing is known of it."""
        if self._last(self._unknown, key, turn) > self._last(self._known, key, turn):
            return None
        return self.tracker.at(key, turn)

    @staticmethod
    def _last(turns: dict[StateKey, list[int]], key: StateKey, turn: int) -> int:
        return max((one for one in turns.get(key, ()) if one <= turn), default=-1)

    def changes(self, key: StateKey) -> list[Change]:
        """The changes of a state, but for those before which it was not known for a while: nobody knows when."""
        pairs = pairwise(self.tracker.history(key))
        return [(old, new) for old, new in pairs if self.at(key, new.source_turn - 1) is not None]

    def is_steady(self, key: StateKey) -> bool:
        """Whether a state is known throughout and never changes."""
        return len(self.tracker.history(key)) == 1 and key not in self._unknown

    def turns_of(self, key: StateKey) -> list[int]:
        """The turns at which the holder speaks, from the first at which the state is known."""
        first = self.tracker.history(key)[0].source_turn
        spoken = [place for place, turn in enumerate(self.given.turns) if turn.speaker == key.holder]
        return [turn for turn in spoken if turn >= first] or [first]

    def false_beliefs(self) -> Iterator[tuple[int, StateKey, StateKey]]:
        """Turn, false second-order state, and the state that it gets wrong; each pair of records once."""
        seen: set[tuple[int, int, StateKey]] = set()
        for key in self.tracker.states():
            if key.about is None:
                continue
            own = StateKey(key.about, key.topic)
            for turn in self.turns_of(key):
                held, actual = self.at(key, turn), self.at(own, turn)
                if held is None or actual is None or held.content == actual.content:
                    continue
                pair = held.source_turn, actual.source_turn, key
                if pair not in seen:
                    seen.add(pair)
                    yield turn, key, own
