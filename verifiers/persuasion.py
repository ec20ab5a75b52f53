"""Someone who overhears a persuasive conversation and knows nothing but its utterances: what do these say?

Each form of a pack and of the expressions says one thing; a conversation is kept only if what is read from the
utterances is what the tracker has on record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["PersuasionOverhearer", "ReadRound", "SpokenForms"]

Forms = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class SpokenForms:
    """The forms of everything that can be said, by what they say.

    Attributes:
        goals: of what somebody wants the other to do.
        announced: of strategies to come.
    """

    goals: Forms
    strategies: Forms
    announced: Forms
    desires: Forms
    concerns: Forms
    attitudes: Forms
    tones: Forms
    intentions: Forms


@dataclass(frozen=True)
class ReadRound:
    """A round as it is overheard.

    Attributes:
        goal: what the persuader says the other is to do; None where nothing is said of it.
        announced: the label of the strategy that is announced; None where none is.
        desire: what is said of the matter: "Yes", "Neutral" or "No".
        concerns: the ids of the worries that are voiced.
    """

    goal: str | None
    strategy: str
    tone: str
    announced: str | None
    desire: str
    concerns: frozenset[str]
    attitude: str
    intention: str


class PersuasionOverhearer:
    """Reads the rounds of a conversation from its utterances alone."""

    def __init__(self, forms: SpokenForms) -> None:
        self._forms = forms

    def read(self, lines: Sequence[str]) -> list[ReadRound]:
        """The rounds, two lines each.

        Raises:
            ValueError: a line says not one strategy, tone, attitude or intention, but none or several.
        """
        return [self._round(lines[place], lines[place + 1]) for place in range(0, len(lines), 2)]

    def _round(self, argued: str, answered: str) -> ReadRound:
        return ReadRound(
            goal=next(iter(_said(self._forms.goals, argued)), None),
            strategy=_only(self._forms.strategies, argued),
            tone=_only(self._forms.tones, argued),
            announced=next(iter(_said(self._forms.announced, argued)), None),
            desire=_only(self._forms.desires, answered),
            concerns=frozenset(_said(self._forms.concerns, answered)),
            attitude=_only(self._forms.attitudes, answered),
            intention=_only(self._forms.intentions, answered),
        )


def _said(forms: Forms, text: str) -> list[str]:
    """Everything that a text says in one of its forms, at the beginning of a sentence or within one."""
    return [name for name, says in forms.items() if any(_stands_in(text, one) for one in says)]


def _stands_in(text: str, form: str) -> bool:
    said = form.removesuffix(".")
    return said in text or said[:1].lower() + said[1:] in text


def _only(forms: Forms, text: str) -> str:
    found = _said(forms, text)
    if len(found) != 1:
        raise ValueError(f"{text!r} says {', '.join(found) or 'none of them'}, and has to say one")
    return found[0]
