"""A turn as a language model writes it: hidden thought and utterance, kept apart.

Two forms are read: a JSON object, and the paper's text form ``Agent: (thought) "utterance"`` ("Conversation
Generation"). Models write thoughts twice, nested, unclosed or in the middle of what they say; all of that is refused
here, before a partner could see it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from dtomtrack.errors import ReplyError
from dtomtrack.records import Record

__all__ = [
    "LineOutput",
    "ThoughtOutput",
    "TurnOutput",
    "TurnWords",
    "read_text_turn",
    "spoken",
    "thought_words",
]

LONGEST_THOUGHT = 800
LONGEST_UTTERANCE = 1_200
_QUOTES = '"“”„«»'
_PLAIN = str.maketrans("\uff08\uff09\uff3b\uff3d\u3010\u3011\uff5b\uff5d\uff0a", "()[][]{}*")
"""Brackets of other scripts, which hide a thought from rules about brackets."""
_CONTROL = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|<\|"
)
_TAG = re.compile(
    r"<[^<>]*>|<\s*/?\s*[a-z]"
    r"|[\u2039\u203a\u2329\u232a\u276c-\u2771\u27e6-\u27ef\u2985\u2986\u2991\u2992\u3008\u3009\u3014-\u301b"
    r"\ufe59-\ufe5e\ufe64\ufe65\uff1c\uff1e\uff5f\uff60]",
    re.IGNORECASE,
)
"""Tags, such as a reasoning model writes around its thinking, and brackets that look like theirs."""

_BRACKET = re.compile(r"[()\[\]{}*]")
_BEHIND_A_LABEL = re.compile("[:\\-–—]")  # noqa: RUF001
_LABEL = re.compile(
    r"(?:^|[.!?…]\s+)(?:(?:(?:my|private|hidden|inner|silent|unspoken|internal)\s+)*"
    r"(?:thoughts?|thinking|speech|voice|monologue)|utterance|aloud)(?:\s*:|\s+[-–—]\s)",  # noqa: RUF001
    re.IGNORECASE,
)
"""What stands before a thought, or behind one, where a model writes both as one text."""
_ITALIC = re.compile(r"(?<!\w)_+\w[^_]*_+(?!\w)")
"""A stage direction between underscores."""
_CLOSED = re.compile(r"[.!?…,][\"”]\s+\S")
"""A closing quotation mark behind a sentence, with more behind it."""
_BEHIND = "something stands behind the closing quotation mark; write only what is said"
_LETTER = re.compile(r"\w")


class TurnOutput(Record):
    """A turn in JSON."""

    thought: Annotated[str, Field(description="what you think, hidden from the other: sentences as asked for")]
    utterance: Annotated[str, Field(description="what you say aloud")]


class ThoughtOutput(Record):
    """The thought of a turn in JSON, whose line stands."""

    thought: Annotated[str, Field(description="what you think, hidden from the other: sentences as asked for")]


class LineOutput(Record):
    """The line of a turn in JSON, whose thought stands."""

    utterance: Annotated[str, Field(description="what you say aloud")]


@dataclass(frozen=True)
class TurnWords:
    """A turn in a model's words: ``thought`` without parentheses, ``utterance`` without quotation marks."""

    thought: str
    utterance: str


def read_text_turn(text: str, speaker: str, begun: str = "") -> TurnWords:
    """A turn in the paper's text form.

    Args:
        begun: what was begun for the model, up to somewhere within the thought.

    Raises:
        ReplyError: there is not exactly one thought before the utterance.
    """
    whole = (begun + text).translate(_PLAIN).strip().removeprefix(f"{speaker}:").strip()
    if not whole.startswith("("):
        raise ReplyError("the reply does not begin with a thought in parentheses")
    end = _end_of_thought(whole)
    line = whole[end + 1 :].strip()
    words = TurnWords(thought_words(whole[1:end]), spoken(line))
    if line[0] in _QUOTES and line.rstrip(".!?…, ")[-1:] not in _QUOTES:
        raise ReplyError(_BEHIND)
    return words


def _end_of_thought(whole: str) -> int:
    depth = 0
    for index, character in enumerate(whole[: LONGEST_THOUGHT + 2]):
        depth += (character == "(") - (character == ")")
        if depth > 1:
            raise ReplyError("the reply has a thought within a thought")
        if depth == 0:
            return index
    raise ReplyError("the thought is not closed by a parenthesis")


def thought_words(text: str) -> str:
    """A thought without its parentheses.

    Raises:
        ReplyError: it is empty, too long, or holds another or a tag.
    """
    words = _clean(text, LONGEST_THOUGHT, "thought")
    if words.startswith("(") and words.endswith(")"):
        words = words[1:-1].strip()
    if "(" in words or ")" in words:
        raise ReplyError("the reply has a thought within a thought")
    return words


def spoken(text: str) -> str:
    """An utterance without its quotation marks.

    Raises:
        ReplyError: it is empty, too long, or holds a thought or a tag.
    """
    words = _clean(text, LONGEST_UTTERANCE, "utterance")
    goes_on = words[0] in _QUOTES and _CLOSED.search(words)
    if len(words) > 1 and words[0] in _QUOTES and words[-1] in _QUOTES:
        words = words[1:-1].strip()
    if _BRACKET.search(words) or ("_" in words and _ITALIC.search(words)):
        raise ReplyError("the utterance holds a thought or a stage direction in brackets or underscores")
    if _BEHIND_A_LABEL.search(words) and (label := _LABEL.search(words)):
        raise ReplyError(f"the utterance holds {label.group().lstrip('.!?… ')!r}; write only what is said")
    if goes_on:
        raise ReplyError(_BEHIND)
    if not _LETTER.search(words):
        raise ReplyError("the utterance is empty")
    return words


def _clean(text: str, longest: int, what: str) -> str:
    if len(text) > longest:
        raise ReplyError(f"the {what} is longer than {longest} characters")
    if not _is_plain(text):
        if _CONTROL.search(text):
            raise ReplyError(f"the {what} holds control characters")
        if _TAG.search(text):
            raise ReplyError(f"the {what} holds a tag or angle brackets")
        text = text.translate(_PLAIN)
    words = " ".join(text.split())
    if not words:
        raise ReplyError(f"the {what} is empty")
    return words


def _is_plain(text: str) -> bool:
    """Whether it is seen at a glance that there is nothing in a text to refuse or to replace."""
    return text.isascii() and text.isprintable() and "<" not in text
