"""A place where a job is worked on: one process of a run, and what the run gives it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import ModelSpecError
from dtomtrack.llm.tracing import RunTrace
from dtomtrack.llm.usage import UsageTotals

if TYPE_CHECKING:
    from dtomtrack.llm.budget import Reservation
    from dtomtrack.llm.clients import Clients
    from dtomtrack.llm.journal import ReplyStore
from dtomtrack.llm.settings import ClientSettings

__all__ = ["Workplace"]


@dataclass(frozen=True)
class Workplace:
    """One process of a run.

    Attributes:
        journal: the file that keeps the replies of models; None where nothing is kept.
        totals: sums over the calls of models, kept up to date while the job goes on.
        reservation: the watch over the budget; None where there is none.
        number: of the process, from 0.
        workers: how many processes share the limits of the run.
        shard: what keeps the replies instead of the journal, where that is on another machine.
        trace: the run, as logs and spans know it.
        materials: what the run gave with slots that are not filled yet, beside their numbers; whoever fills one takes
            it from here.
    """

    journal: Path | None = None
    totals: UsageTotals = field(default_factory=UsageTotals)
    reservation: Reservation | None = None
    number: int = 0
    workers: int = 1
    shard: ReplyStore | None = None
    trace: RunTrace = field(default_factory=RunTrace)
    materials: dict[int, object] = field(default_factory=dict)

    @asynccontextmanager
    async def clients(self, settings: ClientSettings) -> AsyncIterator[Clients]:
        """Language models, with this process's share of the run's limits.

        Raises:
            DatasetError, WriteError: the journal can't be used.
            ModelSpecError: the file of prices can't be used.
        """
        # imported late: runs without models don't need it
        from dtomtrack.llm.clients import Clients
        from dtomtrack.llm.journal import Journal

        journal = self.shard if self.journal is None else Journal(self.journal)
        share = settings.share(self.number, self.workers)
        try:
            opened = Clients(share, journal, totals=self.totals, reservation=self.reservation, run=self.trace)
        except ModelSpecError:
            if journal is not None:
                await journal.close()
            raise
        async with opened as clients:
            yield clients
