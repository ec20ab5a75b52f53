"""Structured output: a reply as a record, strictly, then leniently, then after one repair call.

Where the server can constrain a reply to a JSON Schema it does; this module is for what comes back all the same:
fences, a sentence before the object, a wrong field, half an object. A reply is never replaced by a default.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pydantic import ValidationError

from dtomtrack.errors import ReplyError
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Message
from dtomtrack.llm.prompts import as_data
from dtomtrack.records import Record

__all__ = ["TRIES", "ask_for", "read_record", "schema_of"]

R = TypeVar("R", bound=Record)

TRIES = 2
"""Requests that `ask_for` may make under keys that follow each other: whoever asks again goes on behind them."""
_SHOWN = 2_000
"""Characters of a reply that can't be used which the repair call shows to the model again."""
_LONGEST = 100_000
"""Characters of a reply that are searched for an object."""
_MOST_OBJECTS = 20
_LONGEST_NAME = 40
_FENCE = re.compile(r"```\w*\s*")
"""How a code fence begins."""


@cache
def schema_of(record: type[Record]) -> dict[str, Any]:
    """The JSON Schema of a record as models are asked for it: every field required, nothing else allowed."""
    return record.model_json_schema(mode="serialization")


async def ask_for(model: ChatModel, request: ChatRequest, record: type[R]) -> R:
    """The answer to a request as a record.

    Raises:
        ReplyError: neither the reply nor that to the repair call is such a record.
        ModelError: no answer can be had.
    """
    request = replace(request, schema=schema_of(record))
    reply = await model.chat(request)
    try:
        return read_record(reply, record)
    except ReplyError as error:
        reply = await model.chat(_repair(request, reply, error))
    return read_record(reply, record)


def _repair(request: ChatRequest, reply: ChatReply, error: ReplyError) -> ChatRequest:
    """The request again, with the reply and what is wrong with it, as the next try of the call."""
    again = (
        Message("assistant", reply.text[:_SHOWN] or "(nothing)"),
        Message("user", f"That can't be used: {error}. Answer again with one JSON object and nothing else."),
    )
    seed = None if request.seed is None else request.seed ^ 1
    return replace(request, call=request.call.next_try(), seed=seed, messages=(*request.messages, *again))


def read_record(reply: ChatReply, record: type[R]) -> R:
    """A reply as a record: the last whole one in it, as what stands before may be a draft.

    A reply that was cut has to begin with it and to begin no other behind it: the final one may be what is missing.

    Raises:
        ReplyError: it isn't one; the message says what is wrong, in one sentence.
    """
    if reply.finish == "refusal":
        raise ReplyError("the model refused")
    if reply.finish == "filter":
        raise ReplyError("the provider's content filter cut the reply")
    wrong = found = None
    for text in _first_object(reply.text) if reply.finish == "length" else _objects(reply.text):
        try:
            found = record.model_validate_json(text)
        except ValidationError as error:
            wrong = wrong or _first(error)
    if found is not None:
        return found
    if reply.finish == "length":
        raise ReplyError("the reply is longer than it may be and was cut")
    raise ReplyError(wrong or ("the reply is empty" if not reply.text.strip() else "the reply holds no JSON object"))


def _objects(text: str) -> Iterator[str]:
    """The objects of a reply, in the order of their starts; all of it, where it is braces that hold none."""
    text = text[:_LONGEST].strip()
    start, found = text.find("{"), False
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            break
        end = _end_of_object(text, start)
        if end is not None:
            found = True
            yield text[start:end]
        start = text.find("{", end or start + 1)
    if not found and text.startswith("{") and text.endswith("}"):
        yield text


def _first_object(text: str) -> Iterator[str]:
    """The object with which a reply begins, be it within a code fence, if no other one begins behind it."""
    text = text[:_LONGEST].strip()
    if fence := _FENCE.match(text):
        text = text[fence.end() :]
    end = _end_of_object(text, 0) if text.startswith("{") else None
    if end is not None and "{" not in text[end:]:
        yield text[:end]


def _end_of_object(text: str, start: int) -> int | None:
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return end


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        # the model made this name up: it may say anything, at any length
        field = as_data(field[:_LONGEST_NAME])
    return f"field {field}: {first['msg']}" if field else as_data(first["msg"])
