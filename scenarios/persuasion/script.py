"""Scripted actors of a persuasive conversation: directions into the pack's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.persuasion.forms import announcement
from dtomtrack.scenarios.persuasion.pack import Expressions, Form, GoalPack, Intention, Strategy
from dtomtrack.scenarios.persuasion.plan import desire_of

__all__ = ["PersuadeeDirection", "PersuaderDirection", "ScriptedPersuadee", "ScriptedPersuader"]


_CONCLUDES = 0.5
"""The share of answers in which the worries come first, and what comes of them after."""


@dataclass(frozen=True)
class PersuaderDirection:
    """The persuader's part in a round.

    Attributes:
        announced: the strategy of the round after, which is announced; None in the last.
    """

    strategy: Strategy
    tone: Form
    announced: Strategy | None


@dataclass(frozen=True)
class PersuadeeDirection:
    """The other's part in a round: the worries that are alive, the attitude, and what the answer is meant to do."""

    concerns: tuple[str, ...]
    attitude: Form
    intention: Intention


class ScriptedPersuader:
    """Says a tone, a strategy, and what comes next."""

    def __init__(self, forms: Expressions, rng: Random) -> None:
        self._forms = forms
        self._fresh = FreshChoice(rng)

    async def say(self, direction: PersuaderDirection, heard: Sequence[str]) -> str:
        """The utterance of a round."""
        parts = [self._fresh.choice(direction.tone.say), self._fresh.choice(direction.strategy.say)]
        if direction.announced is not None:
            parts.append(announcement(self._fresh.choice(self._forms.announcements), direction.announced.topic))
        return " ".join(parts)


class ScriptedPersuadee:
    """Says an attitude, every worry that is alive, what comes of it, and whatever the answer is meant to do."""

    def __init__(self, goal: GoalPack, forms: Expressions, rng: Random) -> None:
        self._says: Mapping[str, Sequence[str]] = {one.id: one.say for one in goal.concerns}
        self._desires: Mapping[str, Sequence[str]] = {str(desire): says for desire, says in forms.desires.items()}
        self._rng = rng
        self._fresh = FreshChoice(rng)

    async def say(self, direction: PersuadeeDirection, heard: Sequence[str]) -> str:
        """The utterance of a round."""
        worries = [self._fresh.choice(self._says[concern]) for concern in direction.concerns]
        self._rng.shuffle(worries)
        desire = self._fresh.choice(self._desires[desire_of(direction.concerns)])
        matter = [*worries, desire] if self._rng.random() < _CONCLUDES else [desire, *worries]
        parts = [self._fresh.choice(direction.attitude.say), *matter, self._fresh.choice(direction.intention.say)]
        return " ".join(parts)
