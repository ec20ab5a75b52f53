"""The lines of one slot."""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.runs.manifest import Counts

__all__ = ["SlotLines"]


@dataclass(frozen=True)
class SlotLines:
    """The lines that a slot adds to the files of a dataset, by file, and what it adds to the sums."""

    index: int
    data: dict[str, bytes]
    counts: Counts

    def size(self) -> int:
        """Bytes of its lines."""
        return sum(map(len, self.data.values()))
