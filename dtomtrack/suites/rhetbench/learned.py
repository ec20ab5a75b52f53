"""Tabular Q-learning on the latest tone that each class has drawn (Watkins and Dayan, "Q-learning", 1992).

It learns on random minds and is used on others: an example of what can be learnt about *finding out* alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeAlias

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.npc import TURN_LIMIT, opening_state, step
from dtomtrack.suites.rhetbench.random_minds import TIERS, random_mind
from dtomtrack.suites.rhetbench.rules import Rules, load_rules

__all__ = ["QLearner", "q_learner", "train"]

_State: TypeAlias = tuple[int, ...]
_RANK = {Tone.RESISTANT: 1, Tone.NEUTRAL: 2, Tone.POSITIVE: 3}
_UNHEARD: _State = (0,) * len(APPEALS)
_EPISODES = 30_000
_RATE = 0.1
_DISCOUNT = 0.95
_EXPLORES = 0.2
_WIN = 1.0


class QLearner:
    """Learns how much is to be expected of each class in each state of knowledge."""

    def __init__(self) -> None:
        self._values: dict[_State, list[float]] = defaultdict(lambda: [0.0] * len(APPEALS))

    def __len__(self) -> int:
        return len(self._values)

    def best(self, history: Sequence[tuple[ArgumentClass, Tone]]) -> ArgumentClass:
        """The class that promises most after a history."""
        state = _UNHEARD
        for said, tone in history:
            state = _after(state, said, tone)
        return APPEALS[self._best(state)]

    def _best(self, state: _State) -> int:
        values = self._values[state]
        return values.index(max(values))

    def learn(self, rules: Rules, rng: Random) -> None:
        """One episode against a random mind."""
        mind = random_mind(rng, TIERS)
        hidden, state = opening_state(mind), _UNHEARD
        for _ in range(TURN_LIMIT):
            action = rng.randrange(len(APPEALS)) if rng.random() < _EXPLORES else self._best(state)
            outcome = step(rules, mind, hidden, APPEALS[action])
            following = _after(state, APPEALS[action], outcome.tone)
            future = _WIN if outcome.won else 0.0 if outcome.over else max(self._values[following])
            values = self._values[state]
            values[action] += _RATE * (outcome.delta + _DISCOUNT * future - values[action])
            if outcome.over:
                return
            hidden, state = outcome.state, following


def train(rules: Rules, episodes: int = _EPISODES, seed: int = 0) -> QLearner:
    """A learner after so many episodes."""
    learner, rng = QLearner(), Random(seed)  # noqa: S311 - the same learner on every machine
    for _ in range(episodes):
        learner.learn(rules, rng)
    return learner


@cache
def _trained(rules_name: str) -> QLearner:
    return train(load_rules(rules_name))


def q_learner(rules: Rules) -> QLearner:
    """The learner for these rules, trained on first use (seconds)."""
    return _trained(rules.name)


def _after(state: _State, said: ArgumentClass, tone: Tone) -> _State:
    if said not in APPEALS:
        return state
    position = APPEALS.index(said)
    return (*state[:position], _RANK[tone], *state[position + 1 :])
