"""As many questions of each kind of change, and of each value at a turn: then no rule by turn or value helps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from dtomtrack.items.item import Item
from dtomtrack.suites.trajectories.questions import UPDATE, AskedItem

__all__ = ["balanced"]


def balanced(asked: Sequence[AskedItem]) -> Iterator[Item]:
    """The items to keep; the questions about one change stay together, and those without a cell all stay.

    Cells of values are kept only if every value occurs in them.
    """
    kept = {unit for cell in _cells(asked).values() for unit in _balanced(cell)}
    for one in asked:
        if one.cell is None or _unit(one) in kept:
            yield one.item


def _unit(one: AskedItem) -> str:
    """What stays or goes as a whole: a change, or an item."""
    return one.item.joint.get(UPDATE, one.item.id)


_Cell = dict[tuple[str, ...], dict[str, None]]
"""By label, the units that have it."""


def _cells(asked: Sequence[AskedItem]) -> dict[tuple[str, ...], _Cell]:
    cells: dict[tuple[str, ...], _Cell] = {}
    shared = _shared_topics(asked)
    for one in asked:
        if one.cell is not None:
            topic = (one.topic,) if one.topic in shared else one.values
            cell = cells.setdefault((*one.cell, *topic), {})
            cell.setdefault(one.label, {})[_unit(one)] = None
            if one.cell[0] != "change":
                # a value that never occurs at this turn can't be as frequent as the others
                for value in one.item.options:
                    cell.setdefault((value,), {})
    return cells


def _shared_topics(asked: Sequence[AskedItem]) -> set[str]:
    """The topics of several conversations; those of one alone are balanced with others of the same values."""
    first: dict[str, str] = {}
    return {one.topic for one in asked if first.setdefault(one.topic, one.item.cluster) != one.item.cluster}


def _balanced(cell: _Cell) -> Iterator[str]:
    size = min(map(len, cell.values()))
    for units in cell.values():
        yield from sorted(units, key=_drawn)[:size]


def _drawn(unit: str) -> bytes:
    return hashlib.sha256(f"balanced {unit}".encode()).digest()
