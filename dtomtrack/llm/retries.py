"""Retries: the one place where a call is tried again.

Too many requests, server errors, timeouts and dropped connections are tried again, after what the server asks for or
with exponential backoff and jitter; what asks for less than that is believed once. A server that says "too many
requests" slows all calls down, not one. What is asked in a JSON Schema and fails with a server error is given up
sooner, to be asked in words: some servers answer 500 because their own model broke the schema.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    wait_exponential,
    wait_random,
)

from dtomtrack.errors import ModelError
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Usage
from dtomtrack.llm.completions import schema_in_words
from dtomtrack.llm.failures import EmptyReplyError, SchemaError, TransientError, longest_pause
from dtomtrack.llm.tracing import fields_of_log

__all__ = ["Pausing", "Peace", "Retrying", "SchemaInWords"]

_TRIES_FOR_SCHEMA = 3
_TRIES_TO_REACH = 3
_TRIES_AT_A_PAGE = 2
_SERVER_ERROR = 500
_TOO_MANY = 429

_log = logging.getLogger("dtomtrack.llm")


class Peace:
    """The time in which a server wants to be left in peace, whoever it was that it told so.

    One answer is believed for a minute, longer ones only when it is repeated. What asks for more than that holds up
    nobody else once a reply comes in that was asked for before.

    Args:
        pause: seconds, where the server says "too many requests" and not for how long, or for no time at all.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._resume_at = 0.0
        self._asked = 0
        self._beyond_belief = False
        self._resumed = asyncio.Event()

    async def over(self) -> float:
        """Wait until the server may be asked; gives the time."""
        clock = asyncio.get_running_loop().time
        while (left := self._resume_at - clock()) > 0:
            # somebody else may be told to wait longer meanwhile
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._resumed.wait()
            self._resumed.clear()
        return clock()

    def refused(self, started: float, now: float, error: TransientError) -> None:
        """A call that was made at a time has failed."""
        pause = self._pause if not error.after and error.status == _TOO_MANY else error.after
        if not pause:
            return
        if started >= self._resume_at:
            # not one of those that were under way when it was said last
            self._asked += 1
        most = longest_pause(self._asked)
        self._beyond_belief = pause > most
        self._resume_at = max(self._resume_at, now + min(pause, most))

    def answered(self, started: float, now: float) -> None:
        """A call that was made at a time has its reply."""
        if started >= self._resume_at:
            self._asked = 0
        elif self._beyond_belief:
            self._resume_at, self._beyond_belief = now, False
            self._resumed.set()


class Pausing:
    """A model that nobody asks while its server wants to be left in peace."""

    def __init__(self, inner: ChatModel, peace: Peace) -> None:
        self._inner = inner
        self._peace = peace

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, once the server may be asked.

        Raises:
            TransientError: it wants to be left in peace, or something else that may pass.
        """
        clock = asyncio.get_running_loop().time
        started = await self._peace.over()
        try:
            reply = await self._inner.chat(request)
        except TransientError as error:
            self._peace.refused(started, clock(), error)
            raise
        self._peace.answered(started, clock())
        return reply


class Retrying:
    """A model that is asked again when another try may help.

    Args:
        tries: how often one call is tried at most.
        first_pause: seconds before the second try, where the server doesn't say; doubled each time.
        longest_pause: seconds, at most, where it doesn't ask for more.
        count: called at each retry with why it is needed.
        spend: called with what empty answers took, where no reply comes after them that counts it.
    """

    def __init__(
        self,
        inner: ChatModel,
        *,
        tries: int = 8,
        first_pause: float = 0.5,
        longest_pause: float = 60.0,
        count: Callable[[str], None] = lambda _: None,
        spend: Callable[[Usage], None] = lambda _: None,
    ) -> None:
        self._inner = inner
        self._tries = tries
        self._spend = spend
        self._first_pause = first_pause
        self._backoff = wait_exponential(multiplier=first_pause, max=longest_pause) + wait_random(0, first_pause)
        self._count = count
        self._reached = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, however many tries it takes; an empty one where all are empty.

        Raises:
            SchemaError: the server keeps failing with this schema.
            ModelError: the tries are used up, or another won't help.
        """
        try:
            return await self._try(request)
        except TransientError as error:
            return await self._again(request, error)

    async def _try(self, request: ChatRequest) -> ChatReply:
        reply = await self._inner.chat(request)
        self._reached = True
        return reply

    async def _again(self, request: ChatRequest, first: TransientError) -> ChatReply:
        unused: TransientError | None = first
        broken = [first.status == _SERVER_ERROR]
        empty: list[Usage] = []

        async def once_more() -> ChatReply:
            nonlocal unused
            try:
                if unused is not None:
                    error, unused = unused, None
                    raise error
                return await self._try(request)
            except TransientError as error:
                broken.append(error.status == _SERVER_ERROR)
                if isinstance(error, EmptyReplyError):
                    empty.append(error.reply.usage)
                raise

        retrying = AsyncRetrying(
            stop=lambda state: (
                state.attempt_number >= self._tries or self._hopeless(request, state, only_broken=all(broken))
            ),
            wait=self._pause,
            retry=retry_if_exception_type(TransientError),
            before_sleep=lambda state: self._note(request, state),
            reraise=True,
        )
        try:
            reply: ChatReply = await retrying(once_more)
            return replace(reply, usage=sum(empty, reply.usage))
        except EmptyReplyError as error:
            return replace(error.reply, usage=sum(empty[:-1], error.reply.usage))
        except BaseException as error:
            self._spend(sum(empty, Usage(0, 0)))
            if not isinstance(error, TransientError):
                raise
            # other faults among them would tell of the server, not of the schema
            if request.schema is not None and all(broken):
                raise SchemaError(str(error), lasting=False) from None
            raise ModelError(f"{error}; tried {retrying.statistics['attempt_number']} times") from None

    def _note(self, request: ChatRequest, state: RetryCallState) -> None:
        """Count a retry and log it, without what the server said."""
        error = state.outcome.exception() if state.outcome is not None else None
        status = error.status if isinstance(error, TransientError) else None
        why = "no answer" if status is None else str(status)
        self._count(f"{why}, next try in {state.upcoming_sleep:.0f} s")
        again = "%s: %s %s, asked again in %.1f s"
        _log.info(again, request.call, self.name, why, state.upcoming_sleep, extra=fields_of_log())

    def _hopeless(self, request: ChatRequest, state: RetryCallState, *, only_broken: bool) -> bool:
        """Whether fewer tries than usual are enough."""
        error = state.outcome.exception() if state.outcome is not None else None
        if not isinstance(error, TransientError):
            return False
        if error.nobody_there and not self._reached:
            return state.attempt_number >= _TRIES_TO_REACH
        if error.no_api and not self._reached:
            return state.attempt_number >= _TRIES_AT_A_PAGE
        schema_broken = request.schema is not None and only_broken
        return schema_broken and state.attempt_number >= _TRIES_FOR_SCHEMA

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        if isinstance(error, EmptyReplyError):
            return self._first_pause
        if not isinstance(error, TransientError) or error.after is None:
            return self._backoff(state)
        asked = min(error.after, longest_pause(state.attempt_number))
        # who says "at once" again and again, or a time that is over, is not believed twice
        return asked if state.attempt_number == 1 else max(asked, self._backoff(state))


class SchemaInWords:
    """A model that is asked for a JSON Schema in words where its server has none, or its model broke it."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner
        self._lacks_schemas = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, by schema if possible."""
        if request.schema is None:
            return await self._inner.chat(request)
        if not self._lacks_schemas:
            try:
                return await self._inner.chat(request)
            except SchemaError as error:
                self._lacks_schemas = self._lacks_schemas or error.lasting
        return await self._inner.chat(schema_in_words(request))
