"""Replies that ended otherwise than by themselves."""

from __future__ import annotations

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatReply

__all__ = ["check", "whole_sentences"]


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
    end = max(text.rfind(mark) for mark in ".!?\n")
    if end < 0:
        raise ReplyError("the reply is longer than it may be and was cut")
    return text[: end + 1]
