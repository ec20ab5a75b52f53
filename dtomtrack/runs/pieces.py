"""Pieces of work as logs and spans tell of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from dtomtrack.llm.spans import is_followed, piece_span
from dtomtrack.llm.tracing import RunTrace

__all__ = ["followed"]

Result = TypeVar("Result")


def followed(fill: Callable[[int], Awaitable[Result]], run: RunTrace) -> Callable[[int], Awaitable[Result]]:
    """The same filler, whose calls belong to the slot that it fills, if anybody follows them."""
    if not is_followed():
        return fill

    async def fill_slot(index: int) -> Result:
        with piece_span(run, f"slot {index}", {"dtomtrack.slot": index}):
            return await fill(index)

    return fill_slot
