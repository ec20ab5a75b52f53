"""Requests and replies as bodies of the OpenAI chat-completions API, in the dialect of the server.

What a server can't do is asked for in words, which keeps one prompt for all of them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from dtomtrack.llm.beginnings import new_part
from dtomtrack.llm.chat import ChatReply, ChatRequest, Finish, Message, Usage
from dtomtrack.llm.encoding import encodable
from dtomtrack.llm.failures import EmptyReplyError, TransientError
from dtomtrack.llm.prompts import as_data
from dtomtrack.llm.spec import Dialect
from dtomtrack.llm.tokens import estimated_usage

__all__ = ["from_body", "in_words", "schema_in_words", "to_body"]

_MOST_LOGPROBS = 20
_LLAMA_CPP_LOGPROBS = 200
"""A letter that is not among those listed counts for nothing, and llama.cpp lists any number in no time."""
_MOST_TOKENS = 10**9
"""A call can't take more: whoever counts so many has not counted."""
_NO_LOGPROB = 0.5
"""Servers that round give a sure token a hair more than 0; what is far above is no logarithm of a probability."""
_FINISHES: dict[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    "refusal": "refusal",
}
_BROKEN_OFF = frozenset({"error", "abort", "aborted", "cancelled", "canceled"})
"""How a reply finishes that the server gave up, whatever there is of it."""
_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)\b[^<>]*(?:>|\Z)|\[(/?)THINK\]", re.IGNORECASE)
_SPOKEN_PARTS = frozenset({"text", "output_text"})
_GOES_ON = frozenset({Dialect.VLLM, Dialect.LLAMA_CPP})


def to_body(request: ChatRequest, model: str, dialect: Dialect) -> dict[str, Any]:
    """The body of a request."""
    if request.continues and dialect not in _GOES_ON:
        request = in_words(request)
    limit = "max_completion_tokens" if dialect is Dialect.OPENAI else "max_tokens"
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "temperature": request.temperature,
        "top_p": request.top_p,
        limit: request.max_tokens,
    }
    if dialect is Dialect.LLAMA_CPP:
        # it samples from the forty likeliest tokens where nobody says otherwise
        body |= {"top_k": 0, "min_p": 0.0}
    if request.seed is not None:
        body["seed"] = request.seed
    if request.continues and dialect is Dialect.VLLM:
        body |= {"add_generation_prompt": False, "continue_final_message": True}
    if request.schema is not None:
        schema = {"name": "reply", "schema": request.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.choices:
        body |= {"logprobs": True, "top_logprobs": _MOST_LOGPROBS}
        if dialect is Dialect.LLAMA_CPP:
            body["top_logprobs"] = _LLAMA_CPP_LOGPROBS
            body["grammar"] = f"root ::= {' | '.join(json.dumps(choice) for choice in request.choices)}"
    return body


def in_words(request: ChatRequest) -> ChatRequest:
    """The same request for a server that can't go on from a partial reply: its beginning is asked for in words."""
    if not request.continues:
        return request
    *before, beginning = request.messages
    asked = f"Begin your reply with exactly these words and go on from there: {as_data(beginning.content)}"
    return replace(request, messages=_said_last(before, asked), continues=False)


def schema_in_words(request: ChatRequest) -> ChatRequest:
    """The same request for a server that can't keep to a JSON Schema: it is asked for in words."""
    asked = (
        f"Answer with one JSON object that follows this JSON Schema, and nothing else:\n{json.dumps(request.schema)}"
    )
    return replace(request, messages=_said_last(request.messages, asked), schema=None)


def _said_last(messages: Sequence[Message], asked: str) -> tuple[Message, ...]:
    last = messages[-1]
    if last.role == "assistant":
        return (*messages, Message("user", asked))
    return (*messages[:-1], Message(last.role, f"{last.content}\n\n{asked}"))


def from_body(body: object, request: ChatRequest) -> ChatReply:
    """The reply in the body of an answer.

    Raises:
        TransientError: it holds none.
        EmptyReplyError: it holds one with nothing in it, though nothing kept the model from going on.
    """
    try:
        choice = body["choices"][0]  # type: ignore[index]
        message = choice["message"]
        content = message.get("content")
        whole = _text(content)
        refusal = message.get("refusal")
        reason = choice.get("finish_reason") or "stop"
        finish = _FINISHES.get(reason, "stop")
        given_up = bool(choice.get("error")) or reason in _BROKEN_OFF
    except (KeyError, IndexError, TypeError, AttributeError):
        raise TransientError("the answer holds no chat completion") from None
    if given_up:
        raise TransientError("the server broke the reply off")
    if isinstance(refusal, str) and refusal:
        whole, finish = encodable(refusal), "refusal"
    text = _without_thinking(whole, request)
    if request.continues:
        text = new_part(text, request.messages[-1].content)
    if finish == "length" and text.strip() in request.choices:
        finish = "stop"
    reply = ChatReply(
        text=text,
        finish=finish,
        usage=_usage(body, request, whole),
        probabilities=_probabilities(choice.get("logprobs"), request.choices) if request.choices else None,
    )
    # nothing more may be just what a continuation needs
    may_be_empty = request.continues and content is not None
    if reply.finish == "stop" and not whole.strip() and not may_be_empty:
        raise EmptyReplyError("the answer is empty", reply)
    return reply


def _text(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content if part.get("type", "text") in _SPOKEN_PARTS)
    if not isinstance(content, str):
        raise TypeError
    return encodable(content)


def _without_thinking(text: str, request: ChatRequest) -> str:
    """The part of a reply that a reasoning model says once it has thought."""
    start, end = _said_between(text)
    said = text[start:end]
    if start == 0:
        return said
    # what goes on from a beginning stays apart from its last word
    return f" {said.lstrip()}" if request.continues and said[:1].isspace() else said.lstrip()


def _said_between(text: str) -> tuple[int, int]:
    """From the end of the last thought, whether it was opened or not, to where one begins that is not closed."""
    start, end = 0, len(text)
    for tag in _THINKING.finditer(text):
        if tag[1] or tag[2]:
            start, end = tag.end(), len(text)
        else:
            end = min(end, tag.start())
    return start, end


def _usage(body: object, request: ChatRequest, text: str) -> Usage:
    told = body.get("usage") if isinstance(body, Mapping) else None
    try:
        counted = Usage(int(told["prompt_tokens"]), int(told["completion_tokens"]))  # type: ignore[index]
    except (KeyError, TypeError, ValueError, OverflowError):
        return estimated_usage(request, text)
    likely = 0 <= counted.prompt_tokens < _MOST_TOKENS and 0 <= counted.completion_tokens < _MOST_TOKENS
    return counted if likely else estimated_usage(request, text)


def _probabilities(logprobs: object, choices: Sequence[str]) -> dict[str, float] | None:
    """The probability of each letter where the one stands that is answered, out of those that were likely there at all.

    None where the tokens are read as no letter: "A careful reader" begins with a word.
    """
    try:
        tokens = _tokens_said(logprobs["content"])  # type: ignore[index]
        letter = _answered("".join(token["token"] for token in tokens), choices)
        place = next(token for token in tokens if token["token"].strip() == letter)
        likely = [(one["token"].strip(), float(one["logprob"])) for one in place["top_logprobs"]]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, StopIteration):
        return None
    sums = dict.fromkeys(choices, 0.0)
    for token, logprob in likely:
        if token in sums and logprob < _NO_LOGPROB:
            sums[token] += math.exp(min(logprob, 0.0))
    total = sum(sums.values())
    return {choice: share / total for choice, share in sums.items()} if total > 0 else None


def _answered(text: str, choices: Sequence[str]) -> str | None:
    if text.strip() in choices:
        return text.strip()
    # imported late: most models answer a letter, and reading takes long to load
    from dtomtrack.items.replies import read_answer

    return read_answer(text, {choice: choice for choice in choices})


def _tokens_said(tokens: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The tokens without those of thinking, in which letters stand too."""
    start, end = _said_between("".join(token["token"] for token in tokens))
    ends = accumulate(len(token["token"]) for token in tokens)
    return [token for token, at in zip(tokens, ends, strict=True) if start < at <= end]
