"""Models, ready for use: a transport with its wrappers around it.

    Journaled( Metered( SchemaInWords( Retrying( Budgeted( Limited( Pausing( Hedged( UnderWay( transport )))))))))

Read from the outside: a reply that is in the journal costs nothing; any other is counted; a schema that the server
can't keep to is asked for in words; a call that may work at another try is tried again; each try is kept within the
budget; only the request itself holds a permit; while a server wants to be left in peace, it is; and a call that hangs
is made a second time, once there is money and a permit for it. What has nothing to do is left out: a budget that is
none, rates without limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from dtomtrack.errors import ModelSpecError
from dtomtrack.llm.budget import Reservation, reservation_for
from dtomtrack.llm.chat import ChatModel, ChatRequest
from dtomtrack.llm.hedging import Hedged
from dtomtrack.llm.journal import Journaled, ReplyStore
from dtomtrack.llm.limits import Limited, Rate, Rated, Rates
from dtomtrack.llm.metering import Budgeted, Metered, Purse, UnderWay
from dtomtrack.llm.own_model import OwnModel
from dtomtrack.llm.prices import Prices, load_prices
from dtomtrack.llm.retries import Pausing, Peace, Retrying, SchemaInWords
from dtomtrack.llm.server_slots import IN_PROCESS
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spans import CallSpans
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.tracing import RunTrace
from dtomtrack.llm.usage import UsageTotals

__all__ = ["Clients"]

_NEVER_TWICE = frozenset({"gguf", "llamacpp", "own"})
"""Models in this process, or on a server with a slot for each call: a second computation only slows down the first."""
_FOR_EACH_HEDGE = 8
"""Calls at once for each that may be made a second time."""


class Clients:
    """The models of a run, which share a journal, sums and a budget; use it as an async context manager.

    Args:
        journal: None where replies need not be kept.
        totals: where calls are counted; by default from what the journal holds.
        reservation: who watches over the budget; by default the budget of the settings, from what the totals say.
        run: as logs and spans know it; by default a new one.

    Attributes:
        totals: sums over the calls.
    """

    def __init__(
        self,
        settings: ClientSettings,
        journal: ReplyStore | None = None,
        *,
        totals: UsageTotals | None = None,
        reservation: Reservation | None = None,
        run: RunTrace | None = None,
    ) -> None:
        """Read the prices.

        Raises:
            ModelSpecError: the file of prices can't be used.
        """
        self._settings = settings
        self._journal = journal
        self._prices: Prices = load_prices(settings.prices)
        before = journal.before if journal is not None else UsageTotals()
        self.totals = replace(before) if totals is None else totals
        self._reservation = reservation or reservation_for(settings.budget, self.totals)
        self._run = run or RunTrace()
        self._open: dict[ModelSpec, ChatModel] = {}
        self._exits = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._exits.aclose()
        if self._journal is not None:
            await self._journal.close()

    async def open(self, model: ModelSpec | ChatModel) -> ChatModel:
        """A model with all its wrappers; the same for the same name.

        Args:
            model: by name, or one of the caller's own.

        Raises:
            ModelSpecError: it can't be used as it is named, or money is limited and its price unknown.
        """
        spec = model if isinstance(model, ModelSpec) else ModelSpec("own", model.name)
        if spec not in self._open:
            transport = await self._transport(model) if isinstance(model, ModelSpec) else OwnModel(model)
            self._open[spec] = self._wrapped(transport, spec)
        return self._open[spec]

    def _wrapped(self, transport: ChatModel, spec: ModelSpec) -> ChatModel:
        settings = self._settings
        price = self._prices.of(spec)
        if price is None and settings.budget.cost is not None:
            raise ModelSpecError(f"{spec.label}: its price is unknown, so --max-cost can't be kept; give --prices FILE")
        requests, tokens = settings.requests_per_minute, settings.tokens_per_minute
        rates = Rates(Rate(requests) if requests else None, Rate(tokens) if tokens else None)
        purse = Purse(price, self._reservation)
        peace = Peace(settings.first_pause)
        most = self._max_concurrency(spec)
        permits = asyncio.Semaphore(most)
        transport = UnderWay(transport, self.totals)
        if spec.provider not in _NEVER_TWICE:
            transport = Hedged(
                transport,
                _paced(transport, peace, rates),
                least=settings.hedge_after,
                most=max(1, most // _FOR_EACH_HEDGE),
                hold=partial(_room, purse, permits),
                count=self.totals.count_retry,
            )
        limited = Limited(_paced(transport, peace, rates), permits)
        retrying = Retrying(
            limited if self._reservation is None else Budgeted(limited, purse),
            tries=settings.tries,
            first_pause=settings.first_pause,
            count=self.totals.count_retry,
            spend=lambda usage: self.totals.spend(usage, purse.cost(usage)),
        )
        metered = Metered(SchemaInWords(retrying), self.totals, purse, CallSpans(self._run, spec))
        if self._journal is None:
            return metered
        return Journaled(metered, spec, self._journal, self.totals, metered.cost)

    async def _transport(self, spec: ModelSpec) -> ChatModel:
        # imported late: each brings a library that the others don't need
        timeout = self._settings.timeout
        if spec.provider == "gguf":
            from dtomtrack.llm.gguf import GgufModel

            model = GgufModel(
                spec,
                calls_at_once=self._max_concurrency(spec),
                context=self._settings.gguf_context,
                threads=self._settings.gguf_threads,
            )
            return await self._exits.enter_async_context(model)
        if spec.provider == "langchain":
            from dtomtrack.llm.langchain_chat import LangChainModel

            return await self._exits.enter_async_context(LangChainModel(spec, timeout))
        from dtomtrack.llm.openai_chat import OpenAIChat

        return await self._exits.enter_async_context(OpenAIChat(spec, timeout, self._settings.max_reply_bytes))

    def _max_concurrency(self, spec: ModelSpec) -> int:
        """Calls at once: to a model in this process, each has memory of its own for its context."""
        most = self._settings.concurrency
        return min(most, IN_PROCESS) if spec.provider == "gguf" else most


def _paced(transport: ChatModel, peace: Peace, rates: Rates) -> ChatModel:
    """A model that is asked no faster than its server and the user want."""
    pausing = Pausing(transport, peace)
    return Rated(pausing, rates) if rates != Rates() else pausing


@asynccontextmanager
async def _room(purse: Purse, permits: asyncio.Semaphore, request: ChatRequest) -> AsyncIterator[None]:
    """Money and a permit for one more try, in the order in which every call takes them."""
    async with purse.hold(request), permits:
        yield
