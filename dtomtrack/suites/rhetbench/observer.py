"""An observer who hears tones and reckons which class is the dominant one.

The likelihood of a tone, given that a class is dominant or not and how often it was used before, is estimated by
playing random classes against random minds; the prior is even. That is as much as anyone can know from tone alone
who knows how such characters are made, but not this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeAlias

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, ArgumentClass, Tone
from dtomtrack.suites.rhetbench.npc import opening_state, step
from dtomtrack.suites.rhetbench.random_minds import TIERS, random_mind
from dtomtrack.suites.rhetbench.rules import Rules, load_rules

__all__ = ["Observer", "Said"]

Said: TypeAlias = tuple[ArgumentClass, Tone | None]
"""A class that was used, and the tone that was heard of it, if any."""
_Case: TypeAlias = tuple[bool, int]
"""Whether the class is the dominant one, and its earlier uses, three and more alike."""

_MINDS = 800
_TURNS = 12
_MANY_USES = 3
_SMOOTHING = 1.0


class Observer:
    """Keeps no state: everything follows from the history."""

    def __init__(self, rules: Rules) -> None:
        self._likelihood = _likelihoods(rules.name)

    def posterior(self, history: Sequence[Said]) -> Mapping[ArgumentClass, float]:
        """How probably each class is the dominant one."""
        weights = dict.fromkeys(APPEALS, 1.0)
        uses: Counter[ArgumentClass] = Counter()
        for said, tone in history:
            if said in weights and tone is not None:
                for one in APPEALS:
                    weights[one] *= self._likelihood[one is said, min(uses[said], _MANY_USES)][tone]
            uses[said] += 1
        total = sum(weights.values())
        return {one: weight / total for one, weight in weights.items()}


@cache
def _likelihoods(rules_name: str) -> Mapping[_Case, Mapping[Tone, float]]:
    rules, rng = load_rules(rules_name), Random(0)  # noqa: S311 - the same table on every machine
    heard: dict[_Case, Counter[Tone]] = {(best, uses): Counter() for best in (True, False) for uses in range(4)}
    for _ in range(_MINDS):
        mind = random_mind(rng, TIERS)
        state, dominant = opening_state(mind), mind.best_at(1)
        for _ in range(_TURNS):
            said = rng.choice((*APPEALS, dominant))
            outcome = step(rules, mind, state, said)
            heard[said is dominant, min(state.uses.get(said, 0), _MANY_USES)][outcome.tone] += 1
            state = outcome.state
    return {case: _shares(tones) for case, tones in heard.items()}


def _shares(tones: Counter[Tone]) -> Mapping[Tone, float]:
    total = tones.total() + _SMOOTHING * len(Tone)
    return {tone: (tones[tone] + _SMOOTHING) / total for tone in Tone}
