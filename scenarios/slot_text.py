"""Filling the ``{slots}`` of a line."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["fill"]

_SLOT = re.compile(r"\{(\w+)\}")


def fill(text: str, slots: Mapping[str, str]) -> str:
    """A line with its slots filled in one pass: a value that looks like a slot is not filled again.

    A value at the start of a line or sentence gets a capital; slots that nothing is known of stay as they are.
    """
    if "{" not in text:
        return text
    return _SLOT.sub(lambda slot: _in_place(slot, slots), text)


def _in_place(slot: re.Match[str], slots: Mapping[str, str]) -> str:
    value = slots.get(slot[1])
    if value is None:
        return slot[0]
    before = slot.string[: slot.start()].rstrip()
    starts_sentence = not before or before[-1] in ".!?"
    return value[:1].upper() + value[1:] if starts_sentence else value
