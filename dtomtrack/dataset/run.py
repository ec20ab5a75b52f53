"""A run: slots from the producers into a dataset folder, with a manifest and a card."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from dtomtrack.dataset.card import card
from dtomtrack.dataset.folder import DatasetFolder
from dtomtrack.dataset.producers import Job, produce
from dtomtrack.errors import DatasetError
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.schema import FORMAT_VERSION, Counts, Manifest, RunConfig, Scenario
from dtomtrack.version import VERSION

__all__ = ["Progress", "RunRequest", "run"]

_MANIFEST_EVERY = 5.0
"""Seconds between manifests of a run under way: what a kill can take from the total time."""

Status = Literal["running", "complete", "incomplete", "interrupted"]


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    wanted: int
    counts: Counts


@dataclass(frozen=True)
class RunRequest:
    """What is to be made, and how.

    Attributes:
        n: how many slots are to be filled.
        scenarios: scenarios to be played as they are, by slot.
        command: what the user typed, for the manifest.
        workers: processes; with 1, all is done in this one.
        concurrency: dialogues under way at once in each process.
    """

    config: RunConfig
    packs: Mapping[str, DomainPack]
    n: int
    out: Path
    scenarios: Mapping[int, Scenario] | None = None
    command: str = ""
    workers: int = 1
    concurrency: int = 8


async def run(request: RunRequest, report: Callable[[Progress], None] | None = None) -> Manifest:
    """Fill all slots of a request, going on where an earlier run of the same request stopped.

    Raises:
        DatasetError: the folder holds another run.
        WriteError: it can't be written; what is there is safe.
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
        folder.write_manifest(_manifest(request, folder, clock, "running"))
        status: Status = "interrupted"
        try:
            await _fill(request, folder, clock, report)
            status = "incomplete" if folder.counts.unfilled else "complete"
        finally:
            manifest = _manifest(request, folder, clock, status)
            if status != "interrupted":
                folder.write_text("README.md", card(manifest, request.packs))
            folder.write_manifest(manifest)
        return manifest


async def _fill(
    request: RunRequest, folder: DatasetFolder, clock: _Clock, report: Callable[[Progress], None] | None
) -> None:
    job = Job(request.config, request.packs, request.scenarios, request.concurrency)
    saved = time.monotonic()
    async with aclosing(produce(job, folder.done, request.n, request.workers)) as slots:
        async for lines in slots:
            folder.append(lines)
            if report is not None:
                report(Progress(folder.done, request.n, folder.counts))
            if time.monotonic() - saved > _MANIFEST_EVERY:
                saved = time.monotonic()
                folder.write_manifest(_manifest(request, folder, clock, "running"))
            # in one process nothing else gives a cancellation the chance to come in
            await asyncio.sleep(0)


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


def _manifest(request: RunRequest, folder: DatasetFolder, clock: _Clock, status: Status) -> Manifest:
    return Manifest(
        format_version=FORMAT_VERSION,
        dtomtrack_version=VERSION,
        status=status,
        command=request.command,
        config=request.config,
        n=request.n,
        counts=folder.counts,
        models={"scenario": request.config.generator, "actors": request.config.generator, "verifiers": "rules"},
        sessions=clock.sessions,
        started=clock.started,
        finished=None if status == "running" else _now(),
        seconds=clock.seconds(),
    )
