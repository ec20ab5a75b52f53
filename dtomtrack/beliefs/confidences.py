"""Confidences in free words: from whom something is kept, and what they are to hear instead."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from dtomtrack.beliefs.statements import sentences
from dtomtrack.items.words import in_plain_letters

__all__ = ["Confidence", "confidence"]

_SECRET = re.compile(
    r"\b(?:between (?:us|you and me|ourselves)|secret(?:ly)?|in confidence|confidential(?:ly)?|off the record|"
    r"not a word|nobody else|only you|(?:do|does|did|will|would|must|should)(?:n't| not) (?:need to |have to )?"
    r"(?:tell|know|hear|learn|find out|repeat|mention)|won't (?:tell|know|hear)|mustn't|never (?:tell|know|hear|learn)|"
    r"keep (?:it|this|that) (?:from|to|quiet|between)|something else|otherwise|(?:an)?other (?:answer|version|story))\b"
)
_TOLD = re.compile(r"\b(?:tell|hears?|say|saying|be told|answer|version|story|fib|lie|pretend|let)\b")


class Confidence(NamedTuple):
    """Somebody is spoken of who is not to hear something.

    Attributes:
        secret: it is said that something is kept secret; else it is so only if ``instead`` names something else.
        instead: the sentence that may say what they are to hear; empty if none does.
    """

    kept_from: str
    secret: bool
    instead: str


def confidence(utterance: str, unhearing: Collection[str]) -> Confidence | None:
    """What is kept from one of those who don't hear it, None if nothing can be.

    Only to speak of somebody ("We can order when Cleo is back") keeps nothing from them.
    """
    if not unhearing:
        return None
    secret = bool(_SECRET.search(in_plain_letters(utterance)))
    for sentence in sentences(utterance):
        name = next((one for one in sorted(unhearing) if re.search(rf"\b{re.escape(one)}\b", sentence)), "")
        told = bool(_TOLD.search(in_plain_letters(sentence)))
        if name and (secret or told):
            return Confidence(name, secret, sentence if told else "")
    return None
