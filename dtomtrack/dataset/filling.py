"""Filling slots: attempts until a dialogue is kept, in slot order, as many at once as asked for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping

from dtomtrack.dataset.filled import FilledSlot
from dtomtrack.graphs.roleplay import Attempt, Workshop, play
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.schema import Rejection, RunConfig, Scenario

__all__ = ["fill_slot", "fill_slots", "open_workshop"]


def open_workshop(packs: Mapping[str, DomainPack], scenarios: Mapping[int, Scenario] | None = None) -> Workshop:
    """A workshop for these domains."""
    return Workshop({name: Domain(pack) for name, pack in packs.items()}, scenarios)


async def fill_slot(workshop: Workshop, config: RunConfig, index: int) -> FilledSlot:
    """Try a slot until a dialogue is kept or its attempts are used up."""
    rejections: list[Rejection] = []
    for number in range(config.max_attempts):
        attempt: Attempt = {
            "domains": list(config.domains),
            "seed": config.seed,
            "index": index,
            "attempt": number,
            "length": config.turns,
        }
        outcome = await play(workshop, attempt)
        rejections += outcome.rejections
        if outcome.dialogue is not None:
            return FilledSlot(index, outcome.dialogue, outcome.questions, tuple(rejections))
    rejections.append(
        Rejection(
            slot=index,
            attempt=config.max_attempts - 1,
            generator=config.generator,
            stage="slot",
            reason="attempts used up",
            detail=f"{config.max_attempts} of {config.max_attempts}",
        )
    )
    return FilledSlot(index, None, (), tuple(rejections))


async def fill_slots(
    workshop: Workshop, config: RunConfig, indices: Iterable[int], concurrency: int
) -> AsyncGenerator[FilledSlot, None]:
    """Fill slots, at most ``concurrency`` at once, and yield them in the order of ``indices``."""
    left = iter(indices)
    running: deque[asyncio.Task[FilledSlot]] = deque()

    def start_next() -> None:
        index = next(left, None)
        if index is not None:
            running.append(asyncio.create_task(fill_slot(workshop, config, index)))

    try:
        for _ in range(concurrency):
            start_next()
        while running:
            filled = await running[0]
            running.popleft()
            start_next()
            yield filled
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
