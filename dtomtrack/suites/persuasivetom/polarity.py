"""Whether an attitude is positive, neutral or negative, by dtomtrack's own list of words (``attitudes.yaml``).

The paper asks a classifier of two classes instead (DistilBERT on SST-2, section 5.2); what the list doesn't know is
left out, and tables say how much it knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import yaml

__all__ = ["POLARITIES", "polarity_of"]

POLARITIES = ("positive", "neutral", "negative")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_TURNING = frozenset({"not", "never", "no", "less", "hardly"})
_OPPOSITE = {"positive": "negative", "negative": "positive", "neutral": "neutral"}


def polarity_of(text: str) -> str | None:
    """The polarity of an attitude in one or a few words: that of the last word that is known.

    A negation turns the next word that is known, and no other. None if no word is known, and where what is denied
    stands beside something else ("not hostile, but sceptical").
    """
    words = _WORD.findall(text.lower())
    known = [place for place, word in enumerate(words) if word in _words()]
    if not known or (_TURNING.intersection(words) and ("," in text or "but" in words)):
        return None
    before, last = [-1, *known][-2:]
    found = _words()[words[last]]
    return _OPPOSITE[found] if _TURNING.intersection(words[before + 1 : last]) else found


@cache
def _words() -> Mapping[str, str]:
    text = (resources.files("dtomtrack.suites.persuasivetom") / "attitudes.yaml").read_text(encoding="utf-8")
    lists: Mapping[str, str] = yaml.safe_load(text)
    return {word: polarity for polarity, words in lists.items() for word in words.split()}
