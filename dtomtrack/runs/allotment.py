"""Which slots of a run are given to workers, and what has come of them and waits for its turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dtomtrack.runs.in_order import WINDOW
from dtomtrack.runs.messages import Slots
from dtomtrack.runs.slot_lines import SlotLines

__all__ = ["Allotment"]

_AROUND = 2048
"""Bytes that a slot takes beside its lines."""


class Allotment:
    """The slots of a run: each is given out, perhaps again if a worker died, filled, and taken in its turn.

    Args:
        materials: what has to be known of each slot beside its number; where they end, so do the slots.
    """

    def __init__(self, slots: range, materials: Iterator[object] | None) -> None:
        self._slots = slots
        self._next = slots.start
        self._materials = materials
        self._given: dict[int, object] = {}
        self._returned: list[int] = []
        self._filled: dict[int, SlotLines] = {}
        self._waiting = 0

    @property
    def first(self) -> int:
        """The first slot."""
        return self._slots.start

    def has(self, index: int) -> bool:
        """Whether there is such a slot."""
        return index < self._slots.stop

    def is_filled(self, index: int) -> bool:
        """Whether a slot is filled and waits for its turn."""
        return index in self._filled

    def give(self, most: int) -> Slots:
        """The next slots; where those that wait for their turn take too much memory, only what they wait for."""
        if self._returned:
            indices, self._returned = self._returned[:most], self._returned[most:]
            return self._with_materials(tuple(indices), begun=True)
        if self._waiting >= WINDOW:
            return Slots(())
        self._draw(most)
        first, self._next = self._next, min(self._next + most, self._slots.stop)
        return self._with_materials(tuple(range(first, self._next)))

    def give_again(self, indices: Iterable[int]) -> None:
        """Slots of a worker that died go to others, before all new ones."""
        self._returned = sorted({*self._returned, *indices})

    def fill(self, slots: Sequence[SlotLines]) -> None:
        """Slots are filled; they wait for their turn."""
        self._filled.update((slot.index, slot) for slot in slots)
        self._waiting += sum(map(_size_of, slots))
        for slot in slots:
            self._given.pop(slot.index, None)

    def take(self, index: int) -> SlotLines:
        """The lines of a slot that is filled, whose turn it is."""
        lines = self._filled.pop(index)
        self._waiting -= _size_of(lines)
        return lines

    def _draw(self, most: int) -> None:
        """Draw the materials of the next slots; where they end, so do the slots."""
        if self._materials is None:
            return
        wanted = range(self._next, min(self._next + most, self._slots.stop))
        drawn = dict(zip(wanted, self._materials, strict=False))
        self._given |= drawn
        if len(drawn) < len(wanted):
            self._slots = range(self._slots.start, self._next + len(drawn))

    def _with_materials(self, indices: tuple[int, ...], *, begun: bool = False) -> Slots:
        if self._materials is None:
            return Slots(indices, begun)
        return Slots(indices, begun, tuple(self._given[index] for index in indices))


def _size_of(lines: SlotLines) -> int:
    """Bytes that lines take while they wait, with all that is around them."""
    return lines.size() + _AROUND
