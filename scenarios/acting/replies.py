"""Replies that ended otherwise than by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatReply

__all__ = ["check", "first_sentences", "whole_sentences"]

_END = re.compile(
    r"[.!?\u2026]+[\"'\u2019\u201d»)]*(?=\s|\Z)|[\u3002\uff01\uff1f\u061f\u06d4\u0964]+[\u300d\u300f\"]*|\n"
)
"""The end of a sentence: within a word or a figure, a mark is none."""
_SHORT = re.compile(
    r"(?:\A|[\s(\"\u201c])(?:[A-HJ-Z]|Mr|Mrs|Ms|Dr|Prof|St|Mt|vs|e\.g|i\.e|approx|ca)\.\Z", re.IGNORECASE
)
"""A word that a full stop ends, and no sentence."""
_FIGURE = re.compile(r"\d\.\Z")


def check(reply: ChatReply) -> None:
    """See that a reply came whole.

    Raises:
        ReplyError: it did not.
    """
    if reply.finish == "refusal":
        raise ReplyError("the model refused")
    if reply.finish == "filter":
        raise ReplyError("the provider's content filter cut the reply")
    if reply.finish == "length":
        raise ReplyError("the reply is longer than it may be and was cut")


def whole_sentences(text: str) -> str:
    """A reply that was cut, without the sentence in the middle of which that happened.

    Raises:
        ReplyError: nothing is left of it.
    """
    ends = list(_ends(text))
    if ends and ends[-1] == len(text) and _FIGURE.search(text):
        # a decimal point, as far as anybody can tell
        ends.pop()
    if not ends:
        raise ReplyError("the reply is longer than it may be and was cut")
    return text[: ends[-1]]


def first_sentences(text: str, most: int) -> str:
    """The beginning of a reply: so many sentences, or all that there are."""
    ends = list(islice(_ends(text), most))
    return text[: ends[-1]] if len(ends) == most else text


def _ends(text: str) -> Iterator[int]:
    return (found.end() for found in _END.finditer(text) if not _SHORT.search(text[: found.end()]))
