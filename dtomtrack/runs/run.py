"""A run: slots from the producers into a dataset folder, with a manifest and a card."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import DatasetError, ModelSpecError
from dtomtrack.runs.engines import Job, produce
from dtomtrack.runs.folder import DatasetFolder
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.suites.dtom.card import card
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import SlotLines
from dtomtrack.version import VERSION

if TYPE_CHECKING:
    from dtomtrack.llm.ledger import Ledger
    from dtomtrack.suites.dtom.stage_models import Cast

__all__ = ["Progress", "RunRequest", "run"]

_MANIFEST_EVERY = 5.0
"""Seconds between manifests of a run under way: what a kill can take from the total time."""

Status = Literal["running", "complete", "incomplete", "interrupted"]


_TICK = 0.5
"""Seconds between reports of a run with models, beside the one after each slot."""


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``ledger`` has the books of its models, if it has any."""

    done: int
    wanted: int
    counts: Counts
    ledger: Ledger | None = None


@dataclass(frozen=True)
class RunRequest:
    """What is to be made, and how.

    Attributes:
        n: how many slots are to be filled.
        scenarios: scenarios to be played as they are, by slot.
        command: what the user typed, for the manifest.
        workers: processes; with 1, all is done in this one.
        concurrency: dialogues under way at once in each process.
        cast: the language models, where any take part; then all is done in this process.
    """

    config: RunConfig
    packs: Mapping[str, DomainPack]
    n: int
    out: Path
    scenarios: Mapping[int, Scenario] | None = None
    command: str = ""
    workers: int = 1
    concurrency: int = 8
    cast: Cast | None = None


async def run(request: RunRequest, report: Callable[[Progress], None] | None = None) -> Manifest:
    """Fill all slots of a request, going on where an earlier run of the same request stopped.

    Raises:
        DatasetError: the folder holds another run.
        WriteError: it can't be written; what is there is safe.
        ModelError: a model gives no answer, or the budget is spent; what is there is safe.
        asyncio.CancelledError: the run was cancelled; what is there is safe, and the manifest says "interrupted".
    """
    with DatasetFolder(request.out, request.config, VERSION) as folder:
        if folder.done > request.n:
            raise DatasetError(f"{request.out}: holds {folder.done} slots, more than {request.n}; choose another --out")
        before = folder.previous
        if before is not None and folder.done == request.n and before.status in {"complete", "incomplete"}:
            return before
        folder.cut_tails()
        clock = _Clock(before)
        books = _Books(before)
        folder.write_manifest(_manifest(request, folder, clock, books, "running"))
        status: Status = "interrupted"
        try:
            async with _slots(request, folder, books) as slots:
                await _fill(request, folder, slots, clock, books, report)
            status = "incomplete" if folder.counts.unfilled else "complete"
        finally:
            manifest = _manifest(request, folder, clock, books, status)
            if status != "interrupted":
                folder.write_text("README.md", card(manifest))
            folder.write_manifest(manifest)
        return manifest


class _Books:
    """What models took: as the manifest before told it, until the journal is open and knows better."""

    def __init__(self, before: Manifest | None) -> None:
        self.ledger: Ledger | None = None
        self._before = before

    def told(self) -> dict[str, float]:
        """For the manifest."""
        if self.ledger is not None:
            ledger = self.ledger
            return {
                "calls": ledger.calls,
                "tokens": ledger.tokens,
                "estimated_calls": ledger.estimated,
                "cost": round(ledger.cost, 6),
            }
        before = self._before
        if before is None:
            return {}
        return {name: getattr(before, name) for name in ("calls", "tokens", "estimated_calls", "cost")}


@asynccontextmanager
async def _slots(
    request: RunRequest, folder: DatasetFolder, books: _Books
) -> AsyncIterator[AsyncGenerator[SlotLines, None]]:
    """Who fills the slots that are left: language models with their journal, or this program's own processes."""
    if request.cast is None:
        job = Job(request.config, request.packs, request.scenarios, request.concurrency)
        async with aclosing(produce(job, folder.done, request.n, request.workers)) as slots:
            yield slots
        return
    # imported late: scripted runs don't need them
    from dtomtrack.llm.clients import Clients
    from dtomtrack.llm.journal import JOURNAL, Journal
    from dtomtrack.suites.dtom.stage_models import produce_with_models

    journal = Journal(folder.path / JOURNAL, folder.done)
    try:
        opened = Clients(request.cast.client, journal)
    except ModelSpecError:
        await journal.close()
        raise
    async with opened as clients:
        books.ledger = clients.ledger
        made = produce_with_models(
            request.config, request.packs, request.scenarios, request.cast, clients, folder.done, request.n
        )
        async with aclosing(made) as slots:
            yield slots


async def _fill(
    request: RunRequest,
    folder: DatasetFolder,
    slots: AsyncGenerator[SlotLines, None],
    clock: _Clock,
    books: _Books,
    report: Callable[[Progress], None] | None,
) -> None:
    def tell() -> None:
        if report is not None:
            report(Progress(folder.done, request.n, folder.counts, books.ledger))

    saved = time.monotonic()
    async with _ticking(tell if books.ledger is not None else None):
        async for lines in slots:
            folder.append(lines)
            tell()
            if time.monotonic() - saved > _MANIFEST_EVERY:
                saved = time.monotonic()
                folder.write_manifest(_manifest(request, folder, clock, books, "running"))
            # in one process nothing else gives a cancellation the chance to come in
            await asyncio.sleep(0)


@asynccontextmanager
async def _ticking(tell: Callable[[], None] | None) -> AsyncIterator[None]:
    """Report again and again meanwhile: with models a slot takes long."""

    async def tick() -> None:
        while tell is not None:
            tell()
            await asyncio.sleep(_TICK)

    ticker = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticker.cancel()
        with suppress(asyncio.CancelledError):
            await ticker


class _Clock:
    """Times of a run over all its sessions."""

    def __init__(self, before: Manifest | None) -> None:
        self.started = before.started if before else _now()
        self.sessions = before.sessions + 1 if before else 1
        self._earlier = before.seconds if before else 0.0
        self._since = time.monotonic()

    def seconds(self) -> float:
        return round(self._earlier + time.monotonic() - self._since, 3)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _manifest(request: RunRequest, folder: DatasetFolder, clock: _Clock, books: _Books, status: Status) -> Manifest:
    casting = request.config.models
    return Manifest(
        format_version=1,
        dtomtrack_version=VERSION,
        status=status,
        command=request.command,
        config=request.config.model_dump(mode="json"),
        n=request.n,
        counts=folder.counts,
        models={
            "scenario": (casting and casting.scenario) or "scripted",
            "actors": (casting and casting.actor) or "scripted",
            "verifiers": (casting and casting.verifier) or "rules",
        },
        **books.told(),
        calibration=folder.previous.calibration if folder.previous else (),
        sessions=clock.sessions,
        started=clock.started,
        finished=None if status == "running" else _now(),
        seconds=clock.seconds(),
    )
