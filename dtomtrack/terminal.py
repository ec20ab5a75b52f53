"""Text by others on a terminal: nothing in it moves the cursor, changes colours or titles, or turns words around."""

from __future__ import annotations

import re

__all__ = ["without_controls"]

_CONTROLS = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|\Z))"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]",
    re.DOTALL,
)
"""Escape sequences, control characters but the tab and the line break, and what sets the direction of writing."""


def without_controls(text: str) -> str:
    """A text without what a terminal would act on."""
    return text if text.isascii() and text.isprintable() else _CONTROLS.sub("", text)
