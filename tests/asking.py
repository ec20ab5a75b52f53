"""What tests of the language-model layer share: requests, what servers answer, and the search for the API key."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from loopback import Answer, Request, completion

from dtomtrack.llm.chat import CallKey, ChatRequest, Message

__all__ = ["KEY", "ask", "body_of", "in_turn", "refused", "said_by", "until", "with_message"]

KEY = "sk-loopback-7f3a9c51e2d84b60"


def ask(text: str = "Where is the cat?", *, slot: int = 0, name: str = "turn 0", **more: Any) -> ChatRequest:
    """A request; ``more`` are its other fields."""
    return replace(ChatRequest(CallKey(f"slot {slot}", name), (Message("user", text),), max_tokens=50), **more)


def refused(status: int, message: str = "", headers: Mapping[str, str] | None = None, **more: str) -> Answer:
    """An error in the form in which OpenAI gives it; ``more`` goes beside the message."""
    body = {"error": {"message": message, **more}}
    return Answer(json.dumps(body).encode(), status=status, headers=headers or {})


def with_message(**message: Any) -> Answer:
    """A chat completion with these fields in its message."""
    body = body_of(completion("x"))
    body["choices"][0]["message"] = {"role": "assistant", **message}
    return Answer(json.dumps(body).encode())


def body_of(answer: Answer) -> dict[str, Any]:
    """The body of an answer, to be changed."""
    read: dict[str, Any] = json.loads(answer.body)
    return read


def in_turn(*answers: Answer) -> Any:
    """Answers one after another; the last one for ever."""
    left = list(answers)

    def answer(_: Request) -> Answer:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def said_by(error: BaseException) -> str:
    """All that an exception and those behind it show to whoever prints them, shown or hidden."""
    return "\n".join(
        f"{one} {one!r} {one.args!r} {vars(one)!r} {''.join(traceback.format_exception(one))}" for one in _chain(error)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if error.__cause__ is not None and error.__cause__ is not error.__context__:
            yield from _chain(error.__cause__)
        error = error.__context__


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something."""
    while True:
        if happened():
            return
        await asyncio.sleep(0.001)
