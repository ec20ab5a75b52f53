"""Replies that were begun for the model: what of one is new, where a server or a model says the beginning again."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["new_part"]

_QUOTES = "\"'“”„«»‘’"  # noqa: RUF001
_BEFORE = re.compile(rf"[\s{_QUOTES}]*")
_LABEL = re.compile(rf"[^\W\d_][\w .'-]{{0,40}}:[\s{_QUOTES}]*")
_PLAIN = str.maketrans("“”„«»‘’", '"""""\'\'')  # noqa: RUF001


def new_part(text: str, beginning: str) -> str:
    """A continuation without the beginning.

    Said again, it may stand behind quotation marks or a speaker's name, and have other capitals and quotation marks.
    """
    begun = beginning.strip()
    for start in _starts(text) if begun else ():
        end = start + len(begun)
        within_a_word = begun[-1].isalnum() and text[end : end + 1].isalnum()
        if _folded(text[start:end]) == _folded(begun) and not within_a_word:
            return text[end:]
    return text


def _starts(text: str) -> Iterator[int]:
    """Where the beginning may stand."""
    yield 0
    words = _BEFORE.match(text)
    at = words.end() if words else 0
    yield at
    if label := _LABEL.match(text, at):
        yield label.end()


def _folded(text: str) -> str:
    return text.translate(_PLAIN).lower()
