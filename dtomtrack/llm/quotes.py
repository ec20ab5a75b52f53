"""Quotation marks that a model puts around all that it says."""

from __future__ import annotations

import re

__all__ = ["unquoted"]

_PAIRS = {'"': '"', "'": "'", "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}"}
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")


def unquoted(text: str) -> str:
    """A text without spaces at its ends, and without quotation marks if they stand around the whole of it."""
    said = text.strip()
    inner = _APOSTROPHE.sub("", said[1:-1])
    around = len(said) > 1 and _PAIRS.get(said[0]) == said[-1]
    return said[1:-1].strip() if around and said[0] not in inner and said[-1] not in inner else said
