"""Numbers and quantities in texts that are compared by their words: "two hours" is "2 hours", and not "an hour"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from dtomtrack.items.words import REMEMBERED, stems

__all__ = ["PLURAL", "is_number", "number_words", "said_words", "single_things"]

PLURAL = "*"
"""Stands before the stem of what a text counts several of."""

_SMALL_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_LARGE_NUMBERS = {word: 10 * number for number, word in enumerate(_TENS.split(), 3)} | {
    "hundred": 100,
    "thousand": 1000,
}
_VALUES = {word: number for number, word in enumerate(_SMALL_NUMBERS.split(), 2)} | _LARGE_NUMBERS
_WORDS = {word: str(number) for word, number in _VALUES.items()}
_NUMBERS = {stem: digits for word, digits in _WORDS.items() for stem in stems(word)}
_COUNTED = re.compile(r"\b(\w+)\s+(?=([a-z]+))")
_ONE_OF = re.compile(r"\b(?:an?|one)\s+([a-z]+)")
_CLOCK = re.compile(r"(\d+)(?:am|pm|h)?")
_UNIT = rf"(?:one|{'|'.join(_WORDS)})"
_SHARES = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty five": 25}
_IN_PARTS = re.compile(
    r"(?=\d)(?:(?P<thousands>\d{1,3}(?:,\d{3})+)(?!\d)"
    r"|(?P<hour>\d+)[:.](?P<minute>\d+)(?: ?(?:am|pm|h)\b)?)"
    r"|\b(?:(?P<share>half|quarter|five|ten|twenty(?:[ -]five)?)(?: minutes?)? (?P<side>past|to) "
    rf"(?P<of>\d+|{_UNIT})\b"
    rf"|(?P<run>(?:\d+ +(?=hundred|thousand))?{_UNIT}(?:(?:[ -]+|(?:(?<=hundred)|(?<=thousand)) and ){_UNIT})+)\b)"
)
"""Numbers of several parts: "1,000", "7:45", "half past seven", "a hundred and eighty"."""


@lru_cache(maxsize=REMEMBERED)
def number_words(text: str) -> frozenset[str]:
    """The stems of a text, its numbers (from two on) as digits."""
    words = frozenset(map(_in_digits, stems(text)))
    if not any(map(is_number, words)):
        return words
    lower = text.lower()
    whole = _with_whole_numbers(lower)
    return words if whole == lower else frozenset(map(_in_digits, stems(whole)))


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


def _with_whole_numbers(text: str) -> str:
    """A text in lower case whose numbers of several parts are one word each, so that no part passes for the whole."""
    return _IN_PARTS.sub(_whole, text)


def _whole(found: re.Match[str]) -> str:
    if found["thousands"]:
        return found["thousands"].replace(",", "")
    if found["hour"]:
        return _time(found["hour"], found["minute"])
    if found["share"]:
        hour, minute = _number(found["of"]), _SHARES[found["share"].replace("-", " ")]
        return _time(hour, minute) if found["side"] == "past" else _time((hour - 2) % 12 + 1, 60 - minute)
    return _sum(re.findall(r"\w+", found["run"].replace(" and ", " ")))


def _time(hour: int | str, minute: int | str) -> str:
    return str(hour) if minute == "00" else f"{hour}h{minute}"


def _sum(words: Sequence[str]) -> str:
    """The number that these words name together; a word of its own where they name a time ("nine twenty")."""
    thousands = part = 0
    for index, value in enumerate(map(_number, words)):
        if value == 1000:
            thousands, part = thousands + (part or 1) * value, 0
        elif value == 100:
            part = (part or 1) * value
        elif part % 100 == 0 or (part % 100 >= 20 and part % 10 == 0 and value < 10):
            part += value
        else:
            return _time(thousands + part, _sum(words[index:]))
    return str(thousands + part)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _VALUES.get(word, 1)


@lru_cache(maxsize=REMEMBERED)
def _in_digits(stem: str) -> str:
    return _digits(stem) or stem


@lru_cache(maxsize=REMEMBERED)
def _digits(stem: str) -> str | None:
    """The digits of a number, None of anything else."""
    clock = _CLOCK.fullmatch(stem)
    return clock[1] if clock else _NUMBERS.get(stem)
