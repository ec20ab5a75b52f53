"""The dataset folder as a run writes it, and as a run that was killed goes on in it.

The lines of a slot go to the data files first; then one line in ``progress.jsonl`` records their sizes. That line is
what makes a slot done. A run that was killed in between leaves lines (perhaps half of one) behind the recorded sizes;
the next run cuts them off and does the slot again, which gives the same bytes. Whoever only stops needs nothing of
this.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.files import bounded_lines
from dtomtrack.records import Record
from dtomtrack.runs.edited import RunningDigests
from dtomtrack.runs.files import NO_LINKS, refuse_links, write_atomically
from dtomtrack.runs.folder import MANIFEST, PROGRESS, outputs
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.locks import writing
from dtomtrack.runs.manifest import Counts, Manifest, SlotEntry
from dtomtrack.runs.new_folder import new_folder
from dtomtrack.runs.same_run import attempts_before, same_run
from dtomtrack.runs.slot_lines import SlotLines

__all__ = ["RunFolder"]


class RunFolder:
    """A folder that a run appends to; use it as a context manager.

    Attributes:
        previous: the manifest that the folder had, if it is not new.
        held: how many slots it had; more than are done where slots that stayed empty get more attempts.
    """

    def __init__(self, path: Path, suite: str, config: Record, files: Sequence[str], version: str) -> None:
        """Open a folder, new or one that holds the same run.

        Args:
            files: names of the data files.

        Raises:
            DatasetError: the folder holds something else, is damaged, or another process writes it.
            WriteError: it can't be written.
        """
        self.path = path
        refuse_links(outputs(path))
        self.previous = same_run(path, suite, config, files, version)
        self._attempts_before = attempts_before(self.previous, config) if self.previous else None
        self.held = 0
        self._data_files = tuple(files)
        self._files: dict[str, int] = {}
        self._exits = ExitStack()
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._exits.enter_context(writing(path))
            for name in (PROGRESS, *files):
                self._files[name] = self._opened(path / name)
            self._written = self._read_progress()
        except OSError as error:
            self._exits.close()
            raise WriteError(f"{path}: can't be written ({error.strerror}); choose another --out") from error
        except DatasetError:
            self._exits.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._exits.close()

    def append(self, slot: SlotLines) -> None:
        """Write the next slot.

        Raises:
            WriteError: the disk is full or the like; the slots before it are safe.
        """
        if slot.index != self.done:
            raise ValueError(f"slot {slot.index} can't be written before slot {self.done}")
        before = self._written
        sizes = {name: before.sizes[name] + len(lines) for name, lines in slot.data.items()}
        digests = before.digests.with_lines(slot.data)
        entry = SlotEntry(slot=slot.index, sizes=sizes, counts=slot.counts, digests=digests.told())
        line = to_lines([entry])
        try:
            for name, lines in slot.data.items():
                _write(self._files[name], lines)
            _write(self._files[PROGRESS], line)
        except OSError as error:
            self._cut()
            raise WriteError(
                f"{self.path}: can't be written ({error.strerror}); {self.done} slots are safe; try the same again"
            ) from error
        self._written = before.then(entry, digests, len(line))

    @property
    def done(self) -> int:
        """How many slots are done; the next slot to write."""
        return self._written.slots

    @property
    def counts(self) -> Counts:
        """Sums over the slots that are done."""
        return self._written.counts

    @property
    def gets_more_attempts(self) -> bool:
        """Whether its slots had fewer attempts until now."""
        return self._attempts_before is not None

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each data file, as far as it is written."""
        return self._written.digests.told()

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest, once the slots that it counts are on the disk."""
        try:
            for file in self._files.values():
                os.fsync(file)
        except OSError as error:
            raise WriteError(f"{self.path}: can't be written ({error.strerror}); {self.done} slots are safe") from error
        self.write_text(MANIFEST, manifest.model_dump_json(indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Replace a small file of the folder in one step."""
        try:
            write_atomically(self.path / name, text)
        except OSError as error:
            raise WriteError(
                f"{self.path / name}: can't be written ({error.strerror}); {self.done} slots are safe"
            ) from error

    def _opened(self, path: Path) -> int:
        refuse_links([path])
        binary = getattr(os, "O_BINARY", 0)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINKS | binary, 0o644)
        self._exits.callback(os.close, file)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise DatasetError(f"{path}: is not an ordinary file; choose another --out")
        return file

    def _read_progress(self) -> _Written:
        """The slots whose lines are all there, as they were written; with more attempts, up to the first empty one."""
        names = self._data_files
        last = first_empty = _Written(0, Counts(), 0, dict.fromkeys(names, 0), RunningDigests(names))
        for one in self._slots(last):
            if first_empty is last and not one.counts.unfilled:
                first_empty = one
            last = one
        counted = self.previous.counts.dialogues + self.previous.counts.unfilled if self.previous else 0
        if counted > last.slots and not self._copy.exists():
            raise DatasetError(
                f"{self.path}: {MANIFEST} tells of {counted} slots, but only {last.slots} can be found by "
                f"{PROGRESS} as they were written: a file was edited, damaged or cut; put it back or choose "
                "another --out"
            )
        self.held = max(last.slots, counted)
        return first_empty if self.gets_more_attempts else last

    def _slots(self, written: _Written) -> Iterator[_Written]:
        """How much is written after each slot that is there, as it was written."""
        with (self.path / PROGRESS).open("rb") as file:
            for line in bounded_lines(file, self.path / PROGRESS):
                if not line.endswith(b"\n"):
                    return
                entry = self._entry(line, written.slots)
                digests = written.digests.read_on(self._files, entry.sizes)
                if digests is None or (entry.digests and entry.digests != digests.told()):
                    return
                written = written.then(entry, digests, len(line))
                yield written

    def prepare(self) -> None:
        """Cut off what is behind the last slot that is done, before anything is appended.

        That is what a killed run left; with more attempts, the first slot that stayed empty and all after it, of which
        a copy is kept.
        """
        if self.gets_more_attempts and self.held > self.done and not self._copy.exists():
            with new_folder(self._copy) as draft:
                for name in (*self._files, MANIFEST):
                    shutil.copyfile(self.path / name, draft / name)
        self._cut()
        os.ftruncate(self._files[PROGRESS], self._written.progress)

    @property
    def _copy(self) -> Path:
        """The folder that gets a copy of what was made with fewer attempts."""
        return self.path / f"with-{self._attempts_before}-attempts"

    def _entry(self, line: bytes, number: int) -> SlotEntry:
        try:
            entry = SlotEntry.model_validate_json(line)
        except ValidationError as error:
            raise DatasetError(f"{self.path / PROGRESS}:{number + 1}: is damaged; choose another --out") from error
        if entry.slot != number or set(entry.sizes) != set(self._data_files):
            raise DatasetError(f"{self.path / PROGRESS}:{number + 1}: slot {entry.slot} is out of place")
        return entry

    def _cut(self) -> None:
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


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
