"""A stand-in that speaks for both of a recommendation dialogue, by saying its directions, and hears what was said."""

from __future__ import annotations

import json
import re

from loopback import Answer, Request, completion

from dtomtrack.suites.rectom.wordings import made_wordings

__all__ = ["standing_in"]

_LABELS = f"(?:{'|'.join(map(re.escape, made_wordings('seeker').values()))})"

_SPOKEN = re.compile(r"^(?:SEEKER|RECOMMENDER|\"[A-Z]+\"): (\".*\")$", re.MULTILINE)
_ASKED = re.compile(r"with this line\? (.*)$", re.MULTILINE)
_ATTITUDE = re.compile(r"say here of (whether they know|how they like|whether they want|what is) (.*)\?$", re.MULTILINE)
_WORDS = {
    "very much to": "likes it",
    "not at all to": "loathes it",
    "as one that is not liked": "not for them",
    "knows it already": "old to them",
    "does not know it yet": "new to them",
}
_TOLD = {
    "whether they know": ("Has seen or known|old to them", "new to them"),
    "how they like": ("likes it", "loathes it"),
    "whether they want": ("Takes the suggestion up", "Turns the suggestion down"),
    "what is": ("", "not for them"),
}
"""By what is asked of something, the words that say so of it, and those that say the contrary."""


def standing_in(request: Request) -> Answer:
    """Speaks by saying its directions, and hears a label, or an attitude, where its words are said."""
    text = request["messages"][0]["content"]
    if text.startswith("You play"):
        directions = re.findall(r"^- (.*)$", text, re.MULTILINE)
        return completion(" ".join(map(_said, directions)))
    said = json.loads(_SPOKEN.findall(text)[-1])
    attitude = _ATTITUDE.search(text)
    if attitude is not None:
        return completion(_attitude_letter(said, *attitude.groups()))
    (label,) = _ASKED.findall(text)
    return completion("A" if label in said else "B")


def _said(direction: str) -> str:
    """A direction's label, the names that it gives, and the attitudes in a word or two."""
    label, _, rest = direction.partition(". ")
    told = [word for words, word in _WORDS.items() if words in rest]
    return " ".join([label, *re.findall(r'"([^"]*)"', rest), *told]).rstrip(".") + "."


def _attitude_letter(said: str, asked: str, about: str) -> str:
    """A where it is so, B where the contrary is, C where neither is said, in the part that names what it is about."""
    parts = [part for part in re.split(f"(?={_LABELS})", said) if "last" in about or about.strip('"') in part]
    so, contrary = _TOLD[asked]
    if any(re.search(contrary, part) for part in parts):
        return "B"
    return "A" if any(re.search(so, part) for part in parts) else "C"
