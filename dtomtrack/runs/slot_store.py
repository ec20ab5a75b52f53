"""The protocol of what keeps the lines of slots in a dataset folder, whatever the form of its data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from dtomtrack.runs.manifest import Counts
from dtomtrack.runs.slot_lines import SlotLines

__all__ = ["SlotStore"]


class SlotStore(Protocol):
    """Keeps the lines of slots, in the order of the slots."""

    @property
    def names(self) -> Sequence[str]:
        """The files and folders in the dataset's folder that it writes."""
        ...

    @property
    def done(self) -> int:
        """How many slots it has been given; the next one to append."""
        ...

    @property
    def counts(self) -> Counts:
        """Sums over them."""
        ...

    @property
    def saved(self) -> Counts:
        """Sums over those that a kill can't take."""
        ...

    @property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 of each data file with slots that a kill can't take, by its path in the folder."""
        ...

    @property
    def torn(self) -> str:
        """The file in which there is no slot more, as it was written, than `read` found."""
        ...

    def read(self, *, to_first_empty: bool) -> int:
        """Find the slots that are there, as they were written; how many there are.

        Args:
            to_first_empty: go on at the first slot that stayed empty, or shortly before it.

        Raises:
            DatasetError: what is there is damaged.
        """
        ...

    def take_up(self) -> None:
        """Get ready to append; what is on the disk stays as it is until `cut`."""
        ...

    def cut(self) -> None:
        """Cut off what is behind the slots that are `saved`.

        Raises:
            OSError: it can't be written.
        """
        ...

    def append(self, slot: SlotLines) -> None:
        """Write the next slot, now or together with others.

        Raises:
            OSError: it can't be written; what is saved is as it was.
        """
        ...

    def flush(self) -> None:
        """Write what waits for others.

        Raises:
            OSError: it can't be written; what is saved is as it was.
        """
        ...

    def sync(self) -> None:
        """See that what is saved is on the disk.

        Raises:
            OSError: it can't be written.
        """
        ...

    def close(self) -> None:
        """Close the files."""
        ...
