"""A second try for calls that hang: what takes several times the usual is asked again, and the first reply counts.

The time that is usual is that of the calls before it that may be as long. What was answered and not used is counted
with the call.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import copy_context
from dataclasses import replace

from dtomtrack.errors import ModelError
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest
from dtomtrack.llm.failures import EmptyReplyError
from dtomtrack.llm.tracing import fields_of_log
from dtomtrack.llm.waiting import Alarms, Leavable

__all__ = ["Hedged"]

_REMEMBERED = 50
_ENOUGH = 8
"""Calls before it is known how long they usually take."""
_SLOW = 0.9
"""The share of the calls that take no longer than the one whose time is usual."""
_TIMES = 4.0

_log = logging.getLogger("dtomtrack.llm")

Holding = Callable[[ChatRequest], AbstractAsyncContextManager[object]]
"""Sets aside what a call may take."""


class Hedged:
    """A model that is asked a second time where the first takes several times the usual.

    Args:
        again: asks it the second time, within the limits of the first.
        least: seconds that a call may take in any case.
        most: second tries at once.
        hold: entered around a second try.
        count: called at each with why it is needed.
    """

    def __init__(
        self,
        inner: ChatModel,
        again: ChatModel,
        *,
        least: float = 2.0,
        most: int = 2,
        hold: Holding = nullcontext,
        count: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._inner = inner
        self._again = again
        self._alarms = Alarms(least)
        self._permits = asyncio.Semaphore(most)
        self._hold = hold
        self._count = count
        self._seconds: defaultdict[int, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer that comes first."""
        return await _Call(self, request).reply()

    @property
    def inner(self) -> ChatModel:
        """Asked first."""
        return self._inner

    @property
    def alarms(self) -> Alarms:
        """They ring when a call has taken as long as any may, and as long again."""
        return self._alarms

    def learn(self, request: ChatRequest, seconds: float) -> None:
        """A call was answered after so long."""
        self._seconds[request.max_tokens].append(seconds)

    def patience(self, request: ChatRequest) -> float | None:
        """Seconds after which a call is asked again; None while nobody knows what is usual."""
        known = self._seconds.get(request.max_tokens, ())
        if len(known) < _ENOUGH:
            return None
        return max(self._alarms.seconds, _TIMES * sorted(known)[int(_SLOW * (len(known) - 1))])

    async def second(self, request: ChatRequest, asks: Callable[[], None]) -> ChatReply:
        """The reply to another try, once there is room for it; then this is called."""
        async with self._permits, self._hold(request):
            asks()
            self._count("no answer for long, asked a second time")
            _log.info("%s: %s takes long, asked a second time", request.call, self.name, extra=fields_of_log())
            return await self._again.chat(request)


class _Call:
    """A call that may be made twice."""

    def __init__(self, model: Hedged, request: ChatRequest) -> None:
        self._model = model
        self._request = request
        self._second: asyncio.Task[ChatReply] | None = None
        self._asks_second = False
        self._block = Leavable()

    async def reply(self) -> ChatReply:
        """The reply that comes first; a first try that fails leaves it to a second that is being asked.

        One that still waits is given up: what it waits for may be what the first has set aside.
        """
        self._started = asyncio.get_running_loop().time()
        # an alarm rings in the context of another call
        self._context = copy_context()
        failed: ModelError | None = None
        self._model.alarms.set(self._rings)
        try:
            with self._block:
                try:
                    return self._learnt(await self._model.inner.chat(self._request))
                except ModelError as error:
                    if not self._asks_second:
                        raise
                    failed = error
            return await self._left_to_second(failed)
        finally:
            self._model.alarms.clear(self._rings)
            if self._second is not None:
                self._second.cancel()

    def _learnt(self, reply: ChatReply) -> ChatReply:
        """The reply to the first try, from which is learnt how long calls take, with the tokens of a second's."""
        self._model.learn(self._request, asyncio.get_running_loop().time() - self._started)
        return reply if self._second is None else _with_other(reply, self._second)

    async def _left_to_second(self, failed: ModelError | None) -> ChatReply:
        if self._second is None:
            raise RuntimeError("the block is left for a second reply only")
        try:
            reply = await self._second
        except ModelError as error:
            raise failed or error from None
        # an empty answer was paid for, too
        return replace(reply, usage=reply.usage + failed.reply.usage) if isinstance(failed, EmptyReplyError) else reply

    def _rings(self) -> None:
        patience = self._model.patience(self._request)
        if patience is None or asyncio.get_running_loop().time() < self._started + patience:
            self._model.alarms.set(self._rings)
            return
        second = self._model.second(self._request, self._asked)
        self._second = asyncio.create_task(second, context=self._context)
        self._second.add_done_callback(self._answered)

    def _asked(self) -> None:
        self._asks_second = True

    def _answered(self, second: asyncio.Task[ChatReply]) -> None:
        if not second.cancelled() and second.exception() is None:
            self._block.leave()


def _with_other(reply: ChatReply, second: asyncio.Task[ChatReply]) -> ChatReply:
    """The reply to the first try, with the tokens of the second's if that came in as well."""
    if not second.done() or second.cancelled() or second.exception() is not None:
        return reply
    return replace(reply, usage=reply.usage + second.result().usage)
