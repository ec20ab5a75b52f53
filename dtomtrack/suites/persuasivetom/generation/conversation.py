"""A played conversation with what the tracker has on record of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.inner_speech import second_order, thought
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.beliefs.tracker import BeliefTracker, StateKey
from dtomtrack.items.item import ContextLine
from dtomtrack.scenarios.persuasion.plan import PersuasionPlan, desire_of

__all__ = ["PlayedConversation", "tracked"]

_LIVE, _LAID = "alive", "laid to rest"
_DESIRE, _ATTITUDE, _INTENTION, _STRATEGY = "desire", "attitude", "intention", "strategy"


@dataclass(frozen=True)
class PlayedConversation:
    """A conversation, round by round two lines, and the states of both as the tracker knows them."""

    plan: PersuasionPlan
    lines: tuple[str, ...]
    tracker: BeliefTracker

    @property
    def er(self) -> str:
        """The persuader."""
        return self.plan.er

    @property
    def ee(self) -> str:
        """Who is to be persuaded."""
        return self.plan.ee

    def shown(self, number: int) -> tuple[ContextLine, ...]:
        """The lines up to the end of a round."""
        speakers = (self.er, self.ee)
        return tuple(ContextLine(speakers[place % 2], line) for place, line in enumerate(self.lines[: 2 * number + 2]))

    def desire(self, number: int) -> str:
        """The desire of the persuadee after a round."""
        return self._held(StateKey(self.ee, _DESIRE), 2 * number + 1)

    def strategy(self, number: int) -> str:
        """The strategy of the persuader in a round."""
        return self._held(StateKey(self.er, _STRATEGY), 2 * number)

    def intention(self, number: int) -> str:
        """The intention of the persuadee in a round."""
        return self._held(StateKey(self.ee, _INTENTION), 2 * number + 1)

    def believed_by_er(self, number: int) -> str | None:
        """The attitude that the persuader, having heard the answer, ascribes to the other; None of who has none."""
        if self.plan.rounds[number].attitude is None:
            return None
        return self._held(StateKey(self.er, _ATTITUDE, self.ee), 2 * number + 1)

    def believed_by_ee(self, number: int) -> str:
        """The attitude that the persuadee ascribes to the persuader."""
        return self._held(StateKey(self.ee, _ATTITUDE, self.er), 2 * number + 1)

    def live(self, number: int) -> frozenset[str]:
        """The worries that are alive after a round."""
        names = [one.id for one in self.plan.goal.concerns]
        held = {name: self.tracker.at(StateKey(self.ee, f"worry {name}"), 2 * number + 1) for name in names}
        return frozenset(name for name, record in held.items() if record is not None and record.content == _LIVE)

    def _held(self, key: StateKey, turn: int) -> str:
        record = self.tracker.at(key, turn)
        if record is None:
            raise ValueError(f"nothing is on record of {key} at turn {turn}")
        return record.content


def tracked(plan: PersuasionPlan, lines: Sequence[str]) -> PlayedConversation:
    """A conversation whose hidden states a tracker has followed, turn by turn."""
    tracker = BeliefTracker()
    for number in range(len(plan.rounds)):
        _persuader(tracker, plan, number)
        _persuadee(tracker, plan, number)
    return PlayedConversation(plan, tuple(lines), tracker)


def _persuader(tracker: BeliefTracker, plan: PersuasionPlan, number: int) -> None:
    own = plan.rounds[number]
    tracker.note(plan.er, 2 * number, thought(MentalState.INTENTION, own.strategy.label, _STRATEGY))
    tracker.note(plan.er, 2 * number, thought(MentalState.EMOTION, own.tone.word, _ATTITUDE))


def _persuadee(tracker: BeliefTracker, plan: PersuasionPlan, number: int) -> None:
    own, turn = plan.rounds[number], 2 * number + 1
    for concern in plan.goal.concerns:
        content = _LIVE if concern.id in own.concerns else _LAID
        tracker.note(plan.ee, turn, thought(MentalState.BELIEF, content, f"worry {concern.id}"))
    tracker.note(plan.ee, turn, thought(MentalState.DESIRE, desire_of(own.concerns), _DESIRE))
    tracker.note(plan.ee, turn, thought(MentalState.INTENTION, own.intention.label, _INTENTION))
    tracker.note(plan.ee, turn, second_order(plan.er, MentalState.EMOTION, own.tone.word, _ATTITUDE))
    if own.attitude_word is not None:
        tracker.note(plan.ee, turn, thought(MentalState.EMOTION, own.attitude_word, _ATTITUDE))
        # the persuader knows of it by hearing the answer
        tracker.note(plan.er, turn, second_order(plan.ee, MentalState.EMOTION, own.attitude_word, _ATTITUDE))
