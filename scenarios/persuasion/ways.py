"""Forms with alternatives: "I'm [torn|in two minds] about it." stands for a way of saying it with each of them.

An alternative may be empty; alternatives hold no brackets themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain, product, zip_longest
from typing import Annotated

from pydantic import AfterValidator

from dtomtrack.records import Text

__all__ = ["Alternatives", "Turns", "ways_of"]

_MOST = 200
"""The ways that one form may stand for."""
_BRACKET = re.compile(r"\[([^][]*)\]")


def _alternatives(form: str) -> str:
    """A form whose brackets hold alternatives.

    Raises:
        ValueError: they don't.
    """
    if re.search(r"[][]", _BRACKET.sub("", form)):
        raise ValueError("a bracket is not closed, not opened or within another; write [a|b] for either of two")
    if single := next((held for held in _BRACKET.findall(form) if "|" not in held), None):
        raise ValueError(f"[{single}] holds one way only; write [{single}|] where it may be left out")
    count = 1
    for held in _BRACKET.findall(form):
        count *= held.count("|") + 1
    if count > _MOST:
        raise ValueError(f"the form stands for {count} ways, and may for {_MOST}; give it fewer alternatives")
    return form


Alternatives = Annotated[Text, AfterValidator(_alternatives)]
"""A form, perhaps with alternatives."""


@cache
def ways_of(says: tuple[str, ...]) -> tuple[str, ...]:
    """Every way of saying one of these forms; neighbours come from different forms as long as there are."""
    turns = zip_longest(*map(_ways, says))
    return tuple(dict.fromkeys(way for way in chain.from_iterable(turns) if way is not None))


def _ways(form: str) -> list[str]:
    parts = _BRACKET.split(form)
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return ["".join(chosen) for chosen in product(*choices)]


class Turns:
    """Takes the ways of saying things in turn, so that neither a conversation nor its neighbours say one twice."""

    def __init__(self, start: int) -> None:
        """Begin with a number that neighbours don't have."""
        self._start = start
        self._said: Counter[tuple[str, ...]] = Counter()

    def way(self, says: Sequence[str]) -> str:
        """The next way of saying one of these forms."""
        forms = tuple(says)
        ways, said = ways_of(forms), self._said[forms]
        self._said[forms] += 1
        return ways[(self._start + said) % len(ways)]
