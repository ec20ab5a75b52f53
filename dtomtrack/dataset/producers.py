"""Who fills the slots: this process, or several worker processes.

Scripted dialogues are pure computation, so that processes help; with a language model it is the waiting that takes
time, and one process does. Either way slots come in order and with the same content.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process

from dtomtrack.dataset.filled import SlotLines
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.schema import RunConfig, Scenario

__all__ = ["Job", "produce"]

_CHUNK = 8
_AHEAD = 3
"""Chunks under way for each worker: enough that none waits, few enough that memory stays flat."""


@dataclass(frozen=True)
class Job:
    """What all slots of a run have in common."""

    config: RunConfig
    packs: Mapping[str, DomainPack]
    scenarios: Mapping[int, Scenario] | None
    concurrency: int


async def produce(job: Job, start: int, stop: int, workers: int) -> AsyncGenerator[SlotLines, None]:
    """Slots ``start`` to ``stop - 1``, in order."""
    slots = _in_workers(job, start, stop, workers) if workers > 1 else _in_this_process(job, start, stop)
    async with aclosing(slots):
        async for lines in slots:
            yield lines


async def _in_this_process(job: Job, start: int, stop: int) -> AsyncGenerator[SlotLines, None]:
    # imported late: LangGraph takes half a second, and a run with workers doesn't need it here
    from dtomtrack.dataset.filling import fill_slots, open_workshop

    workshop = open_workshop(job.packs, job.scenarios)
    async with aclosing(fill_slots(workshop, job.config, range(start, stop), job.concurrency)) as filled:
        async for slot in filled:
            yield slot.lines()


async def _in_workers(job: Job, start: int, stop: int, workers: int) -> AsyncGenerator[SlotLines, None]:
    chunks = ((first, min(first + _CHUNK, stop)) for first in range(start, stop, _CHUNK))
    loop = asyncio.get_running_loop()
    running: deque[asyncio.Future[list[SlotLines]]] = deque()
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker, (job,))
    try:
        for chunk in chunks:
            running.append(loop.run_in_executor(pool, _work, *chunk))
            if len(running) >= workers * _AHEAD:
                for lines in await running.popleft():
                    yield lines
        while running:
            for lines in await running.popleft():
                yield lines
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_fill: Callable[[int, int], list[SlotLines]] | None = None


def _begin_worker(job: Job) -> None:
    """Ctrl-C is the parent's business; a worker whose parent is killed ends by itself."""
    global _fill
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from dtomtrack.dataset.filling import fill_slots, open_workshop

    workshop = open_workshop(job.packs, job.scenarios)

    async def collect(start: int, stop: int) -> list[SlotLines]:
        return [slot.lines() async for slot in fill_slots(workshop, job.config, range(start, stop), job.concurrency)]

    _fill = lambda start, stop: asyncio.run(collect(start, stop))  # noqa: E731


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(start: int, stop: int) -> list[SlotLines]:
    if _fill is None:
        raise RuntimeError("a worker process was not begun with a job")
    return _fill(start, stop)
