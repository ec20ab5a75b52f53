"""Judgements on a scale: one letter for one question, or small whole numbers in one object.

For judges of any suite. A verdict that can't be had (refused, filtered, cut, not on the scale) is `Unjudged` with its
reason, and never a score: a judge that fails says nothing about what it was shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import CallKey, ChatModel, ChatRequest
from dtomtrack.llm.structured import ask_for
from dtomtrack.records import Record
from dtomtrack.verifiers.judging.one_letter import LETTER_TOKENS, chosen_level, withheld

__all__ = ["Flag", "Level", "Question", "Unjudged", "ask_level", "ask_scores"]

R = TypeVar("R", bound=Record)

_SCORE_TOKENS = 400


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A verdict that could not be had, and why: it is no score."""

    reason: str


@dataclass(frozen=True)
class Question:
    """A question whose answer is one letter.

    Attributes:
        levels: by letter, what it stands for in words, lowest first.
    """

    call: CallKey
    text: str
    levels: Mapping[str, str]
    seed: int


async def ask_level(model: ChatModel, question: Question) -> int | Unjudged:
    """The level that a judge chooses, counted from 0.

    Raises:
        ModelError: no answer can be had.
    """
    options = "\n".join(f"{letter}: {words}" for letter, words in question.levels.items())
    reply = await model.chat(
        ChatRequest.asking(
            question.call,
            f"{question.text}\n\n{options}\nAnswer with one letter.",
            question.seed,
            LETTER_TOKENS,
            choices=tuple(question.levels),
        )
    )
    letter = chosen_level(reply, question.levels)
    if letter is None:
        return Unjudged(withheld(reply) or "no letter can be read")
    return list(question.levels).index(letter)


async def ask_scores(model: ChatModel, call: CallKey, text: str, record: type[R], seed: int) -> R | Unjudged:
    """Several scores at once, as the fields of a record, after one repair call at most.

    Raises:
        ModelError: no answer can be had.
    """
    request = ChatRequest.asking(call, text, seed, _SCORE_TOKENS)
    try:
        return await ask_for(model, request, record)
    except ReplyError as error:
        return Unjudged(str(error))


def _whole(value: object) -> object:
    """Whole numbers, floats without a fraction and digits are numbers; true, "2/2" and the like are none."""
    if isinstance(value, bool):
        raise ValueError("true and false are no scores")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value.strip())
    return value


Level: TypeAlias = Annotated[int, BeforeValidator(_whole), Field(strict=True, ge=0, le=2)]
"""A score of 0, 1 or 2."""
Flag: TypeAlias = Annotated[int, BeforeValidator(_whole), Field(strict=True, ge=0, le=1)]
"""0 or 1."""
