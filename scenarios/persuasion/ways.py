"""Forms with alternatives: "I'm [torn|in two minds] about it." stands for a way of saying it with each of them.

An alternative may be empty; alternatives hold no brackets themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
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
    """Every way of saying one of these forms, those of a form spread among the others."""
    return tuple(dict.fromkeys(way for way, _ in _spread(says)))


@cache
def _spread(says: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Every way with the number of its form."""
    found = [
        ((place + 0.5) / len(ways), number, way)
        for number, ways in enumerate(map(_ways, says))
        for place, way in enumerate(ways)
    ]
    return tuple((way, number) for _, number, way in sorted(found))


def _ways(form: str) -> list[str]:
    parts = _BRACKET.split(form)
    choices = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    return ["".join(chosen) for chosen in product(*choices)]


class Turns:
    """Takes the ways of saying things in turn, so that neighbouring conversations don't say one twice.

    Within a conversation no form comes again before all have come: alternatives of one may not both be true.
    """

    def __init__(self, start: int) -> None:
        """Begin with a number that neighbours don't have."""
        self._start = start
        self._said: dict[tuple[str, ...], Counter[int]] = {}

    def way(self, says: Sequence[str]) -> str:
        """The next way of saying one of these forms."""
        forms = tuple(says)
        said, ways = self._said.setdefault(forms, Counter()), _spread(forms)
        least = min(said[number] for number in range(len(forms)))
        first = self._start + said.total()
        turn = (ways[(first + step) % len(ways)] for step in range(len(ways)))
        way, number = next((way, number) for way, number in turn if said[number] == least)
        said[number] += 1
        return way
