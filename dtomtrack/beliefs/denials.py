"""Denials: what a text says is not so."""

from __future__ import annotations

import re
from functools import lru_cache

from dtomtrack.beliefs.quantities import said_words
from dtomtrack.items.words import REMEMBERED, in_plain_letters

__all__ = ["asserted_words", "denials", "is_denied", "without_denied_clauses"]

_PASSED_OVER = r"instead of|rather than|anything but|without"
"""What comes before them is so."""
_NO = r"no(?! (?:doubt|wonder|question|problem|matter|(?:more|less|fewer|later|earlier) than)\b)"
_LEFT = (
    r"refus(?:e|es|ed|ing)|g(?:ive|ives|ave|iven|iving) up|abandon(?:s|ed|ing)?|forget(?:ting)? about|"
    r"drop(?:s|ped|ping)?(?= (?:the|that|this|my|our|all) (?:idea|plan|thought|notion|wish|hope)s?\b)|"
    r"let(?:ting)? go of|(?:stop|quit)(?:s|ped|ping|ting)?(?= \w+ing\b)|decid(?:e|ed|ing) against|"
    r"(?:'m|'re|am|are|is) (?:done|through|finished) with"
)
"""What one refuses or has left is no more so than what one denies."""
_NOT = rf"no longer|{_NO}|not|none|nobody|nor|neither|never|cannot|hardly|avoid(?:s|ed|ing)?|\w+n't|{_LEFT}"
_DENIAL = re.compile(rf"\b(?:{_PASSED_OVER}|{_NOT})\b")
_PASSED_OVER_PHRASE = re.compile(rf"\b(?:{_PASSED_OVER})\b[^,.;:!?]*?(?=[,.;:!?]|\bbut\b|$)")
_CLAUSE = re.compile(r"(?:(?!\bbut\b)[^,.;:!?])+|but\b")
_DENIED_CLAUSE = re.compile(rf"\b(?:{_NOT})\b")
_GIVEN_UP = re.compile(
    rf"{_DENIAL.pattern}"
    r"[^,.;:!?]*?(?=[,.;:!?]|\bbut\b|$)"
)
_CANNOT = r"can't|couldn't|cannot|(?:can|could) (?:not|hardly)"
_AGREEMENT = re.compile(
    rf"\b(?:(?:{_CANNOT}) wait (?:for|to|until)"
    rf"|(?:{_CANNOT}) (?:be|feel) (?:happier|gladder|prouder|better|more (?:pleased|excited|delighted))\b(?: than)?"
    rf"|(?:{_CANNOT}) (?:think of|imagine|ask for|wish for|hope for|want) (?:an? |any(?:thing|where)? )?"
    r"(?:(?:more|better)\b|\w+er\b(?=[^,.;:!?]* than\b))(?:[^,.;:!?]*? than\b)?"
    r"|(?:won't|will not|wouldn't|would not|don't|do not|cannot|can't) settle for (?:anything )?less than"
    r"|(?:don't|do not|won't|will not|wouldn't|would not) \w+ anything but"
    r"|not (?:only|just|least)"
    rf"|(?:not|never|nobody|cannot|\w+n't) (?:\w+ )?(?:{_LEFT}))\b"
)
"""Denials in which one agrees: "I can't wait for it"."""
_SIGNS = (
    *("no", "n't", "never", "neither", "hardly", "avoid", "without", "instead of", "rather than", "anything but"),
    *("refus", " up", "abandon", "forget", " go of", "drop", "stop", "quit", "against", " with"),
)
"""In every text that denies something there is one of them, which is quickly seen."""


def denials(text: str) -> int:
    """How often a text denies something."""
    folded = _folded(text)
    return len(_DENIAL.findall(folded)) if _may_deny(folded) else 0


@lru_cache(maxsize=REMEMBERED)
def asserted_words(text: str, kept: int = 0) -> frozenset[str]:
    """The words of a text (`said_words`) without what it says is not so.

    Args:
        kept: of so many denials, the last ones, what they deny stays.
    """
    plain = in_plain_letters(text)
    if not _may_deny(plain) or not _DENIAL.search(plain):
        return said_words(text)
    folded = _AGREEMENT.sub(" ", plain)
    if not _may_deny(folded):
        return said_words(text)
    if kept:
        for denial in list(_DENIAL.finditer(folded))[::-1][:kept]:
            folded = folded[: denial.start()] + folded[denial.end() :]
    return said_words(_GIVEN_UP.sub(" ", folded))


def is_denied(phrase: str, text: str) -> bool:
    """Whether a text has a phrase only within what it says is not so; what the phrase itself denies is part of it."""
    mark = "\N{BULLET}"
    marked = _folded(text).replace(in_plain_letters(phrase), mark)
    return mark in marked and mark not in _GIVEN_UP.sub(" ", marked)


def without_denied_clauses(text: str) -> str:
    """The clauses of a text that deny nothing, in lower case, without what they say is passed over.

    "The terrace is not for me, the bar is" leaves "the bar is": what a clause denies may stand before "not", too.
    """
    folded = _folded(text)
    if not _may_deny(folded):
        return folded
    clauses = _CLAUSE.findall(_PASSED_OVER_PHRASE.sub(" ", folded))
    return ", ".join(clause for clause in clauses if not _DENIED_CLAUSE.search(clause))


def _folded(text: str) -> str:
    """A text in plain letters, without denials in which one agrees."""
    folded = in_plain_letters(text)
    return _AGREEMENT.sub(" ", folded) if _may_deny(folded) else folded


def _may_deny(folded: str) -> bool:
    return any(map(folded.__contains__, _SIGNS))
