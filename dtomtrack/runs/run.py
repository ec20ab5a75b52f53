"""A run: slots from an engine into a dataset folder, with a manifest and a card."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.llm.spans import run_span
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.records import Record
from dtomtrack.runs.edited import refuse_edited, warn_if_edited
from dtomtrack.runs.engines import Engine
from dtomtrack.runs.job import Job
from dtomtrack.runs.leftovers import without_leftovers
from dtomtrack.runs.manifest import Counts, Manifest, Status
from dtomtrack.runs.run_folder import RunFolder
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace
from dtomtrack.version import VERSION

__all__ = ["Progress", "run"]

_MANIFEST_EVERY = 5.0
"""Seconds between manifests of a run under way: what a kill can take from the total time."""
_TICK = 0.5
"""Seconds between reports of a run with models, beside the one after each slot."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        usage: sums over the calls of its models, if it has any.
    """

    done: int
    wanted: int
    counts: Counts
    usage: UsageTotals | None = None


Report = Callable[[Progress], None]


async def run(
    job: Job,
    engine: Engine,
    *,
    n: int,
    out: Path,
    command: str = "",
    report: Report | None = None,
    records: Mapping[str, type[Record]] | None = None,
) -> Manifest:
    """Fill the slots of a dataset, going on where an earlier run of the same job stopped.

    Args:
        n: how many slots are to be filled.
        out: the folder.
        command: the user's command line, for the manifest.
        report: called after every slot, and with models now and then between them.
        records: of the lines of each data file, where they are written as Parquet; None for JSON lines.

    Raises:
        DatasetError: the folder holds another run, or a dataset that was edited since it was finished.
        InputError: the engine or a model can't be had as it is asked for; a run that had not begun leaves nothing.
        WriteError: it can't be written; what is there is safe.
        ModelError: a model gives no answer, or the budget is spent; what is there is safe.
        asyncio.CancelledError: the run was cancelled; what is there is safe, and the manifest says "interrupted".
    """
    with without_leftovers(out), RunFolder(out, job.suite, job.config, job.files, VERSION, records) as folder:
        if folder.held > n:
            raise DatasetError(f"{out}: holds {folder.held} slots, more than {n}; choose another --out")
        before = folder.previous
        if before is not None and before.status in {"complete", "incomplete"}:
            if folder.done == n and not folder.gets_more_attempts:
                warn_if_edited(out, before.files)
                return before
            refuse_edited(out, before.files)
        folder.prepare()
        return await _Run(job, n, folder, command, report).work(engine)


class _Run:
    """One session of a run."""

    def __init__(self, job: Job, n: int, folder: RunFolder, command: str, report: Report | None) -> None:
        self._job = job
        self._n = n
        self._folder = folder
        self._command = command
        self._report = report
        self._clock = _Clock(folder.previous)
        # until the journal is open and knows better
        self._usage = _usage_of(folder.previous)

    async def work(self, engine: Engine) -> Manifest:
        """Fill what is left."""
        folder = self._folder
        status: Status = "interrupted"
        folder.write_manifest(self._manifest("running"))
        try:
            slots = range(folder.done, self._n)
            place = self._workplace()
            with run_span(place.trace, {"dtomtrack.suite": self._job.suite, "dtomtrack.slots": self._n}):
                async with aclosing(engine.map(self._job, slots, place)) as filled, self._ticking():
                    try:
                        await self._write(filled)
                    finally:
                        folder.flush()
            status = "incomplete" if folder.counts.unfilled else "complete"
        finally:
            manifest = self._manifest(status)
            if status != "interrupted":
                folder.write_text("README.md", self._job.card(manifest))
            folder.write_manifest(manifest)
        return manifest

    def _workplace(self) -> Workplace:
        """This process, with the journal and the budget of the run where models take part."""
        client = self._job.client
        if client is None:
            return Workplace()
        # imported late: runs without models don't need them
        from dtomtrack.llm.budget import reservation_for
        from dtomtrack.llm.journal import JOURNAL, journal_totals
        from dtomtrack.llm.journal_run import run_of_journal

        journal = self._folder.path / JOURNAL
        self._usage = journal_totals(journal, fresh=client.fresh_journal)
        reservation = reservation_for(client.budget, self._usage)
        return Workplace(journal, self._usage, reservation, trace=run_of_journal(journal))

    async def _write(self, filled: AsyncGenerator[SlotLines, None]) -> None:
        saved = time.monotonic()
        async for lines in filled:
            self._folder.append(lines)
            self._tell()
            if time.monotonic() - saved > _MANIFEST_EVERY:
                saved = time.monotonic()
                self._folder.write_manifest(self._manifest("running"))
            # in one process nothing else gives a cancellation the chance to come in
            await asyncio.sleep(0)

    def _tell(self) -> None:
        if self._report is None:
            return
        usage = None if self._job.client is None else self._usage
        self._report(Progress(self._folder.done, self._n, self._folder.counts, usage))

    @asynccontextmanager
    async def _ticking(self) -> AsyncIterator[None]:
        """Report again and again meanwhile where models take part: then a slot takes long."""
        if self._job.client is None:
            yield
            return

        async def tick() -> None:
            while True:
                self._tell()
                await asyncio.sleep(_TICK)

        ticker = asyncio.create_task(tick())
        try:
            yield
        finally:
            ticker.cancel()
            with suppress(asyncio.CancelledError):
                await ticker

    def _manifest(self, status: Status) -> Manifest:
        job, folder, usage = self._job, self._folder, self._usage
        return Manifest(
            format_version=job.format_version,
            dtomtrack_version=VERSION,
            suite=job.suite,
            status=status,
            command=self._command,
            config=job.config.model_dump(mode="json"),
            n=self._n,
            counts=folder.saved,
            files=folder.digests,
            data_format=folder.data_format,
            models=dict(job.stages),
            calls=usage.calls,
            tokens=usage.tokens,
            estimated_calls=usage.estimated,
            cost=round(usage.cost, 6),
            calibration=folder.previous.calibration if folder.previous else (),
            sessions=self._clock.sessions,
            started=self._clock.started,
            finished=None if status == "running" else _now(),
            seconds=self._clock.seconds(),
        )


def _usage_of(manifest: Manifest | None) -> UsageTotals:
    """The sums that a manifest tells, with all tokens in one of them."""
    if manifest is None:
        return UsageTotals()
    return UsageTotals(
        calls=manifest.calls,
        prompt_tokens=manifest.tokens,
        estimated=manifest.estimated_calls,
        cost=manifest.cost,
    )


class _Clock:
    """Times of a run over all its sessions."""

    def __init__(self, before: Manifest | None) -> None:
        self.started = before.started if before else _now()
        self.sessions = before.sessions + 1 if before else 1
        self._earlier = before.seconds if before else 0.0
        self._since = time.monotonic()

    def seconds(self) -> float:
        """Seconds that all sessions took together."""
        return round(self._earlier + time.monotonic() - self._since, 3)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
