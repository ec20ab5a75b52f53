"""An item's options by what they say: whole texts, the endings that tell them apart, and texts with one typo."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile

from rapidfuzz.distance import OSA

from dtomtrack.items.plain_reply import one_line

__all__ = ["OptionTexts"]

_EVERYDAY = frozenset(["yes", "no", "true", "false", "none", "both", "all", "neither", "other", "unknown"])
"""Texts of options that occur in sentences without being meant."""
_SHORTEST_MISSPELT = 5
_LETTER = re.compile(r"[^\W\d_]")


class OptionTexts:
    """Finds options of an item by their texts.

    Args:
        options: texts by capital letters.
        translate: brings a text into the words of the reply.
    """

    def __init__(self, options: Mapping[str, str], translate: Callable[[str], str]) -> None:
        texts = {letter: translate(one_line(text)).lower() for letter, text in options.items()}
        self._whole = _by_text(texts)
        self._endings = _by_text(_distinct_endings(texts))
        self._first = tuple({text[0] for text in self._whole} | {text[0] for text in self._endings})

    def starts(self, lowered: str) -> Iterator[int]:
        """Where a whole text begins in a reply in lower case, everyday words left out."""
        for text in self._whole.keys() - _EVERYDAY:
            start = lowered.find(text)
            while start >= 0:
                if not lowered[max(0, start - 1) : start].isalnum():
                    yield start
                start = lowered.find(text, start + len(text))

    def without_words(self, lowered: str) -> str:
        """The reply with an x for each letter of texts of several words, so that nobody finds a cue in an option."""
        for text in self._whole:
            if " " in text and text in lowered:
                lowered = lowered.replace(text, _LETTER.sub("x", text))
        return lowered

    def whole_at(self, lowered: str, start: int) -> tuple[int, str] | None:
        """(end, letter) of the option whose whole text stands here."""
        return self._at(lowered, start, self._whole)

    def ending_at(self, lowered: str, start: int) -> tuple[int, str] | None:
        """(end, letter) of the option whose telling words stand here."""
        return self._at(lowered, start, self._endings)

    def misspelt(self, words: str) -> str | None:
        """The letter of the one option that differs from these words by a typo in a single word."""
        close = [letter for text, letter in self._whole.items() if _is_one_typo(text, words)]
        return close[0] if len(close) == 1 else None

    def _at(self, lowered: str, start: int, texts: Mapping[str, str]) -> tuple[int, str] | None:
        if not lowered.startswith(self._first, start):
            return None
        for text, letter in texts.items():
            end = start + len(text)
            if lowered.startswith(text, start) and not lowered[end : end + 1].isalnum():
                return end, letter
        return None


def _by_text(texts: Mapping[str, str]) -> dict[str, str]:
    """Letters by the texts that tell options apart, longest first."""
    told = [text for text in texts.values() if len(text) > 1]
    letters = {text: letter for letter, text in texts.items() if told.count(text) == 1}
    return dict(sorted(letters.items(), key=lambda item: (-len(item[0]), item[0])))


def _distinct_endings(texts: Mapping[str, str]) -> dict[str, str]:
    """The ends of options after the words that all of them start with: "turn 5" of "At turn 5", where all start so."""
    words = {letter: text.split() for letter, text in texts.items()}
    shared = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*words.values(), strict=False))))
    return {letter: " ".join(own[shared:]) for letter, own in words.items()}


def _is_one_typo(text: str, words: str) -> bool:
    """Whether one long word differs, by one slip, and is no other number and no other beginning ("moral", "amoral")."""
    pairs = list(zip(text.split(), words.split(), strict=False))
    if len(text.split()) != len(words.split()):
        return False
    other = [(right, seen) for right, seen in pairs if right != seen]
    return len(other) == 1 and _is_slip(*other[0])


def _is_slip(right: str, seen: str) -> bool:
    return (
        len(right) >= _SHORTEST_MISSPELT
        and right[0] == seen[0]
        and (right + seen).isalpha()
        and OSA.distance(right, seen, score_cutoff=1) <= 1
    )
