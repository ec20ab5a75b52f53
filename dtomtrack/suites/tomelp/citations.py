"""Tags in replies: [F1], [C2], or [F1, C2]; and the sentences that they belong to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.items.words import REMEMBERED

__all__ = ["Sentence", "numbers_in", "sentences_of", "tags_in", "without_list_numbers"]

_TAGS = re.compile(r"\[\s*([FC]\d+(?:\s*[,;]\s*[FC]\d+)*)\s*\]", re.IGNORECASE)
_TAG = re.compile(r"[FC]\d+", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])((?:\s*\[[^\]\n]{1,60}\])*)(?:\s+|$)")
_LEADING = re.compile(rf"^\W*{_TAGS.pattern}\s*\w", re.IGNORECASE)
_TAGS_LAST = re.compile(rf"{_TAGS.pattern}[\s.!?]*$", re.IGNORECASE)
_NEXT = re.compile(r"(?<=[.!?])()\s+")
_LIST_NUMBER = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|\(\d{1,2}\))[ \t]+", re.MULTILINE)
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


@lru_cache(maxsize=REMEMBERED)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a reply, without numbers of a list.

    A tag behind the full stop belongs to the sentence before it. Where a reply begins with a tag and does not end with
    one, tags stand before their sentences.
    """
    plain = without_list_numbers(text).strip()
    leading = _LEADING.match(plain) and not _TAGS_LAST.search(plain)
    parts = (_NEXT if leading else _END).split(plain)
    pairs = zip(parts[::2], [*parts[1::2], ""], strict=True)
    found = [Sentence(without_tags(part + behind), tuple(tags_in(part + behind))) for part, behind in pairs]
    return tuple(one for one in found if one.text or one.tags)


def without_list_numbers(text: str) -> str:
    """A text without what numbers the items of a list in it: "1) ", "2. "."""
    return _LIST_NUMBER.sub("", text)


@lru_cache(maxsize=REMEMBERED)
def numbers_in(text: str) -> frozenset[str]:
    """The numbers in a text, without separators of thousands, and with a point for decimals: 1,600 and 1.600 are 1600,
    1.6 and 1,60 are 1.6."""
    return frozenset(map(_plain, _NUMBER.findall(text)))


def _plain(number: str) -> str:
    whole = number if number.startswith("0") else _THOUSANDS.sub("", number)
    pointed = whole.replace(",", ".")
    return pointed.rstrip("0").rstrip(".") if pointed.count(".") == 1 else pointed
