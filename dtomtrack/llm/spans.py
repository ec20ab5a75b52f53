"""Spans: what a run, a piece of its work or a call took, told to whoever wants to know.

They go by the logger `SPANS`, as lines of the log do by theirs, so that workers send both in the same way. Nobody
reads them there; `dtomtrack.llm.span_export` sends them on.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from dtomtrack.llm.chat import ChatReply, ChatRequest, Finish
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.tracing import CallIds, RunTrace, SpanIds, working_on

__all__ = [
    "SPANS",
    "AttributeValue",
    "CallSpans",
    "Span",
    "are_wanted",
    "is_followed",
    "of_reply",
    "piece_span",
    "run_span",
]

SPANS = "dtomtrack.spans"
"""The logger; its records have a `Span` as ``span``. At level DEBUG those of calls have what was said, too."""
_spans = logging.getLogger(SPANS)
# nothing to read: whoever wants them sets another level, and a handler
_spans.propagate = False
_spans.setLevel(logging.WARNING)

_log = logging.getLogger("dtomtrack.llm")

AttributeValue = str | int | float | bool | Sequence[str]
Attributes = Mapping[str, AttributeValue]

_FINISHES: Mapping[Finish, str] = {"filter": "content_filter"}
"""Reasons that OpenTelemetry names otherwise."""
_IN_PROCESS = "gguf"
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Span:
    """Something that began and ended.

    Attributes:
        name: the same for all of its kind.
        run: whose it is.
        start, end: nanoseconds since 1970, UTC.
        parent: the span that it is a part of, in the same trace.
        asks: whether a server was asked.
        error: the kind of error that it ended with; None where it did not.
    """

    name: str
    ids: SpanIds
    run: RunTrace
    start: int
    end: int
    attributes: Attributes
    parent: str | None = None
    asks: bool = False
    error: str | None = None


def are_wanted() -> bool:
    """Whether anybody wants spans."""
    return _spans.isEnabledFor(logging.INFO)


def is_followed() -> bool:
    """Whether anybody wants spans or lines of the log, so that calls have to be followed."""
    return are_wanted() or _log.isEnabledFor(logging.INFO)


def _tell(span: Span) -> None:
    _spans.info(span.name, extra={"span": span})


@contextmanager
def run_span(run: RunTrace, attributes: Attributes) -> Iterator[None]:
    """Tell of this session of a run, once it is over."""
    with _telling("run", run.ids, run, attributes):
        yield


@contextmanager
def piece_span(run: RunTrace, piece: str, attributes: Attributes) -> Iterator[None]:
    """Tell of a piece of work once it is done; calls that are made meanwhile belong to it.

    Args:
        piece: its kind and which it is: "slot 17".
    """
    ids = run.ids_of_piece(piece)
    with working_on(ids), _telling(piece.partition(" ")[0], ids, run, attributes):
        yield


@contextmanager
def _telling(name: str, ids: SpanIds, run: RunTrace, attributes: Attributes) -> Iterator[None]:
    start, error = time.time_ns(), None
    try:
        yield
    except BaseException as raised:
        error = type(raised).__name__
        raise
    finally:
        if are_wanted():
            _tell(Span(name, ids, run, start, time.time_ns(), attributes, error=error))


class CallSpans:
    """Tells of the calls of a model, with attributes as OpenTelemetry's conventions for generative AI have them.

    Args:
        spec: the model.
    """

    def __init__(self, run: RunTrace, spec: ModelSpec) -> None:
        self._run = run
        self._spec = spec

    def ids_of(self, request: ChatRequest) -> CallIds:
        """The ids of a call."""
        return self._run.ids_of_call(request.call)

    @contextmanager
    def following(self, request: ChatRequest, ids: CallIds) -> Iterator[dict[str, AttributeValue]]:
        """Tell of a call once it is over; gives what else there is to say of it, which may be added to."""
        if not are_wanted():
            yield {}
            return
        start, error = time.time_ns(), None
        found: dict[str, AttributeValue] = {}
        try:
            yield found
        except BaseException as raised:
            error = type(raised).__name__
            found["error.type"] = error
            raise
        finally:
            attributes = {**_of_request(self._spec, request), **found}
            name = f"chat {self._spec.name}"
            asks = self._spec.provider != _IN_PROCESS
            _tell(Span(name, ids, self._run, start, time.time_ns(), attributes, ids.parent, asks, error))


def of_reply(reply: ChatReply) -> dict[str, AttributeValue]:
    """The attributes of a reply."""
    said = {"gen_ai.output.messages": _said(reply)} if _with_words() else {}
    return {
        "gen_ai.response.finish_reasons": (_FINISHES.get(reply.finish, reply.finish),),
        "gen_ai.usage.input_tokens": reply.usage.prompt_tokens,
        "gen_ai.usage.output_tokens": reply.usage.completion_tokens,
        **said,
    }


def _of_request(spec: ModelSpec, request: ChatRequest) -> dict[str, AttributeValue]:
    call = request.call
    found: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": spec.provider,
        "gen_ai.request.model": spec.name,
        "gen_ai.request.max_tokens": request.max_tokens,
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.request.top_p": request.top_p,
        "dtomtrack.call.unit": call.unit,
        "dtomtrack.call.purpose": call.purpose,
        "dtomtrack.call.try": call.try_,
        **_of_server(spec),
    }
    if request.seed is not None:
        found["gen_ai.request.seed"] = request.seed
    if request.schema is not None:
        found["gen_ai.output.type"] = "json"
    if _with_words():
        found["gen_ai.input.messages"] = _asked(request)
    return found


def _of_server(spec: ModelSpec) -> dict[str, AttributeValue]:
    url = urlsplit(spec.base_url or "")
    if url.hostname is None:
        return {}
    return {"server.address": url.hostname, "server.port": url.port or _PORTS.get(url.scheme, 0)}


def _with_words() -> bool:
    return _spans.isEnabledFor(logging.DEBUG)


def _asked(request: ChatRequest) -> str:
    return json.dumps([{"role": one.role, "parts": _parts(one.content)} for one in request.messages])


def _said(reply: ChatReply) -> str:
    finish = _FINISHES.get(reply.finish, reply.finish)
    return json.dumps([{"role": "assistant", "parts": _parts(reply.text), "finish_reason": finish}])


def _parts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "content": text}]
