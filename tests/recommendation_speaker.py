"""A stand-in that speaks for both of a recommendation dialogue, by saying its directions, and hears what was said."""

from __future__ import annotations

import json
import re

from loopback import Answer, Request, completion

__all__ = ["standing_in"]

_SPOKEN = re.compile(r"^(?:SEEKER|RECOMMENDER|\"[A-Z]+\"): (\".*\")$", re.MULTILINE)
_NAMED = re.compile(r'"([^"]*)"')
_ASKED = re.compile(r"with this line\? (.*)$", re.MULTILINE)


def standing_in(request: Request) -> Answer:
    """Speaks by saying its directions, and hears a label where its words are said."""
    text = request["messages"][0]["content"]
    if text.startswith("You play"):
        directions = re.findall(r"^- (.*)$", text, re.MULTILINE)
        return completion(" ".join(map(_said, directions)))
    said = json.loads(_SPOKEN.findall(text)[-1])
    (label,) = _ASKED.findall(text)
    return completion("A" if label in said else "B")


def _said(direction: str) -> str:
    """A direction's label, and the names that it gives."""
    label, _, rest = direction.partition(". ")
    return " ".join([label, *_NAMED.findall(rest)]).rstrip(".") + "."
