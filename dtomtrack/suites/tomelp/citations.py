"""Tags in replies: [F1], [C2], or [F1, C2]; and the sentences that they belong to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dtomtrack.graphs.route_judging import without_tags

__all__ = ["Sentence", "numbers_in", "sentences_of", "tags_in"]

_TAGS = re.compile(r"\[\s*([FC]\d+(?:\s*[,;]\s*[FC]\d+)*)\s*\]", re.IGNORECASE)
_TAG = re.compile(r"[FC]\d+", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])((?:\s*\[[^\]\n]{1,60}\])*)(?:\s+|$)")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Sentence:
    """A sentence with the tags in it or right behind it."""

    text: str
    tags: tuple[str, ...]


def tags_in(text: str) -> list[str]:
    """All ids in square brackets, [F1] or [F1, C2], in capitals, in order."""
    return [tag.upper() for group in _TAGS.findall(text) for tag in _TAG.findall(group)]


def sentences_of(text: str) -> list[Sentence]:
    """The sentences of a reply; a tag behind the full stop belongs to the sentence before it."""
    parts = _END.split(text.strip())
    pairs = zip(parts[::2], [*parts[1::2], ""], strict=True)
    found = [Sentence(without_tags(part + behind), tuple(tags_in(part + behind))) for part, behind in pairs]
    return [one for one in found if one.text or one.tags]


def numbers_in(text: str) -> frozenset[str]:
    """The numbers in a text, without separators of thousands, and with a point for decimals: 1,600 and 1.600 are 1600,
    1.6 and 1,60 are 1.6."""
    return frozenset(map(_plain, _NUMBER.findall(text)))


def _plain(number: str) -> str:
    whole = number if number.startswith("0") else _THOUSANDS.sub("", number)
    pointed = whole.replace(",", ".")
    return pointed.rstrip("0").rstrip(".") if pointed.count(".") == 1 else pointed
