"""Scripted actors of a persuasive conversation: directions into the pack's words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from dtomtrack.scenarios.persuasion.forms import opening, weighed_form
from dtomtrack.scenarios.persuasion.joining import joiner
from dtomtrack.scenarios.persuasion.pack import Attitude, Expressions, Form, Intention, Strategy
from dtomtrack.scenarios.persuasion.plan import PersuasionPlan, Told, desire_of
from dtomtrack.scenarios.persuasion.ways import Turns

__all__ = ["PersuadeeDirection", "PersuaderDirection", "ScriptedPersuadee", "ScriptedPersuader"]

_GOES_ON = 0.7
"""The share of the persuader's lines that go on from the answer before: from what it asks for, or from the desire."""
_FOLLOWS = 0.5
"""The share of moods that stand behind what they go with, where their form allows it."""
_CONCLUDES = 0.5
"""The share of answers in which the worries come first, and what comes of them after."""
_RECALLS = 0.9
_RELENTS = 0.6
"""The shares of old worries, and of rounds with worries laid to rest, in which somebody says that they are."""
_LINKED = 0.6
"""The share of attitudes that the matter goes on from in the same sentence, where their form allows it."""
_NAMED = ("attitude", "desire", "intention", None, None)
"""What is said to somebody by name: one part of a line at most."""
_POINTING = re.compile(r"\b(?:that|this|it|it's|that's|such)\b|[:?]$", re.IGNORECASE)
"""In a form that points at what was just said, or at what follows."""


@dataclass(frozen=True)
class PersuaderDirection:
    """The persuader's part in a round.

    Attributes:
        feels: whether the tone is what they feel of the answer before.
        answered: the intention and the desire of the answer before; None in the first round.
        wanted: what the other is to do, where it is to be said: in the first exchange.
    """

    strategy: Strategy
    tone: Form
    feels: bool = False
    answered: tuple[Intention, str] | None = None
    wanted: str | None = None


@dataclass(frozen=True)
class PersuadeeDirection:
    """The other's part in a round: the worries that are alive, the attitude, and what the answer is meant to do.

    Attributes:
        before: the worries that were alive a round before.
        attitude: None of who says neither yes nor no.
        told: how the desire is told.
        left: what might be asked, and isn't, and that is said.
    """

    concerns: tuple[str, ...]
    attitude: Attitude | None
    intention: Intention
    before: tuple[str, ...] = ()
    told: Told = "plainly"
    left: Intention | None = None


class ScriptedPersuader:
    """Says first what the other is to do; later mostly goes on from the answer; then a tone and a strategy."""

    def __init__(self, plan: PersuasionPlan, forms: Expressions) -> None:
        self._partner = plan.ee
        self._forms = forms
        self._rng = plan.random("persuader")
        self._own, self._shared = Turns(plan.turn), Turns(plan.number)
        self._joiner = joiner(plan.goal, forms)

    async def say(self, direction: PersuaderDirection, heard: Sequence[str]) -> str:
        """The utterance of a round."""
        argument, mood = self._own.way(direction.strategy.say), self._shared.way(direction.tone.say)
        if direction.feels:
            # before all else: it is about the answer
            return f"{mood} {argument}"
        lead, may_follow = self._lead(direction), not _POINTING.search(mood)
        if lead.endswith(":") and not may_follow:
            lead = f"{lead[:-1]}."
        if may_follow and (lead.endswith(":") or self._rng.random() < _FOLLOWS):
            told = f"{argument} {mood}"
        else:
            told = self._joiner.following(mood, argument)
        return self._joiner.following(lead, told) if lead else told

    def _lead(self, direction: PersuaderDirection) -> str:
        """What stands before all else; nothing in some rounds."""
        if direction.wanted is not None:
            return opening(self._shared.way(self._forms.openings), direction.wanted, self._partner)
        if direction.answered is None or self._rng.random() > _GOES_ON:
            return ""
        intention, desire = direction.answered
        reactions = {str(one): says for one, says in self._forms.reactions.items()}
        return self._shared.way(intention.taken_up or reactions[desire])


class ScriptedPersuadee:
    """Says an attitude, every worry that is alive, what comes of it, and whatever the answer is meant to do."""

    def __init__(self, plan: PersuasionPlan, forms: Expressions) -> None:
        self._concerns = {one.id: one for one in plan.goal.concerns}
        self._forms = forms
        self._desires = {str(desire): says for desire, says in forms.desires.items()}
        self._relative: Mapping[Told, Sequence[str]] = {"unchanged": forms.unchanged, "reversed": forms.reversed}
        self._partner = plan.er
        self._rng = plan.random("persuadee")
        self._own, self._shared = Turns(plan.turn), Turns(plan.number)
        self._joiner = joiner(plan.goal, forms)
        self._named: str | None = None

    async def say(self, direction: PersuadeeDirection, heard: Sequence[str]) -> str:
        """The utterance of a round."""
        self._named = self._rng.choice(_NAMED)
        told = self._matter(direction)
        relents = self._relents(direction)
        if relents:
            told = f"{relents} {told}"
        if direction.attitude is not None:
            told = self._with_attitude(self._shared.way(direction.attitude.say), told)
        meant = self._by_name("intention", self._meant(direction))
        return f"{told} {meant}"

    def _meant(self, direction: PersuadeeDirection) -> str:
        """What the answer is meant to do, perhaps with what is left aside."""
        own, left = direction.intention, direction.left
        if own.clause is None or left is None or left.clause is None:
            return self._shared.way(own.said_with(desire_of(direction.concerns)))
        wanted, other = (self._shared.way([one]) for one in (own.clause, left.clause))
        return weighed_form(self._shared.way(self._forms.weighing), wanted, other)

    def _matter(self, direction: PersuadeeDirection) -> str:
        """The worries and what comes of them, or that and then the worries, in one sentence where they allow it."""
        says = self._relative.get(direction.told) or self._desires[desire_of(direction.concerns)]
        desire = self._shared.way(says)
        if not direction.concerns:
            return self._by_name("desire", desire)
        concerns = self._rng.sample(direction.concerns, len(direction.concerns))
        worries = [self._own.way(self._concerns[one].say) for one in concerns]
        link = "; " if any(mark in one for one in worries for mark in (", ", ": ")) else ", and "
        reasons = reduce(lambda first, second: self._joiner.joined(first, link, second), worries)
        if self._rng.random() < _CONCLUDES and ", so " not in reasons:
            return self._joiner.joined(self._recalled(reasons, concerns[0], direction), ", so ", desire)
        return self._joiner.joined(desire, ": ", reasons)

    def _recalled(self, reasons: str, first: str, direction: PersuadeeDirection) -> str:
        """Worries that begin with an old one, which stands against what was said since."""
        going_on = self._joiner.continued(reasons)
        if going_on is None or first not in direction.before or self._rng.random() > _RECALLS:
            return reasons
        return f"{self._shared.way(self._forms.recalls)} {going_on}"

    def _relents(self, direction: PersuadeeDirection) -> str:
        """What is said of a worry that was laid to rest; often nothing."""
        laid = [one for one in direction.before if one not in direction.concerns]
        if not laid or self._rng.random() > _RELENTS:
            return ""
        return self._shared.way(self._forms.relents).replace("{clause}", self._concerns[self._rng.choice(laid)].clause)

    def _with_attitude(self, mood: str, matter: str) -> str:
        """An attitude with what is said of the matter, in the same sentence, before it or behind."""
        if mood.endswith(".") and self._rng.random() < _LINKED:
            return self._joiner.joined(mood, " \N{EN DASH} ", matter)
        follows = self._rng.random() < _FOLLOWS and not _POINTING.search(mood)
        named = self._by_name("attitude", mood)
        return f"{matter} {named}" if follows else f"{named} {matter}"

    def _by_name(self, part: str, form: str) -> str:
        """A form, said to the partner by name where it is the part of the line that is."""
        if part != self._named:
            return form
        return f"{form[:-1]}, {self._partner}{form[-1]}"
