"""Who fills the slots: this process, or several worker processes.

Scripted dialogues are pure computation, so that processes help; with a language model it is the waiting that takes
time, and one process does. Either way slots come in order and with the same content.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import connection, get_context, parent_process

from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.errors import WorkerError
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.slot_result import SlotLines

__all__ = ["Job", "produce"]

_CHUNK = 16
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
    from dtomtrack.suites.dtom.generation import build_context, fill_slots

    context = build_context(job.config, job.packs, job.scenarios)
    async with aclosing(fill_slots(context, job.config, range(start, stop), job.concurrency)) as filled:
        async for slot in filled:
            yield slot.lines()


async def _in_workers(job: Job, start: int, stop: int, workers: int) -> AsyncGenerator[SlotLines, None]:
    chunks = ((first, min(first + _CHUNK, stop)) for first in range(start, stop, _CHUNK))
    loop = asyncio.get_running_loop()
    running: deque[asyncio.Future[list[SlotLines]]] = deque()
    # with each chunk, not when a process starts: a start that carries as much blocks for good if the process dies
    packed = pickle.dumps(job)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker)
    finished = False
    try:
        for first, last in chunks:
            with _interrupts_blocked():
                chunk = loop.run_in_executor(pool, _work, packed, first, last)
            chunk.add_done_callback(_take_note)
            running.append(chunk)
            if len(running) >= workers * _AHEAD:
                for lines in await running.popleft():
                    yield lines
        while running:
            for lines in await running.popleft():
                yield lines
        finished = True
    except BrokenProcessPool as error:
        raise WorkerError("a worker process died, perhaps for want of memory; fewer --workers need less") from error
    finally:
        # taken before the pool forgets them; there is no public way
        processes = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        if not finished:
            # one that waits for what a killed one held would keep this process from ending
            for process in processes:
                process.kill()


def _take_note(chunk: asyncio.Future[list[SlotLines]]) -> None:
    """The first chunk that fails ends the run; of the others nobody needs to hear."""
    if not chunk.cancelled():
        chunk.exception()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that start within leave Ctrl-C to their parent: a blocked signal is blocked in them from the start."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """A worker whose parent is killed ends by itself."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(packed: bytes, start: int, stop: int) -> list[SlotLines]:
    return asyncio.run(_filler(packed)(start, stop))


@lru_cache(maxsize=1)
def _filler(packed: bytes) -> Callable[[int, int], Coroutine[None, None, list[SlotLines]]]:
    """What fills the slots of a job, ready for use, once in each worker."""
    from dtomtrack.suites.dtom.generation import build_context, fill_slots

    job: Job = pickle.loads(packed)  # noqa: S301 - from the parent process
    context = build_context(job.config, job.packs, job.scenarios)

    async def fill(start: int, stop: int) -> list[SlotLines]:
        return [slot.lines() async for slot in fill_slots(context, job.config, range(start, stop), job.concurrency)]

    return fill
