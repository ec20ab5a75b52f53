"""Texts by others: when two are the same option, which turn they name, and how they are printed."""

from __future__ import annotations

import re
import sys
import unicodedata

__all__ = ["as_written", "normalized", "printable", "turn_in"]

_TURN = re.compile(
    r"\b(?:turns?|rounds?|utterances?|lines?|messages?|steps?|sessions?)\s*#?\s*(\d{1,6})\b", re.IGNORECASE
)
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_LONGEST_SHOWN = 60


def as_written(text: str) -> str:
    """A text without what nobody sees: how its accents are composed, and how many spaces there are."""
    return sys.intern(" ".join(unicodedata.normalize("NFC", text).split()))


def normalized(text: str) -> str:
    """A text without what seldom makes another option of it: case, forms of a character, a final full stop.

    "Aa" and "aa", or "10²" and "102", may be two options still: `as_written` tells them apart.
    """
    return sys.intern(" ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(". "))


def turn_in(text: str) -> int | None:
    """The number of the first turn (round, utterance, message ...) that a text names."""
    found = _TURN.search(text)
    return int(found[1]) if found else None


def printable(text: str, longest: int = _LONGEST_SHOWN) -> str:
    """A text of somebody else's on one line, fit for a terminal: without control characters, cut if it is long."""
    shown = "".join(
        " " if character.isspace() else "" if unicodedata.category(character) in _UNPRINTABLE else character
        for character in text[: 20 * longest]
    )
    shown = " ".join(shown.split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"
