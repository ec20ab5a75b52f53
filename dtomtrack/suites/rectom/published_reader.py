"""Replies read as RecToM's scripts read them (``evaluate/*.py``), with what they get wrong.

Without reasoning: all letters of the reply, whatever stands between them; with a small one, or one that is no option,
the script asks again and again. With reasoning: the first run of option letters behind "answer is" or "answer:", small
ones of words included, so that "B, C" is B and "clearly F" is C; ranges are set by hand, A to J for intentions of
however many options, A to D for predictions, A and B for all else.
"""

from __future__ import annotations

import re
from functools import cache

from dtomtrack.evaluation.records import PromptStyle
from dtomtrack.items.presented import PresentedItem

__all__ = ["published_reading"]

_NO_LETTER = re.compile(r"[^A-Za-z]")


def published_reading(reply: str, shown: PresentedItem, style: PromptStyle) -> frozenset[str] | None:
    """The letters that the published script takes from a reply; None where it finds none."""
    if style == "zero-shot":
        return frozenset(_NO_LETTER.sub("", reply)) or None
    kind = shown.item.groups.get("type", "")
    last = "J" if "intention" in kind else "D" if kind.startswith("prediction") else "B"
    found = _stated(last).findall(reply)
    return frozenset(letter.upper() for block in found for letter in _letters(last).findall(block)) or None


@cache
def _stated(last: str) -> re.Pattern[str]:
    cue = r"\b(?:answer\s*(?:is|:)|the\s+answer\s+is)\b"
    return re.compile(rf"(?i){cue}[^A-{last}]*((?:[A-{last}]|\\boxed\{{[A-{last}]}})+)")


@cache
def _letters(last: str) -> re.Pattern[str]:
    return re.compile(rf"[A-{last}]", re.IGNORECASE)
