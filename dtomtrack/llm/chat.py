"""Requests to language models and their replies: the protocol that every transport and wrapper keeps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

__all__ = ["CallKey", "ChatModel", "ChatReply", "ChatRequest", "Finish", "Message", "Usage"]

Finish = Literal["stop", "length", "filter", "refusal"]
"""Why a reply ended: by itself, at ``max_tokens``, cut by the provider's content filter, or with a refusal."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class CallKey:
    """Names a call of a run: keeps two otherwise equal requests apart in the journal, and nobody reads its texts.

    Attributes:
        unit: the piece of work that the call is for, such as an attempt at a slot, or an item.
        purpose: the part of it that the call is for ("turn 4").
        try_: counts requests for the same purpose, from 0.
    """

    unit: str
    purpose: str
    try_: int = 0

    def seed(self, run_seed: int) -> int:
        """A sampling seed (31 bits) that depends on the run's seed and on the call alone."""
        named = json.dumps((run_seed, self.unit, self.purpose, self.try_)).encode()
        return int.from_bytes(hashlib.sha256(named).digest()[:4], "big") >> 1

    def next_try(self) -> CallKey:
        """The key of the request that follows for the same purpose."""
        return replace(self, try_=self.try_ + 1)

    def __str__(self) -> str:
        return f"{self.unit} {self.purpose} try {self.try_}"


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request to a model.

    Attributes:
        max_tokens: of the reply.
        schema: JSON Schema that the reply has to follow. Where the server can't constrain to it, it is asked for in
            words; either way the reply has to be checked (`dtomtrack.llm.structured`).
        choices: the reply is to be one of these letters, and nothing else; it comes with their probabilities where
            the server gives log-probabilities.
        continues: the last message is the assistant's and the reply goes on from its very end. Where the server can't
            do that, the beginning is asked for in words and taken off the reply.
    """

    call: CallKey
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int | None = None
    schema: Mapping[str, Any] | None = None
    choices: tuple[str, ...] = ()
    continues: bool = False

    @classmethod
    def asking(
        cls,
        call: CallKey,
        text: str,
        run_seed: int,
        max_tokens: int,
        *,
        temperature: float = 0.0,
        choices: Sequence[str] = (),
    ) -> ChatRequest:
        """A request of one message, with the seed that its call has in a run."""
        return cls(
            call=call,
            messages=(Message("user", text),),
            max_tokens=max_tokens,
            temperature=temperature,
            seed=call.seed(run_seed),
            choices=tuple(choices),
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call, of all its answers if it had several; ``estimated`` where the server did not count them."""

    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class ChatReply:
    """The answer of a model.

    Attributes:
        text: the reply; of a request that ``continues``, only what is new.
        probabilities: of a request with ``choices``, the probability of each among them (they sum to 1), or None where
            the server gives none.
    """

    text: str
    finish: Finish
    usage: Usage
    probabilities: Mapping[str, float] | None = None


class ChatModel(Protocol):
    """A language model, or something around one."""

    @property
    def name(self) -> str:
        """The name that users give it, provider first: "openai/gpt-4o-mini"."""
        ...

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer to one request.

        Raises:
            ModelError: no answer can be had, now or ever; the message says why and what to do.
        """
        ...
