"""Joining what is said one after the other, and whom it is said to by name."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

__all__ = ["addressed", "addressed_behind", "first_word", "follows_a_name", "in_mid_sentence", "joined"]


def addressed(name: str, line: str, small: Container[str]) -> str:
    """A line said to somebody by name; where its first word is not among the small ones, as a sentence of its own."""
    if not name:
        return line
    if not follows_a_name(line, small):
        return f"{name}, listen. {line}"
    return f"{name}, {in_mid_sentence(line)}"


def addressed_behind(name: str, line: str) -> str:
    """A line whose first sentence ends with the name of whom it is said to; empty where that is too long for it."""
    first = _FIRST_SENTENCE.match(line)
    return "" if first is None else f"{first[1]}, {name}{line[first.end(1) :]}"


_FIRST_SENTENCE = re.compile(r"((?:[\w'-]+ ){2,8}[\w'-]+)[.?](?: |$)")
"""One without a comma or colon, to which a name can be put at the end."""


def in_mid_sentence(line: str) -> str:
    """A line that begins with a small word, as it stands behind a comma."""
    if first_word(line) == "i" or _NAME.match(line):
        return line
    return f"{line[0].lower()}{line[1:]}"


_NAME = re.compile(r"(?:Uncle|Aunt|Doctor|New) [A-Z]")
"""Names that begin with words that are small elsewhere."""


def follows_a_name(line: str, small: Container[str]) -> bool:
    """Whether a line can stand behind a name within one sentence: its first word is among the small ones."""
    first = first_word(line)
    return first == "i" or first in small


def first_word(line: str) -> str:
    """The first word of a line, in lower case."""
    return _WORD.split(line.partition(" ")[0].lower(), 1)[0]


def joined(parts: Iterable[str], small: Container[str] = ()) -> str:
    """What is said one after the other; what would begin small behind a colon does, or the colon is a period.

    Args:
        small: words that may be written small; none for what is read as it stands, such as what somebody holds.
    """
    whole = ""
    for part in filter(None, parts):
        if not whole.endswith(":"):
            whole = f"{whole} {part}".lstrip()
        elif first_word(part) in small:
            whole = f"{whole} {part if part[:2] in _I else part[0].lower() + part[1:]}"
        else:
            whole = f"{whole[:-1]}. {part}"
    return whole


_I = frozenset({"I ", "I'"})
_WORD = re.compile(r"[^a-z-]")
