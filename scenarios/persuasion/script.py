"""Scripted actors of a persuasive conversation: directions into the pack's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random

from dtomtrack.scenarios.fresh_choice import FreshChoice
from dtomtrack.scenarios.persuasion.forms import announcement, opening
from dtomtrack.scenarios.persuasion.joining import joined
from dtomtrack.scenarios.persuasion.pack import Expressions, Form, GoalPack, Intention, Strategy
from dtomtrack.scenarios.persuasion.plan import desire_of

__all__ = ["PersuadeeDirection", "PersuaderDirection", "ScriptedPersuadee", "ScriptedPersuader"]


_CONCLUDES = 0.5
"""The share of answers in which the worries come first, and what comes of them after."""
_FOLLOWS = 0.6
"""The share of the persuader's moods that are told behind what they go with, where their form allows it."""
_LEADS = 0.3
"""The share of announcements that stand before the argument."""
_LINKED = 0.7
"""The share of attitudes that the matter goes on from, where their form speaks of somebody."""
_ADDED = 0.4
"""The share of the other attitudes that stand behind the matter, where their form allows it."""
_LINKS = {"Yes": ", so ", "Neutral": ", and ", "No": ", and "}
"""How somebody goes on from their attitude to the matter, by their desire."""
_SPEAKS = re.compile(r"(?:I|You|That|It|There|This|My|Now|Well|Thank)\b")
"""A form that speaks of somebody or something: it is no call."""
_POINTING = re.compile(r"\b(?:that|this|it|it's|that's)\b|[:?]$", re.IGNORECASE)
"""In a form that points at what was just said, or at what follows."""


@dataclass(frozen=True)
class PersuaderDirection:
    """The persuader's part in a round.

    Attributes:
        announced: the strategy of the round after, where it is announced.
        wanted: what the other is to do, where it is to be said: in the first exchange.
    """

    strategy: Strategy
    tone: Form
    announced: Strategy | None = None
    wanted: str | None = None


@dataclass(frozen=True)
class PersuadeeDirection:
    """The other's part in a round: the worries that are alive, the attitude, and what the answer is meant to do."""

    concerns: tuple[str, ...]
    attitude: Form
    intention: Intention


class ScriptedPersuader:
    """Says first what the other is to do; then a tone and a strategy, and in some rounds what comes next."""

    def __init__(self, partner: str, forms: Expressions, rng: Random) -> None:
        self._partner = partner
        self._forms = forms
        self._rng = rng
        self._fresh = FreshChoice(rng)

    async def say(self, direction: PersuaderDirection, heard: Sequence[str]) -> str:
        """The utterance of a round."""
        argument, mood = self._fresh.choice(direction.strategy.say), self._fresh.choice(direction.tone.say)
        leads = self._rng.random() < _LEADS and not mood.endswith(":")
        before: list[str] = []
        behind: list[str] = []
        if direction.announced is not None:
            frames = self._forms.leading_announcements if leads else self._forms.announcements
            said = announcement(self._fresh.choice(frames), direction.announced.topic)
            (before if leads else behind).append(said)
        told = [*_with_mood(mood, [*before, argument], self._rng), *behind]
        if direction.wanted is not None:
            told = [opening(self._fresh.choice(self._forms.openings), direction.wanted, self._partner), *told]
        return " ".join(told)


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
        desire = desire_of(direction.concerns)
        concludes = bool(worries) and self._rng.random() < _CONCLUDES
        matter = _matter(worries, self._fresh.choice(self._desires[desire]), concludes)
        told = self._with_attitude(self._fresh.choice(direction.attitude.say), matter, None if concludes else desire)
        return f"{told} {self._fresh.choice(direction.intention.say)}"

    def _with_attitude(self, mood: str, matter: str, desire: str | None) -> str:
        """What is said of the matter, with the attitude in the same sentence, before it or behind.

        Args:
            desire: what the matter begins with; None where it begins with something else.
        """
        if desire is not None and _SPEAKS.match(mood) and self._rng.random() < _LINKED:
            return joined(mood, _LINKS[desire], matter)
        follows = self._rng.random() < _ADDED and not _POINTING.search(mood)
        return f"{matter} {mood}" if follows else f"{mood} {matter}"


def _matter(worries: Sequence[str], desire: str, concludes: bool) -> str:
    """The worries and what comes of them, or that and then the worries, in one sentence where they allow it."""
    if not worries:
        return desire
    link = "; " if any(mark in one for one in worries for mark in (", ", ": ")) else ", and "
    reasons = reduce(lambda first, second: joined(first, link, second), worries)
    return joined(reasons, ", so ", desire) if concludes else joined(desire, ": ", reasons)


def _with_mood(mood: str, matter: Sequence[str], rng: Random) -> list[str]:
    """What is said, with the mood before it or, where the words of the mood point at nothing, mostly behind."""
    follows = rng.random() < _FOLLOWS and not _POINTING.search(mood)
    return [*matter, mood] if follows else [mood, *matter]
