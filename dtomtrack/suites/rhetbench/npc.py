"""The character's mind: agreement, rapport and what it has heard, and how an argument changes them.

Pure functions of frozen states (RhetBench, "The Hidden NPC State" to "Pivot Signals"). In a turn: amplification,
repeats and fatigue from before it, then what agreement moves by, agreement, walking out, rapport, the question, the
end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.rules import Rules

__all__ = [
    "TURN_LIMIT",
    "Drift",
    "Mind",
    "MindState",
    "TurnOutcome",
    "base_of",
    "delta_of",
    "opening_state",
    "step",
]

TURN_LIMIT = 25

_NO_USES: Mapping[ArgumentClass, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Drift:
    """From this turn on (the first is 1) the character is moved by something else."""

    turn: int
    profile: Mapping[ArgumentClass, float]


@dataclass(frozen=True, slots=True)
class Mind:
    """The hidden side of a character that is fixed: where it starts, what wins or loses it, what moves it."""

    start: float
    threshold: float
    walk_out: float
    repeat_penalty: float
    profile: Mapping[ArgumentClass, float]
    pivot_share: float = 0.5
    drift: Drift | None = None

    def profile_at(self, turn: int) -> Mapping[ArgumentClass, float]:
        """The profile that holds at a turn: how far each class moves the character."""
        return self.drift.profile if self.drift is not None and turn >= self.drift.turn else self.profile

    def best_at(self, turn: int) -> ArgumentClass:
        """The class that moves the character most at a turn."""
        profile = self.profile_at(turn)
        return max(APPEALS, key=lambda one: profile.get(one, 0.0))


@dataclass(frozen=True, slots=True)
class MindState:
    """The hidden side of a character that changes.

    Attributes:
        turn: turns taken.
        uses: how often each class was heard.
        streak: consecutive turns that moved it up (positive) or down (negative).
        asked: the turn at which it put its question, 0 if it hasn't.
    """

    agreement: float
    rapport: float = 0.0
    turn: int = 0
    uses: Mapping[ArgumentClass, int] = field(default_factory=lambda: _NO_USES)
    streak: int = 0
    asked: int = 0

    @property
    def awaits_answer(self) -> bool:
        """Whether it put its question in the turn before."""
        return self.asked == self.turn > 0


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """A turn: the state after it, how far agreement was moved, and whether that ended it."""

    state: MindState
    delta: float
    tone: Tone
    pivots: bool
    won: bool
    walked_out: bool

    @property
    def over(self) -> bool:
        """Whether nothing is left to say."""
        return self.won or self.walked_out


def opening_state(mind: Mind) -> MindState:
    """The state before the first turn."""
    return MindState(mind.start)


def step(rules: Rules, mind: Mind, state: MindState, heard: ArgumentClass, *, answers: bool = False) -> TurnOutcome:
    """The outcome of an argument of a class; ``answers`` where it takes up the question that the character put."""
    delta = delta_of(rules, mind, state, heard, answers=answers)
    agreement = min(1.0, max(-1.0, state.agreement + delta))
    won = agreement >= mind.threshold
    pivots = not state.asked and not won and agreement >= _pivot_level(rules, mind)
    turn = state.turn + 1
    after = MindState(
        agreement,
        _rapport(rules, state, delta),
        turn,
        {**state.uses, heard: state.uses.get(heard, 0) + 1},
        _streak(state.streak, delta),
        turn if pivots else state.asked,
    )
    return TurnOutcome(after, delta, _tone(rules, delta), pivots, won, agreement <= mind.walk_out)


def delta_of(rules: Rules, mind: Mind, state: MindState, heard: ArgumentClass, *, answers: bool = False) -> float:
    """How far an argument would move agreement: max(b m f - rho k w, floor)."""
    turn = state.turn + 1
    profile = mind.profile_at(turn)
    base = base_of(rules, profile, heard)
    shift = base
    if base > 0 or rules.modulates_hostile:
        shift *= (1 + rules.amplification * state.rapport) * _fatigue(rules, turn)
    if answers and shift > 0:
        shift *= rules.pivot.answered
    repeats = state.uses.get(heard, 0)
    if repeats:
        shift -= rules.repeats * mind.repeat_penalty * repeats * _weakness(rules, base, max(profile.values()))
    return max(shift, rules.delta_floor)


def base_of(rules: Rules, profile: Mapping[ArgumentClass, float], heard: ArgumentClass) -> float:
    """How far a class moves who has this profile, before all else: b."""
    if heard in profile:
        return profile[heard]
    if heard is ArgumentClass.GENERIC:
        return rules.base.generic
    return rules.base.ask if heard is ArgumentClass.ASK else rules.base.absent


def _fatigue(rules: Rules, turn: int) -> float:
    over = turn - rules.fatigue.free_turns
    return 1.0 if over <= 0 else max(rules.fatigue.floor, 1 - rules.fatigue.per_turn * over)


def _weakness(rules: Rules, base: float, best: float) -> float:
    weakness = max(rules.weakness.floor, 1 - base / best)
    return weakness if rules.weakness.cap is None else min(rules.weakness.cap, weakness)


def _streak(before: int, delta: float) -> int:
    if delta > 0:
        return max(before, 0) + 1
    return min(before, 0) - 1 if delta < 0 else 0


def _rapport(rules: Rules, state: MindState, delta: float) -> float:
    constants, rapport, streak = rules.rapport, state.rapport, abs(_streak(state.streak, delta))
    if delta > 0:
        if rapport < constants.recovery_below:
            rapport *= constants.recovery
        rapport += delta * constants.gain * constants.gain_streak ** (streak - 1)
    elif delta < 0:
        distrust = constants.distrust if rapport <= 0 else 1.0
        rapport += delta * constants.loss * constants.loss_streak ** (streak - 1) * distrust
    return min(constants.bound, max(-constants.bound, rapport))


def _tone(rules: Rules, delta: float) -> Tone:
    if delta > rules.positive_above:
        return Tone.POSITIVE
    return Tone.NEUTRAL if delta > 0 else Tone.RESISTANT


def _pivot_level(rules: Rules, mind: Mind) -> float:
    share = mind.pivot_share if rules.pivot.share is None else rules.pivot.share
    if rules.pivot.measured_from == "start":
        return mind.start + share * (mind.threshold - mind.start)
    return mind.threshold - share * (mind.threshold + 1)
