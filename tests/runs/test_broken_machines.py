"""Workers that die before they are ready, and recoveries that go wrong: the run goes on, or ends with a sentence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dtomtrack.errors import WorkerError
from dtomtrack.runs.crew import Crew
from dtomtrack.runs.manifest import Counts
from dtomtrack.runs.messages import Assignment, Filled, Lost, Ready, ShardName, Slots
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace


class Letters:
    """What a crew asks of a job."""

    client = None

    def max_concurrency(self, workers: int) -> int:
        """Slots of a worker at once."""
        return 1


class Machine:
    """A worker of a machine that is broken, or fills slots with a letter."""

    def __init__(self, hear: Callable[[object], None], *, broken: bool) -> None:
        self._hear = hear
        message = Lost("its disk is full") if broken else Ready()
        asyncio.get_running_loop().call_soon(hear, message)

    def send(self, message: object) -> bool:
        """A message to the worker."""
        if isinstance(message, Slots):
            for index in message.indices:
                done = Filled((SlotLines(index, {"letters": b"x\n"}, Counts()),))
                asyncio.get_running_loop().call_later(0.01, self._hear, done)
        return True

    async def end(self, *, merged: bool) -> None:
        """Nothing is left of it."""


class Machines:
    """Staff of which those of some numbers are broken."""

    spare = 1
    replaces = True

    def __init__(self, *broken: int) -> None:
        self._broken = broken
        self.started = 0

    def start(self, assignment: Assignment, hear: Callable[[object], None]) -> Machine:
        """Start one."""
        self.started += 1
        return Machine(hear, broken=assignment.number in self._broken)

    async def recover(self, shard: ShardName) -> None:
        """Nothing was stored."""

    async def discard(self, shard: ShardName) -> None:
        """Nothing is there."""


async def filled(staff: Machines, workers: int) -> int:
    job: Any = Letters()
    crew = Crew(job, range(100), Workplace(), workers, staff)
    async with asyncio.timeout(60):
        return len([lines async for lines in crew.lines()])


@pytest.mark.parametrize(("broken", "workers"), [((1,), 2), (tuple(range(8)), 16)])
async def test_broken_machines_are_left_alone_while_others_work(broken: tuple[int, ...], workers: int) -> None:
    staff = Machines(*broken)
    assert await filled(staff, workers) == 100
    assert staff.started < workers + 8 * len(broken)


async def test_a_run_whose_machines_are_all_broken_ends() -> None:
    with pytest.raises(WorkerError, match="workers die again and again; the last one: its disk is full"):
        await filled(Machines(0, 1), 2)
