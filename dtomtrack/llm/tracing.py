"""Traces: to which piece of work of which run a call belongs, in the ids of W3C Trace Context.

A trace is one piece of work: a slot of a dataset, an item as it is shown once. Its id follows from the id of the run
and from which piece it is, the id of a call from its key. Whichever process makes a call, and in whichever session of
the run, it has the same ids.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from dtomtrack.llm.chat import CallKey

__all__ = ["CallIds", "RunTrace", "SpanIds", "fields_of_log", "logging_as", "working_on"]

_TRACE, _SPAN = 16, 8
"""Bytes of an id."""


@dataclass(frozen=True, slots=True)
class SpanIds:
    """The ids of something that begins and ends: 32 and 16 hexadecimal digits."""

    trace: str
    span: str


@dataclass(frozen=True, slots=True)
class CallIds(SpanIds):
    """The ids of a call.

    Attributes:
        parent: the span of the piece of work that it is made for; None outside of any.
    """

    parent: str | None = None


@dataclass(frozen=True, slots=True)
class RunTrace:
    """A run, as traces know it.

    Attributes:
        id: the run's, the same in all its sessions: 32 hexadecimal digits, which are also the trace of its own spans.
        session: the span of this session.
    """

    id: str = field(default_factory=lambda: secrets.token_hex(_TRACE))
    session: str = field(default_factory=lambda: secrets.token_hex(_SPAN))

    @property
    def ids(self) -> SpanIds:
        """The ids of this session."""
        return SpanIds(self.id, self.session)

    def ids_of_piece(self, piece: str) -> SpanIds:
        """The ids of a piece of work."""
        return SpanIds(_id(_TRACE, self.id, piece), _id(_SPAN, self.id, piece, "span"))

    def ids_of_call(self, call: CallKey) -> CallIds:
        """The ids of a call; outside of any piece of work, its unit is the piece."""
        span = _id(_SPAN, self.id, call.unit, call.purpose, call.try_)
        piece = _PIECE.get()
        if piece is None:
            return CallIds(_id(_TRACE, self.id, call.unit), span)
        return CallIds(piece.trace, span, piece.span)


_PIECE: ContextVar[SpanIds | None] = ContextVar("piece", default=None)
_CALL: ContextVar[SpanIds | None] = ContextVar("call", default=None)


def _id(size: int, *named: object) -> str:
    """An id of so many bytes that follows from what it names."""
    return hashlib.sha256(json.dumps(named).encode()).digest()[:size].hex()


@contextmanager
def working_on(piece: SpanIds) -> Iterator[None]:
    """Calls that are made meanwhile belong to this piece of work."""
    before = _PIECE.set(piece)
    try:
        yield
    finally:
        _PIECE.reset(before)


@contextmanager
def logging_as(call: SpanIds) -> Iterator[None]:
    """Lines of the log are about this call meanwhile."""
    before = _CALL.set(call)
    try:
        yield
    finally:
        _CALL.reset(before)


def fields_of_log() -> dict[str, str]:
    """The ids of the call that is under way here, as records of the log have them."""
    call = _CALL.get()
    return {} if call is None else {"trace_id": call.trace, "span_id": call.span}
