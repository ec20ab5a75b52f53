"""The engine ``local``: slots are filled in this process, several at once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from dtomtrack.errors import InputError
from dtomtrack.runs.engines import refuse_address
from dtomtrack.runs.garbage import rare_collections
from dtomtrack.runs.in_order import in_order
from dtomtrack.runs.job import Work
from dtomtrack.runs.pieces import followed
from dtomtrack.runs.shards import refuse_open_shards
from dtomtrack.runs.slot_lines import SlotLines
from dtomtrack.runs.workplace import Workplace

__all__ = ["LocalEngine", "engine"]


class LocalEngine:
    """Works in this process."""

    async def map(
        self, job: Work, slots: range, place: Workplace, materials: Iterator[object] | None = None
    ) -> AsyncGenerator[SlotLines, None]:
        """The lines of slots, in their order."""
        given = slots if materials is None else _handed_out(slots, materials, place)
        refuse_open_shards(place)
        with rare_collections():
            async with (
                job.open(place) as fill,
                aclosing(
                    in_order(followed(fill, place.trace), given, job.max_concurrency(1), SlotLines.size)
                ) as filled,
            ):
                async for lines in filled:
                    yield lines


def _handed_out(slots: range, materials: Iterator[object], place: Workplace) -> Iterator[int]:
    """The slots, each with its material in its place."""
    for index, material in zip(slots, materials, strict=False):
        place.materials[index] = material
        yield index


def engine(workers: int | None, address: str | None = None) -> LocalEngine:
    """The engine.

    Raises:
        InputError: more than one worker is asked for, or an address is given.
    """
    refuse_address("local", address)
    if workers is not None and workers > 1:
        raise InputError(f"workers is {workers}; the engine local has one, take processes for more")
    return LocalEngine()
