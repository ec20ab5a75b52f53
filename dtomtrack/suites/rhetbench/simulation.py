"""Episodes without words: a policy's classes against a mind, tones as they are. Fast, for figures and for learning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

from dtomtrack.scenarios.persuasion_npc.arguments import ArgumentClass
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT, Mind, TurnOutcome, opening_state, step
from dtomtrack.suites.rhetbench.policies import Exchange, PolicyName, Sight, make_policy
from dtomtrack.suites.rhetbench.rules import Rules

__all__ = ["AS_MEANT", "Played", "PlayedTurn", "simulate", "win_rate"]

AS_MEANT: Mapping[ArgumentClass, ArgumentClass] = MappingProxyType({})
"""Every class is heard as it was meant."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn: what was meant, what was heard, what it did."""

    meant: ArgumentClass
    heard: ArgumentClass
    outcome: TurnOutcome


@dataclass(frozen=True, slots=True)
class Played:
    """An episode."""

    turns: tuple[PlayedTurn, ...]

    @property
    def won_at(self) -> int | None:
        """The turn that won it, None if none did."""
        return len(self.turns) if self.turns and self.turns[-1].outcome.won else None

    def won_by(self, turn: int) -> bool:
        """Whether it was won at this turn or before."""
        return self.won_at is not None and self.won_at <= turn


def simulate(
    rules: Rules,
    mind: Mind,
    policy: PolicyName,
    seed: str,
    *,
    turns: int = TURN_LIMIT,
    answers: bool = False,
    heard_as: Mapping[ArgumentClass, ArgumentClass] = AS_MEANT,
) -> Played:
    """Play one episode.

    Args:
        answers: whether the character's question is taken up.
        heard_as: where a class that was meant is heard as another.
    """
    choose = make_policy(policy, rules, Random(f"{policy}/{seed}"))  # noqa: S311 - reproducible, no secret
    state, history, played = opening_state(mind), list[Exchange](), list[PlayedTurn]()
    while len(played) < turns:
        meant = choose(history, Sight(mind, state))
        heard = heard_as.get(meant, meant)
        outcome = step(rules, mind, state, heard, answers=answers and state.awaits_answer)
        played.append(PlayedTurn(meant, heard, outcome))
        if outcome.over:
            break
        state = outcome.state
        history.append(Exchange(meant, outcome.tone))
    return Played(tuple(played))


def win_rate(played: Sequence[Played], by: int) -> float:
    """The share of episodes won by a turn."""
    return sum(one.won_by(by) for one in played) / len(played)
