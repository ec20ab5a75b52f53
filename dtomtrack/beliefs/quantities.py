"""Numbers and quantities in texts that are compared by their words: "two hours" is "2 hours", and not "an hour"."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from dtomtrack.items.words import REMEMBERED, stems

__all__ = ["PLURAL", "is_number", "number_words", "said_words", "single_things"]

PLURAL = "*"
"""Stands before the stem of what a text counts several of."""

_SMALL_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_TENS = {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
_WORDS = {word: str(number) for number, word in enumerate(_SMALL_NUMBERS.split(), 2)} | _TENS
_NUMBERS = {stem: digits for word, digits in _WORDS.items() for stem in stems(word)}
_COUNTED = re.compile(r"\b(\w+)\s+(?=([a-z]+))")
_ONE_OF = re.compile(r"\b(?:an?|one)\s+([a-z]+)")
_CLOCK = re.compile(r"(\d+)(?:am|pm|h)?")


@lru_cache(maxsize=REMEMBERED)
def number_words(text: str) -> frozenset[str]:
    """The stems of a text, its numbers (from two on) as digits."""
    return frozenset(map(_in_digits, stems(text)))


@lru_cache(maxsize=REMEMBERED)
def said_words(text: str) -> frozenset[str]:
    """`number_words`, and behind `PLURAL` the stems of what it counts several of: "*hour" in "three hours"."""
    words = number_words(text)
    if not any(map(is_number, words)):
        return words
    pairs = _COUNTED.findall(text.casefold())
    several = {f"{PLURAL}{stem}" for one, what in pairs if any(map(_digits, stems(one))) for stem in stems(what)}
    return words | several


@lru_cache(maxsize=REMEMBERED)
def single_things(text: str) -> frozenset[str]:
    """The stems of what a text has one of: "hour" in "an hour"."""
    return frozenset(stem for what in _ONE_OF.findall(text.casefold()) for stem in stems(what))


is_number: Callable[[str], bool] = str.isdigit
"""Whether a word of `number_words` is a number."""


@lru_cache(maxsize=REMEMBERED)
def _in_digits(stem: str) -> str:
    return _digits(stem) or stem


def _digits(stem: str) -> str | None:
    """The digits of a number, None of anything else."""
    clock = _CLOCK.fullmatch(stem)
    return clock[1] if clock else _NUMBERS.get(stem)
