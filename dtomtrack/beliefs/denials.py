"""Denials: what a text says is not so."""

from __future__ import annotations

import re
from functools import lru_cache

from dtomtrack.beliefs.quantities import said_words
from dtomtrack.items.words import REMEMBERED

__all__ = ["asserted_words", "denials"]

_DENIAL = re.compile(r"\b(?:instead of|rather than|no longer|not|never|cannot|\w+n't|without)\b")
_GIVEN_UP = re.compile(
    rf"{_DENIAL.pattern}"
    r"[^,.;:!?]*?(?=[,.;:!?]|\bbut\b|$)"
)
_SIGNS = ("not", "n't", "never", "no longer", "without", "instead of", "rather than")
"""In every text that denies something there is one of them, which is quickly seen."""


def denials(text: str) -> int:
    """How often a text denies something."""
    folded = text.casefold()
    return len(_DENIAL.findall(folded)) if _may_deny(folded) else 0


@lru_cache(maxsize=REMEMBERED)
def asserted_words(text: str, kept: int = 0) -> frozenset[str]:
    """The words of a text (`said_words`) without what it says is not so.

    Args:
        kept: of so many denials, the last ones, what they deny stays.
    """
    folded = text.casefold()
    if not _may_deny(folded):
        return said_words(text if text.lower() == folded else folded)
    if kept:
        for denial in list(_DENIAL.finditer(folded))[::-1][:kept]:
            folded = folded[: denial.start()] + folded[denial.end() :]
    return said_words(_GIVEN_UP.sub(" ", folded))


def _may_deny(folded: str) -> bool:
    return any(sign in folded for sign in _SIGNS)
