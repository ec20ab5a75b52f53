"""Slots as JSON lines, appended to one file of each kind.

The lines of a slot go to the data files first; then a line in ``progress.jsonl`` records their sizes. That line is what
makes a slot done. A run that was killed in between leaves lines (perhaps half of one) behind the recorded sizes; the
next run cuts them off and does the slot again, which gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.runs.edited import RunningDigests
from dtomtrack.runs.files import open_to_append, write_all
from dtomtrack.runs.folder import PROGRESS
from dtomtrack.runs.manifest import Counts, SlotEntry
from dtomtrack.runs.parts import Parts
from dtomtrack.runs.progress_file import ProgressFile
from dtomtrack.runs.slot_lines import SlotLines

__all__ = ["LineStore"]


class LineStore:
    """The data files of a folder as JSON lines; see `dtomtrack.runs.slot_store.SlotStore`.

    Args:
        files: names of the data files.

    Raises:
        DatasetError: one is no ordinary file, or there are parts of it in Parquet.
        OSError: they can't be opened.
    """

    def __init__(self, folder: Path, files: Sequence[str]) -> None:
        self._exits = ExitStack()
        self._files: dict[str, int] = {}
        self._torn = PROGRESS
        self._written = _Written(0, Counts(), 0, dict.fromkeys(files, 0), RunningDigests(files))
        for name in files:
            _refuse_parts(folder / name)
        with ExitStack() as opening:
            self._progress = ProgressFile(folder)
            opening.callback(self._progress.close)
            for name in files:
                self._files[name] = open_to_append(folder / name)
                opening.callback(os.close, self._files[name])
            self._exits = opening.pop_all()

    @property
    def names(self) -> Sequence[str]:
        """The files in the dataset's folder that it writes."""
        return (PROGRESS, *self._files)

    @property
    def done(self) -> int:
        """How many slots it has been given; the next one to append."""
        return self._written.slots

    @property
    def counts(self) -> Counts:
        """Sums over them."""
        return self._written.counts

    @property
    def saved(self) -> Counts:
        """The same: each slot is written at once."""
        return self._written.counts

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each data file, as far as it is written."""
        return self._written.digests.told()

    @property
    def torn(self) -> str:
        """The file that holds another slot than was written; else the record of the slots, which tells of none more."""
        return self._torn

    def read(self, *, to_first_empty: bool) -> int:
        """Find the slots whose lines are all there, as they were written; how many there are."""
        last = first_empty = self._written
        for one in self._slots(last):
            if first_empty is last and not one.counts.unfilled:
                first_empty = one
            last = one
        self._written = first_empty if to_first_empty else last
        return last.slots

    def _slots(self, written: _Written) -> Iterator[_Written]:
        """How much is written after each slot that is there."""
        for entry, line in self._progress.entries():
            if entry.slot != written.slots or set(entry.sizes) != set(self._files):
                raise DatasetError(f"{self._progress.path}:{written.slots + 1}: slot {entry.slot} is out of place")
            digests = written.digests.read_on(self._files, entry.sizes)
            if digests is None or (entry.digests and entry.digests != digests.told()):
                self._torn = self._other(written, entry)
                return
            written = written.then(entry, digests, line)
            yield written

    def _other(self, written: _Written, entry: SlotEntry) -> str:
        """The first data file that is not, up to the end of a slot, what was written; else the record of that."""
        return next((name for name in self._files if not self._is_as_written(name, written, entry)), PROGRESS)

    def _is_as_written(self, name: str, written: _Written, entry: SlotEntry) -> bool:
        found = written.digests.read_on(self._files, {name: entry.sizes[name]})
        return found is not None and entry.digests.get(name) in {None, found.told()[name]}

    def take_up(self) -> None:
        """Nothing has to be done before appending."""

    def cut(self) -> None:
        """Cut off what is behind the last slot that is done."""
        self._cut_data()
        self._progress.cut(self._written.progress)

    def append(self, slot: SlotLines) -> None:
        """Write the next slot."""
        before = self._written
        sizes = {name: before.sizes[name] + len(lines) for name, lines in slot.data.items()}
        digests = before.digests.with_lines(slot.data)
        entry = SlotEntry(slot=slot.index, sizes=sizes, counts=slot.counts, digests=digests.told())
        try:
            for name, lines in slot.data.items():
                write_all(self._files[name], lines)
            line = self._progress.append(entry)
        except OSError:
            self._cut_data()
            raise
        self._written = before.then(entry, digests, line)

    def flush(self) -> None:
        """Nothing waits."""

    def sync(self) -> None:
        """See that all is on the disk."""
        self._progress.sync()
        for file in self._files.values():
            os.fsync(file)

    def close(self) -> None:
        """Close the files."""
        self._exits.close()

    def _cut_data(self) -> None:
        for name, size in self._written.sizes.items():
            with suppress(OSError):
                os.ftruncate(self._files[name], size)


@dataclass(frozen=True)
class _Written:
    """How much is written after a slot.

    Attributes:
        slots: how many are done.
        progress: bytes of the file that records the slots.
        sizes, digests: of the data files.
    """

    slots: int
    counts: Counts
    progress: int
    sizes: dict[str, int]
    digests: RunningDigests

    def then(self, entry: SlotEntry, digests: RunningDigests, line: int) -> _Written:
        """The same after one slot more, which takes a line of so many bytes to record."""
        return _Written(self.slots + 1, self.counts + entry.counts, self.progress + line, entry.sizes, digests)


def _refuse_parts(file: Path) -> None:
    parts = Parts(file)
    if parts.exist():
        raise DatasetError(f"{parts.folder}: holds parts of {file.name}, which this run writes; move them out of there")
