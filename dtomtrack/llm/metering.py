"""Metering: a model whose tries keep within a budget, and whose calls are counted and logged without their words."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from dtomtrack.llm.budget import NOTHING, Reservation, Spending
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Usage
from dtomtrack.llm.failures import EmptyReplyError
from dtomtrack.llm.prices import Price
from dtomtrack.llm.prompt_scale import PromptScale
from dtomtrack.llm.spans import CallSpans, is_followed, of_reply
from dtomtrack.llm.tracing import fields_of_log, logging_as
from dtomtrack.llm.usage import UsageTotals

__all__ = ["Budgeted", "Metered", "Purse", "UnderWay"]

_log = logging.getLogger("dtomtrack.llm")


@dataclass(frozen=True)
class Purse:
    """The price of a model's calls, and the budget that they are kept within.

    Attributes:
        price: None where nobody knows it.
        reservation: None where there is no budget.
        scale: of the model's prompts.
    """

    price: Price | None = None
    reservation: Reservation | None = None
    scale: PromptScale = field(default_factory=PromptScale)

    def cost(self, usage: Usage) -> float:
        """The price of a call, in US dollars; 0 where nobody knows."""
        return self.price.of(usage) if self.price is not None else 0.0

    @asynccontextmanager
    async def hold(self, request: ChatRequest) -> AsyncIterator[Callable[[Usage], None]]:
        """Set aside what a call may take at most; gives what is to be called with what it took.

        Raises:
            BudgetError: the call might exceed the budget.
        """
        taken = NOTHING

        def take(usage: Usage) -> None:
            nonlocal taken
            taken = self._spending(usage)
            self.scale.learn(request, usage)

        if self.reservation is None:
            yield take
            return
        async with self.scale.known():
            most = self._spending(Usage(self.scale.most(request), request.max_tokens))
            await self.reservation.hold(most)
            try:
                yield take
            finally:
                self.reservation.release(most, taken)

    def _spending(self, usage: Usage) -> Spending:
        return Spending(usage.prompt_tokens + usage.completion_tokens, self.cost(usage))


@dataclass
class _AtServer:
    """How long a server has worked on a call, all its tries together, without the time between them."""

    seconds: float = 0.0
    tries: int = 0
    since: float = 0.0

    def begin(self) -> None:
        if self.tries == 0:
            self.since = time.monotonic()
        self.tries += 1

    def end(self) -> None:
        self.tries -= 1
        if self.tries == 0:
            self.seconds += time.monotonic() - self.since


_AT_SERVER: ContextVar[_AtServer | None] = ContextVar("at_server", default=None)
"""The time of the call that is logged; None where none is."""


@contextmanager
def _timed() -> Iterator[_AtServer]:
    """The time of the call that is made meanwhile."""
    clock = _AtServer()
    before = _AT_SERVER.set(clock)
    try:
        yield clock
    finally:
        _AT_SERVER.reset(before)


class UnderWay:
    """A model whose calls are counted while its server works on them, not while they wait for their turn."""

    def __init__(self, inner: ChatModel, totals: UsageTotals) -> None:
        self._inner = inner
        self._totals = totals

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer."""
        clock = _AT_SERVER.get()
        self._totals.in_flight += 1
        if clock is not None:
            clock.begin()
        try:
            return await self._inner.chat(request)
        finally:
            self._totals.in_flight -= 1
            if clock is not None:
                clock.end()


class Budgeted:
    """A model that is asked only where the budget has room for what that may take."""

    def __init__(self, inner: ChatModel, purse: Purse) -> None:
        self._inner = inner
        self._purse = purse

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, paid for; an empty one is, too.

        Raises:
            BudgetError: the try might exceed the budget.
        """
        async with self._purse.hold(request) as take:
            try:
                reply = await self._inner.chat(request)
            except EmptyReplyError as error:
                take(error.reply.usage)
                raise
            take(reply.usage)
        return reply


class Metered:
    """A model whose calls are counted, and logged without what they say.

    Args:
        purse: tells what they cost.
        spans: tells of each call to whoever wants to know more.
    """

    def __init__(self, inner: ChatModel, totals: UsageTotals, purse: Purse, spans: CallSpans) -> None:
        self._inner = inner
        self._totals = totals
        self._purse = purse
        self._spans = spans

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    def cost(self, usage: Usage) -> float:
        """The price of a call, in US dollars; 0 where nobody knows."""
        return self._purse.cost(usage)

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, counted."""
        self._totals.pending += 1
        try:
            return await self._counted(request)
        finally:
            self._totals.pending -= 1

    async def _counted(self, request: ChatRequest) -> ChatReply:
        reply = await (self._followed(request) if is_followed() else self._inner.chat(request))
        self._totals.count(reply.usage, self.cost(reply.usage))
        return reply

    async def _followed(self, request: ChatRequest) -> ChatReply:
        """The answer, of which the log and the spans tell."""
        ids = self._spans.ids_of(request)
        with logging_as(ids), self._spans.following(request, ids) as found, _timed() as clock:
            reply = await self._inner.chat(request)
            found |= of_reply(reply) | {"dtomtrack.call.server_seconds": clock.seconds}
            if self._purse.price is not None:
                found["dtomtrack.call.cost"] = self.cost(reply.usage)
            self._log(request, reply, clock.seconds)
        return reply

    def _log(self, request: ChatRequest, reply: ChatReply, seconds: float) -> None:
        """Log a call, with the seconds that the server took for it: not those that it waited for a permit."""
        _log.info(
            "%s: %s %s, %d + %d tokens, %.2f s",
            request.call,
            self.name,
            reply.finish,
            reply.usage.prompt_tokens,
            reply.usage.completion_tokens,
            seconds,
            extra=fields_of_log(),
        )
