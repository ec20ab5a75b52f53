"""Settings of clients: how models are asked, which changes nothing about their answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from dtomtrack.llm.budget import Budget
from dtomtrack.options import MOST_AT_ONCE

__all__ = ["ClientSettings"]

_Rate = Annotated[float | None, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True)
class ClientSettings:
    """How models are asked.

    Attributes:
        concurrency: calls to a model at once.
        slots: of a local server, where it says how many it has: no more dialogues are under way at once, since each
            slot keeps the prefix of one.
        gguf_threads: threads that compute a model in this process; None for one a core.
        gguf_context: tokens of prompt and reply that one call to it may take.
        requests_per_minute, tokens_per_minute: to a model; None for no limit.
        timeout: seconds that one try of a call may take.
        max_reply_mb: megabytes (2**20 bytes) that one answer of a server may have, decompressed; more is a fault.
        tries: of a call, before the run stops.
        first_pause: seconds before the second try, where the server doesn't say; doubled each time.
        hedge_after: seconds that a call may take before it is made a second time, however fast calls usually are.
        max_cost, max_tokens_total: the most that a run may take over all its sessions, in US dollars and in tokens;
            None for no limit.
        prices: a file of prices that go before the built-in ones.
        fresh_journal: whether a damaged journal is put aside, and a new one begun with what of it can be read.
    """

    concurrency: Annotated[int, Field(ge=1, le=MOST_AT_ONCE)] = 16
    requests_per_minute: _Rate = None
    tokens_per_minute: _Rate = None
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 300.0
    max_reply_mb: Annotated[float, Field(ge=0.001, le=1024)] = 16.0
    tries: int = 8
    first_pause: float = 0.5
    hedge_after: float = 2.0
    max_cost: Annotated[float | None, Field(ge=0.0, le=1e9)] = None
    max_tokens_total: Annotated[int | None, Field(ge=0, le=10**15)] = None
    prices: Path | None = None
    fresh_journal: bool = False
    slots: int | None = None
    gguf_threads: Annotated[int | None, Field(ge=1, le=1024)] = None
    gguf_context: Annotated[int, Field(ge=256, le=2**20)] = 8192

    @property
    def budget(self) -> Budget:
        """The limits of the run."""
        return Budget(self.max_cost, self.max_tokens_total)

    @property
    def max_reply_bytes(self) -> int:
        """The same limit in bytes."""
        return int(self.max_reply_mb * 2**20)

    def share(self, number: int, processes: int) -> ClientSettings:
        """The part of one of several processes: of the calls at once, at least one, and of the rates.

        Args:
            number: of the process, from 0.
        """
        own = self.concurrency // processes + (number < self.concurrency % processes)
        requests, tokens = self.requests_per_minute, self.tokens_per_minute
        return replace(
            self,
            concurrency=max(1, own),
            requests_per_minute=None if requests is None else requests / processes,
            tokens_per_minute=None if tokens is None else tokens / processes,
        )
