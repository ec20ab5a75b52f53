"""The dataset folder as a run writes it, and as a run that was killed goes on in it.

The lines of a slot go to the data files first; then one line in ``progress.jsonl`` records their sizes. That line is
what makes a slot done. A run that was killed in between leaves lines (perhaps half of one) behind the recorded sizes;
the next run cuts them off and does the slot again, which gives the same bytes. Whoever only stops needs nothing of
this.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import JsonValue, ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.files import bounded_lines
from dtomtrack.records import Record
from dtomtrack.runs.edited import RunningDigests
from dtomtrack.runs.files import NO_LINKS, is_draft, refuse_links, write_atomically
from dtomtrack.runs.folder import MANIFEST, PROGRESS, outputs, read_manifest
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.locks import LOCK, writing
from dtomtrack.runs.manifest import Counts, Manifest, SlotEntry
from dtomtrack.runs.slot_lines import SlotLines

__all__ = ["RunFolder"]


class RunFolder:
    """A folder that a run appends to; use it as a context manager.

    Attributes:
        done: how many slots are done; the next slot to write.
        counts: sums over them.
        previous: the manifest that the folder had, if it is not new.
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
        self.previous = _same_run(path, suite, config, files, version)
        self.done = 0
        self.counts = Counts()
        self._data_files = tuple(files)
        self._digests = RunningDigests(self._data_files)
        self._files: dict[str, int] = {}
        self._exits = ExitStack()
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._exits.enter_context(writing(path))
            for name in (PROGRESS, *files):
                self._files[name] = self._opened(path / name)
            self._sizes = self._read_progress()
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
        sizes = {name: self._sizes[name] + len(lines) for name, lines in slot.data.items()}
        digests = self._digests.with_lines(slot.data)
        entry = SlotEntry(slot=slot.index, sizes=sizes, counts=slot.counts, digests=digests.told())
        try:
            for name, lines in slot.data.items():
                _write(self._files[name], lines)
            _write(self._files[PROGRESS], to_lines([entry]))
        except OSError as error:
            self._cut(self._sizes)
            raise WriteError(
                f"{self.path}: can't be written ({error.strerror}); {self.done} slots are safe; try the same again"
            ) from error
        self._sizes, self._digests = sizes, digests
        self.done += 1
        self.counts = self.counts + slot.counts

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each data file, as far as it is written."""
        return self._digests.told()

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

    def _read_progress(self) -> dict[str, int]:
        """The sizes of the files after the last slot whose lines are all there, as they were written."""
        self._progress_size = 0
        sizes = dict.fromkeys(self._data_files, 0)
        with (self.path / PROGRESS).open("rb") as file:
            for line in bounded_lines(file, self.path / PROGRESS):
                if not line.endswith(b"\n"):
                    break
                entry = self._entry(line)
                digests = self._digests.read_on(self._files, entry.sizes)
                if digests is None or (entry.digests and entry.digests != digests.told()):
                    break
                self._digests = digests
                self._progress_size += len(line)
                sizes = entry.sizes
                self.done += 1
                self.counts = self.counts + entry.counts
        if self.previous is not None:
            counted = self.previous.counts.dialogues + self.previous.counts.unfilled
            if counted > self.done:
                raise DatasetError(
                    f"{self.path}: {MANIFEST} tells of {counted} slots, but only {self.done} can be found by "
                    f"{PROGRESS} as they were written: a file was edited, damaged or cut; put it back or choose "
                    "another --out"
                )
        return sizes

    def cut_tails(self) -> None:
        """Cut off the bytes that a killed run left behind the last slot that is done, before anything is appended."""
        self._cut(self._sizes)
        os.ftruncate(self._files[PROGRESS], self._progress_size)

    def _entry(self, line: bytes) -> SlotEntry:
        try:
            entry = SlotEntry.model_validate_json(line)
        except ValidationError as error:
            raise DatasetError(f"{self.path / PROGRESS}:{self.done + 1}: is damaged; choose another --out") from error
        if entry.slot != self.done or set(entry.sizes) != set(self._data_files):
            raise DatasetError(f"{self.path / PROGRESS}:{self.done + 1}: slot {entry.slot} is out of place")
        return entry

    def _cut(self, sizes: dict[str, int]) -> None:
        for name, size in sizes.items():
            with suppress(OSError):
                os.ftruncate(self._files[name], size)


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _same_run(path: Path, suite: str, config: Record, files: Sequence[str], version: str) -> Manifest | None:
    manifest = read_manifest(path)
    if manifest is None:
        if path.is_dir() and (
            strangers := sorted(entry.name for entry in path.iterdir() if not _is_fresh(entry, files))
        ):
            raise DatasetError(
                f"{path}: holds {strangers[0]!r} but no {MANIFEST}, so it is no dataset; choose another --out"
            )
        return None
    if manifest.suite != suite:
        raise DatasetError(f"{path}: holds a dataset of suite {manifest.suite!r}, not {suite!r}; choose another --out")
    if manifest.dtomtrack_version != version:
        raise DatasetError(
            f"{path}: was made by dtomtrack {manifest.dtomtrack_version}, this is {version}; choose another --out"
        )
    different = _first_difference(manifest.config, config.model_dump(mode="json"))
    if different is not None and not _untouched(path, files):
        raise DatasetError(f"{path}: holds another run ({different}); choose another --out")
    return None if different is not None else manifest


def _untouched(path: Path, files: Sequence[str]) -> bool:
    """Whether a run was begun here that came to nothing: no slot is done, and no reply was paid for."""
    if any((path / name).stat().st_size for name in (PROGRESS, *files) if (path / name).exists()):
        return False
    # imported late: runs without models have no journal
    from dtomtrack.llm.journal import JOURNAL, replies_in

    return not replies_in(path / JOURNAL)


def _is_fresh(entry: Path, files: Sequence[str]) -> bool:
    """Whether a run that was killed before it wrote its manifest may have left this behind."""
    ours = {LOCK, PROGRESS, *files}
    return is_draft(entry) or (entry.name in ours and entry.lstat().st_size == 0)


def _first_difference(theirs: Mapping[str, JsonValue], ours: Mapping[str, JsonValue]) -> str | None:
    """The first field in which two configurations differ, in words."""
    for field in dict.fromkeys((*ours, *theirs)):
        there, here = theirs.get(field), ours.get(field)
        if there == here:
            continue
        if field == "packs":
            return "a domain pack has changed since"
        if isinstance(there, Mapping) and isinstance(here, Mapping):
            return _first_difference(there, here)
        if field == "models":
            return f"{'with' if there else 'without'} language models there, {'with' if here else 'without'} them here"
        return f"{field.replace('_', ' ')} {_shown(there)} there, {_shown(here)} here"
    return None


def _shown(value: JsonValue) -> str:
    return ",".join(str(part) for part in value) if isinstance(value, list) else str(value)
