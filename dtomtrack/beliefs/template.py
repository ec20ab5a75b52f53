"""Templates: texts with placeholders, and how they are found in what was said.

A pack has thousands, most of which never occur: a regular expression for each would take longer to compile than a
dialogue to make.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

__all__ = ["Template", "literals"]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_WORD_OF_NAME = re.compile(r"[^\W\d_][\w'\u2019.-]*")
_NAME_AT_END = re.compile(rf"{_WORD_OF_NAME.pattern}(?: {_WORD_OF_NAME.pattern})*\Z")


def literals(text: str) -> list[str]:
    """What stands before, between and behind the placeholders of a text; empty where nothing does."""
    return _PLACEHOLDER.split(text)[::2]


class _Kind(Enum):
    """What a placeholder stands for."""

    NAME = auto()
    SHORT = auto()
    ANY = auto()


_KINDS = {"who": _Kind.NAME, "from": _Kind.NAME, "x": _Kind.SHORT, "y": _Kind.SHORT, "short": _Kind.SHORT}


class Template:
    """A text with placeholders, each of which takes as few words as it can.

    Args:
        text: ``{who}`` and ``{from}`` stand for names, ``{x}``, ``{y}`` and ``{short}`` for one of the ``shorts``, and
            all others for any words; so does one that comes again, since it is known from its first place.
        shorts: in lower case; the utterance may have them in any.
    """

    def __init__(self, text: str, shorts: Iterable[str] = ()) -> None:
        parts = _PLACEHOLDER.split(text)
        self._literals, self._names = parts[::2], parts[1::2]
        self._shorts = sorted(shorts, key=len, reverse=True)
        known = {name: kind for name, kind in _KINDS.items() if self._shorts or kind is _Kind.NAME}
        self._kinds = [known.pop(name, _Kind.ANY) for name in self._names]

    def find(self, utterance: str) -> tuple[int, dict[str, str]] | None:
        """Where an utterance first has the text, and names and shorts by placeholder; None if it nowhere has."""
        search = _Search(self._literals, self._kinds, self._said(utterance), utterance)
        if _Kind.SHORT in self._kinds and not search.shorts:
            return None
        for start in search.starts():
            ends = search.fit(0, start)
            if ends is not None:
                places = zip(self._names, self._kinds, ends, strict=True)
                return start, {name: utterance[slice(*end)] for name, kind, end in places if kind is not _Kind.ANY}
        return None

    def _said(self, utterance: str) -> list[str]:
        lowered = utterance.lower()
        return [short for short in self._shorts if short in lowered]


class _Search:
    """The search for a template in one utterance; ``shorts`` are those that it has."""

    def __init__(self, texts: Sequence[str], kinds: Sequence[_Kind], shorts: Sequence[str], utterance: str) -> None:
        self._texts, self._kinds, self.shorts, self._utterance = texts, kinds, shorts, utterance

    def starts(self) -> Iterable[int]:
        """The places at which it may begin, the first one first."""
        if self._texts[0]:
            return self._places(self._texts[0], 0)
        if self._kinds[0] is _Kind.NAME and self._texts[1]:
            ends = self._places(self._texts[1], 1)
            names = (_NAME_AT_END.search(self._utterance, 0, end) for end in ends)
            return sorted({name.start() for name in names if name is not None})
        return range(len(self._utterance))

    def fit(self, number: int, at: int) -> list[tuple[int, int]] | None:
        """From where to where the placeholders from the ``number``-th on go, if the text goes on at a place."""
        text = self._texts[number]
        if not self._utterance.startswith(text, at):
            return None
        at += len(text)
        if number == len(self._kinds):
            return []
        for end in self._ends(number, at):
            further = self.fit(number + 1, end)
            if further is not None:
                return [(at, end), *further]
        return None

    def _ends(self, number: int, at: int) -> Iterator[int]:
        """Where a placeholder that begins at a place may end."""
        kind = self._kinds[number]
        if kind is _Kind.SHORT:
            return self._ends_of_shorts(at)
        if kind is _Kind.NAME:
            return self._ends_of_name(at)
        ends = self._places(self._texts[number + 1], at + 1)
        return (end for end in ends if "\n" not in self._utterance[at:end])

    def _ends_of_name(self, at: int) -> Iterator[int]:
        """Of as few words as possible, each as long as possible: a word may end in a period ("Dr. Okafor")."""
        word = _WORD_OF_NAME.match(self._utterance, at)
        for end in range(word.end(), at, -1) if word is not None else ():
            yield end
            if self._utterance.startswith(" ", end):
                yield from self._ends_of_name(end + 1)

    def _ends_of_shorts(self, at: int) -> Iterator[int]:
        for short in self.shorts:
            end = at + len(short)
            behind = self._utterance[end : end + 1]
            if self._utterance[at:end].lower() == short and not (behind.isalnum() or behind == "_"):
                yield end

    def _places(self, text: str, at: int) -> Iterator[int]:
        """The places of a text from one on."""
        at = self._utterance.find(text, at)
        while at >= 0:
            yield at
            at = self._utterance.find(text, at + 1)
