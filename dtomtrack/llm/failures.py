"""Failures of calls, by what can be done about them.

TransientError       another try may help: too many requests, a server error, a timeout, a dropped connection
└─ EmptyReplyError   an answer with nothing in it, which is the reply if it stays so
SchemaError          the server can't keep a reply to a JSON Schema, or its model broke it: ask in words
ContentFilterError   the provider won't answer this prompt: a reply with nothing in it
RefusedRequestError  this request won't be answered, others may be: a prompt longer than the context window, a bad field
any other ModelError final: wrong key, no such model, quota used up, a prompt longer than the context window

An exception of a transport library never passes the client's border: its ``repr`` may hold the API key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from dtomtrack.errors import ModelError
from dtomtrack.llm.chat import ChatReply, ChatRequest

__all__ = [
    "ContentFilterError",
    "EmptyReplyError",
    "RefusedRequestError",
    "SchemaError",
    "TransientError",
    "failure",
    "longest_pause",
    "retry_after",
    "shown",
    "without_schema",
]

_LONGEST_PAUSE = 600.0
_FIRST_PAUSE = 60.0
"""Seconds that one answer may ask for; twice as many each time that it is said again."""
_SHOWN = 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_CONTEXT = re.compile(
    r"context[ _](?:size|length|window)|maximum context|max_model_len|prompt is too long|too many tokens"
)
_FILTER = re.compile(r"content[ _](?:filter|policy|management)|responsibleai|safety system")
_SCHEMA = re.compile(r"response_format|json_schema|json schema|grammar|structured output|guided")
_BROKEN = "does not match the expected"
"""The words of llama.cpp, with status 500, when its model breaks the schema."""
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|insufficient credit|billing")
_KEY = re.compile(r"\b(?:api[ _-]?)?keys?\b|apikey|authentica|authori[sz]|permission|credential")
"""Words in a 403 that is about the key; others are about a country, a model or a prompt."""
_THIS_REQUEST = frozenset({400, 413, 422})
_AGAIN = frozenset({408, 409, 425, 429})


class TransientError(ModelError):
    """Another try may help.

    Attributes:
        after: seconds that the server asks to wait, if it does.
        nobody_there: no connection came about.
        no_api: a page for people came, where an API answers JSON.
        status: of the answer, if there was one.
    """

    def __init__(
        self,
        message: str,
        *,
        after: float | None = None,
        nobody_there: bool = False,
        no_api: bool = False,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.after = after
        self.nobody_there = nobody_there
        self.no_api = no_api
        self.status = status


class EmptyReplyError(TransientError):
    """An answer with nothing in it, where there should be something.

    Attributes:
        reply: the answer.
    """

    def __init__(self, message: str, reply: ChatReply) -> None:
        super().__init__(message)
        self.reply = reply


class SchemaError(ModelError):
    """The server can't keep a reply to a JSON Schema (``lasting``), or its model broke it this time."""

    def __init__(self, message: str, *, lasting: bool) -> None:
        super().__init__(message)
        self.lasting = lasting


class RefusedRequestError(ModelError):
    """This request won't be answered; others may be."""


class ContentFilterError(ModelError):
    """The provider won't answer this prompt."""


def failure(
    model: str, where: str, key_name: str | None, status: int, headers: Mapping[str, str], body: str
) -> ModelError:
    """The failure that an answer without success means.

    Args:
        model: as users name it.
        where: address of the server.
        key_name: environment variable that the key comes from, if there is one.
        body: of the answer, with the key taken out.
    """
    said = body.lower()
    told = f"{model}: {where} answered {status}"
    if status == 401 or (status == 403 and _KEY.search(said)):
        hint = (
            f"set {key_name} to a key that it takes" if key_name else "it wants a key, which this provider doesn't send"
        )
        return ModelError(f"{told}: the key was refused; {hint} ({shown(body)})")
    if status == 402 or (status == 429 and _QUOTA.search(said)):
        return ModelError(f"{told}: the quota is used up ({shown(body)}); top it up and give the same command again")
    if status == 500 and _BROKEN in said:
        return SchemaError(f"{told}: {shown(body)}", lasting=False)
    if status in _AGAIN or status >= 500:
        return TransientError(f"{told} ({shown(body)})", after=retry_after(headers), status=status)
    if status == 404:
        return ModelError(f"{told}: no such model or address there ({shown(body)}); check the name and --base-url")
    if 300 <= status < 400:
        return ModelError(f"{told}: it redirects, and the key goes nowhere else; give its own address with --base-url")
    if _CONTEXT.search(said):
        return RefusedRequestError(
            f"{told}: the prompt is longer than the model's context window ({shown(body)}); "
            "take a larger window or shorter dialogues"
        )
    if _FILTER.search(said):
        return ContentFilterError(f"{told}: {shown(body)}")
    if _SCHEMA.search(said):
        return SchemaError(f"{told}: {shown(body)}", lasting=True)
    if status in _THIS_REQUEST:
        return RefusedRequestError(f"{told}: {shown(body)}")
    return ModelError(f"{told}: {shown(body)}")


def without_schema(error: ModelError, request: ChatRequest) -> ModelError:
    """The error as a request without a schema has to take it: then no schema can be at fault."""
    if request.schema is not None or not isinstance(error, SchemaError):
        return error
    return RefusedRequestError(str(error)) if error.lasting else TransientError(str(error), status=500)


def shown(text: str) -> str:
    """The beginning of what a server said, fit for a terminal."""
    clean = _CONTROL.sub(" ", text).strip()
    return clean if len(clean) <= _SHOWN else f"{clean[:_SHOWN]}..."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a ``Retry-After`` header asks to wait, given as seconds or as a date (RFC 9110, 10.2.3).

    A date is compared with the server's own, for this machine's clock may be wrong.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    given = lower.get("retry-after")
    if given is None:
        return None
    try:
        seconds = float(given)
    except ValueError:
        date = _date(given)
        if date is None:
            return None
        seconds = (date - (_date(lower.get("date", "")) or datetime.now(UTC))).total_seconds()
    if seconds != seconds:
        return None
    return min(max(seconds, 0.0), _LONGEST_PAUSE)


def longest_pause(asked: int) -> float:
    """Seconds that a server is believed to want to be left in peace.

    Args:
        asked: how often it has said so in a row, this time included.
    """
    return min(_FIRST_PAUSE * 2.0 ** (min(asked, 10) - 1), _LONGEST_PAUSE)


def _date(given: str) -> datetime | None:
    """The time that a header tells, if it is one with its offset from UTC."""
    try:
        date = parsedate_to_datetime(given)
    except (ValueError, TypeError, OverflowError):
        return None
    return date if date.tzinfo is not None else None
