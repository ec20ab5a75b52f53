"""Words that a text writes small within its sentences: they begin no name, so that they may lose a capital."""

from __future__ import annotations

import re

__all__ = ["words_written_small"]

_SMALL = re.compile(r"(?<=[a-z,;] )[a-z][a-z'-]*")


def words_written_small(text: str) -> frozenset[str]:
    """All of them."""
    return frozenset(_SMALL.findall(text))
