"""Words: what of a text is compared where texts are compared by their words."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = [
    "REMEMBERED",
    "STOP_WORDS",
    "content_words",
    "in_plain_letters",
    "runs",
    "stems",
    "stems_in_order",
    "words_in_order",
]

REMEMBERED = 16_384
"""Texts of which something is remembered: more than those of all dialogues that are under way at once."""

_RUN = re.compile(r"[\w']+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_SPACED = bytes(sign if _RUN.match(chr(sign)) else ord(" ") for sign in range(256))
"""What bytes of ASCII become so that only spaces part runs: a table takes a quarter of the time of an expression."""
_FUNCTION_WORDS = """
a about after again all also am an and any are as at be because been before being but by can could did do does
doing down during each few for from further get go going had has have having he her here his how i if in into is
it its just like me more most my no nor not of off on once only or other our out over own same she should so
some such than that the their them then there these they this those through to too under until up very was we
were what when where which while who whom why will with would you your
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())
"""Words that say nothing of what a text is about."""
_ENDINGS = ("ingly", "edly", "ing", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3


def in_plain_letters(text: str) -> str:
    """A text in lower case, its typographic apostrophes as those of keyboards."""
    return text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{MODIFIER LETTER APOSTROPHE}", "'")


def words_in_order(text: str) -> list[str]:
    """The words of a text, of whatever script, in lower case."""
    plain = in_plain_letters(text)
    found = runs(plain)
    if "'" not in plain and "_" not in plain:
        return list(found)
    return [word for run in found for word in ((run,) if run.isalnum() else _WORD.findall(run))]


@lru_cache(maxsize=1024)
def runs(text: str) -> tuple[str, ...]:
    """The longest pieces of a text that are letters, digits, underscores and apostrophes throughout."""
    return tuple(text.encode().translate(_SPACED).decode().split() if text.isascii() else _RUN.findall(text))


def content_words(text: str) -> frozenset[str]:
    """Lower-case words of a text without function words."""
    return frozenset(words_in_order(text)) - STOP_WORDS


@lru_cache(maxsize=REMEMBERED)
def stems(text: str) -> frozenset[str]:
    """The content words of a text without their commonest endings."""
    return frozenset(map(_stem, content_words(text)))


@lru_cache(maxsize=4096)
def stems_in_order(text: str) -> tuple[str, ...]:
    """The same as often and in the order as they are said."""
    return tuple(_stem(word) for word in words_in_order(text) if word not in STOP_WORDS)


@lru_cache(maxsize=16384)
def _stem(word: str) -> str:
    word = word.partition("'")[0]
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending)
            break
    # "tables" has lost it, so "table" has to
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word
