"""Forms put together into sentences, so that what one person says in a line reads as one speech.

A form may lose its last mark and its capital; nothing else of it changes, so that it can still be read off the line.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache

from dtomtrack.scenarios.persuasion.pack import Expressions, GoalPack
from dtomtrack.scenarios.small_words import words_written_small

__all__ = ["Joiner", "joiner"]

_SPEAKER = re.compile(r"I(?:'\w+)?$")
_WORD = re.compile(r"[\w'-]+")


class Joiner:
    """Joins forms whose first words lose their capital where they are known to begin no name."""

    def __init__(self, small: Container[str]) -> None:
        self._small = small

    def joined(self, first: str, link: str, second: str) -> str:
        """Two forms as one sentence; as two where the first is no statement or the second may begin with a name."""
        going_on = self.continued(second)
        return f"{first} {second}" if going_on is None or not first.endswith(".") else f"{first[:-1]}{link}{going_on}"

    def following(self, lead: str, matter: str) -> str:
        """What is said behind something else: behind a colon or a comma it goes on in the same sentence."""
        going_on = self.continued(matter) if lead[-1] in ":," else None
        return f"{lead} {going_on or matter}"

    def continued(self, form: str) -> str | None:
        """A form as it stands within a sentence; None where it may begin with a name."""
        found = _WORD.match(form)
        word = "" if found is None else found[0]
        if _SPEAKER.match(word):
            return form
        return form[:1].lower() + form[1:] if word.lower() in self._small else None


def joiner(goal: GoalPack, forms: Expressions) -> Joiner:
    """A joiner that knows the words that a goal and the expressions write small within their sentences."""
    return Joiner(_small_words(goal.model_dump_json()) | _small_words(forms.model_dump_json()))


@cache
def _small_words(text: str) -> frozenset[str]:
    """The words that a text with alternatives writes small, within sentences and within brackets."""
    return words_written_small(re.sub(r"[][| ]+", " ", text))
