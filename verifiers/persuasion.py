"""Someone who overhears a persuasive conversation and knows nothing but its utterances: what do these say?

Each form of a pack and of the expressions says one thing; a conversation is kept only if what is read from the
utterances is what the tracker has on record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

__all__ = ["PersuasionOverhearer", "ReadRound", "SpokenForms"]

Forms = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class SpokenForms:
    """The forms of everything that can be said, by what they say.

    Attributes:
        goals: of what somebody wants the other to do.
        attitudes: by name; which of two it is, positive or negative, the desire tells.
        tones: by word, or by the name of a feeling, of which the desire before tells which of two it is.
        unchanged, reversed: of a desire that is the one of the round before, or its opposite.
    """

    goals: Forms
    strategies: Forms
    desires: Forms
    concerns: Forms
    attitudes: Forms
    tones: Forms
    intentions: Forms
    unchanged: Sequence[str]
    reversed: Sequence[str]


@dataclass(frozen=True)
class ReadRound:
    """A round as it is overheard.

    Attributes:
        goal: what the persuader says the other is to do; None where nothing is said of it.
        desire: what is said of the matter: "Yes", "Neutral" or "No".
        concerns: the ids of the worries that are voiced.
        attitude: the name of what may be either of two attitudes; None where nothing is said of it.
    """

    goal: str | None
    strategy: str
    tone: str
    desire: str
    concerns: frozenset[str]
    attitude: str | None
    intention: str


class PersuasionOverhearer:
    """Reads the rounds of a conversation from its utterances alone."""

    def __init__(self, forms: SpokenForms) -> None:
        self._forms = forms

    def read(self, lines: Sequence[str]) -> list[ReadRound]:
        """The rounds, two lines each.

        Raises:
            ValueError: a line says not one strategy, tone, desire or intention, but none or several, or two attitudes.
        """
        found: list[ReadRound] = []
        for place in range(0, len(lines), 2):
            found.append(self._round(lines[place], lines[place + 1], found[-1].desire if found else None))
        return found

    def _round(self, argued: str, answered: str, before: str | None) -> ReadRound:
        return ReadRound(
            goal=next(iter(_said(self._forms.goals, argued)), None),
            strategy=_only(self._forms.strategies, argued),
            tone=_only(self._forms.tones, argued),
            desire=self._desire(answered, before),
            concerns=frozenset(_said(self._forms.concerns, answered)),
            attitude=_only(self._forms.attitudes, answered) if _said(self._forms.attitudes, answered) else None,
            intention=_only(self._forms.intentions, answered),
        )

    def _desire(self, answered: str, before: str | None) -> str:
        """What is said of the matter, perhaps by how it goes with what was said before."""
        relative = {"unchanged": self._forms.unchanged, "reversed": self._forms.reversed}
        told = _only({**self._forms.desires, **relative}, answered)
        if told not in relative:
            return told
        if before is None or (told == "reversed" and before not in _OPPOSITE):
            raise ValueError(f"{answered!r} tells of an answer before, which there is none of")
        return before if told == "unchanged" else _OPPOSITE[before]


_OPPOSITE = {"Yes": "No", "No": "Yes"}


def _said(forms: Forms, text: str) -> list[str]:
    """Everything that a text says in one of its forms, at the beginning of a sentence or within one."""
    return [name for name, says in forms.items() if any(_stands_in(text, one) for one in _likely(tuple(says), text))]


_BEGINNING = slice(1, 12)
"""Of a form, without its capital: most of a thousand forms share one."""


def _likely(says: tuple[str, ...], text: str) -> Iterator[str]:
    """The forms whose beginnings stand in a text."""
    for beginning, forms in _by_beginning(says).items():
        if beginning in text:
            yield from forms


@cache
def _by_beginning(says: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for form in says:
        found.setdefault(form[_BEGINNING].rstrip(".?!"), []).append(form)
    return found


def _stands_in(text: str, form: str) -> bool:
    """Whether a form stands in a text, perhaps without its last mark and its capital."""
    rest = form[1:].rstrip(".?!")
    place = text.find(rest)
    while place >= 0:
        if place and text[place - 1].lower() == form[0].lower() and not text[place + len(rest) :][:1].isalnum():
            return True
        place = text.find(rest, place + 1)
    return False


def _only(forms: Forms, text: str) -> str:
    found = _said(forms, text)
    if len(found) != 1:
        raise ValueError(f"{text!r} says {', '.join(found) or 'none of them'}, and has to say one")
    return found[0]
