"""Someone who overhears a persuasive conversation and knows nothing but its utterances: what do these say?

Each form of a pack and of the expressions says one thing; a conversation is kept only if what is read from the
utterances is what the tracker has on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.scenarios.persuasion.pack import Expressions, GoalPack
from dtomtrack.scenarios.persuasion.plan import desire_of

__all__ = ["PersuasionOverhearer", "ReadRound"]


@dataclass(frozen=True)
class ReadRound:
    """A round as it is overheard.

    Attributes:
        announced: the label of the strategy that is announced; None where none is.
        concerns: the ids of the worries that are voiced.
    """

    strategy: str
    tone: str
    announced: str | None
    concerns: frozenset[str]
    attitude: str
    intention: str

    @property
    def desire(self) -> str:
        """The desire that the worries leave."""
        return desire_of(sorted(self.concerns))


class PersuasionOverhearer:
    """Reads the rounds of a conversation from its utterances alone."""

    def __init__(self, goal: GoalPack, forms: Expressions) -> None:
        self._strategies = {one.label: one.say for one in goal.strategies}
        self._announced = {
            one.label: tuple(
                frame.replace("{label}", one.label[:1].lower() + one.label[1:]) for frame in forms.announcements
            )
            for one in goal.strategies
        }
        self._concerns = {one.id: one.say for one in goal.concerns}
        self._attitudes = {one.word: one.say for one in forms.attitudes}
        self._tones = {one.word: one.say for one in forms.tones}
        self._intentions = {one.label: one.say for one in forms.intentions}

    def read(self, lines: Sequence[str]) -> list[ReadRound]:
        """The rounds, two lines each.

        Raises:
            ValueError: a line says not one strategy, tone, attitude or intention, but none or several.
        """
        return [self._round(lines[place], lines[place + 1]) for place in range(0, len(lines), 2)]

    def _round(self, argued: str, answered: str) -> ReadRound:
        return ReadRound(
            strategy=_only(self._strategies, argued),
            tone=_only(self._tones, argued),
            announced=next(iter(_said(self._announced, argued)), None),
            concerns=frozenset(_said(self._concerns, answered)),
            attitude=_only(self._attitudes, answered),
            intention=_only(self._intentions, answered),
        )


def _said(forms: Mapping[str, Iterable[str]], text: str) -> list[str]:
    """Everything that a text says in one of its forms."""
    return [name for name, says in forms.items() if any(one in text for one in says)]


def _only(forms: Mapping[str, Iterable[str]], text: str) -> str:
    found = _said(forms, text)
    if len(found) != 1:
        raise ValueError(f"{text!r} says {', '.join(found) or 'none of them'}, and has to say one")
    return found[0]
