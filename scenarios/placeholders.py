"""Filling the ``{placeholders}`` of a line."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["fill"]

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def fill(text: str, fillings: Mapping[str, str]) -> str:
    """A line with its placeholders filled in one pass: a value that looks like a placeholder is not filled again.

    A value at the start of a line or sentence gets a capital; placeholders that nothing is known of stay as they are.
    """
    if "{" not in text:
        return text
    return _PLACEHOLDER.sub(lambda found: _filling(found, fillings), text)


def _filling(found: re.Match[str], fillings: Mapping[str, str]) -> str:
    value = fillings.get(found[1])
    if value is None:
        return found[0]
    before = found.string[: found.start()].rstrip()
    starts_sentence = not before or before[-1] in ".!?"
    return value[:1].upper() + value[1:] if starts_sentence else value
