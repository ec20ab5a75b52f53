"""The dataset folder: how a run writes it, and how a run that was killed goes on in it.

The lines of a slot go to the three files first; then one line in ``progress.jsonl`` records their sizes. That line is
what makes a slot done. A run that was killed in between leaves lines (perhaps half of one) behind the recorded sizes;
the next run cuts them off and does the slot again, which gives the same bytes. Whoever only stops needs nothing of
this.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import JsonValue, ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.records import Record, first_problem
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import READABLE_FORMATS, Counts, Manifest, SlotEntry
from dtomtrack.suites.dtom.slot_result import DATA_FILES, SlotLines

__all__ = [
    "MANIFEST",
    "PROGRESS",
    "DatasetFolder",
    "check_finished",
    "finished_dataset",
    "read_manifest",
    "write_atomically",
]

PROGRESS = "progress.jsonl"
MANIFEST = "manifest.json"


class DatasetFolder:
    """A folder that a run appends to; use it as a context manager.

    Attributes:
        done: how many slots are done; the next slot to write.
        counts: sums over them.
        previous: the manifest that the folder had, if it is not new.
    """

    def __init__(self, path: Path, config: Record, version: str) -> None:
        """Open a folder, new or one that holds the same run.

        Raises:
            DatasetError: the folder holds something else, is damaged, or another process writes it.
            WriteError: it can't be written.
        """
        self.path = path
        self.previous = _same_run(path, config, version)
        self.done = 0
        self.counts = Counts()
        self._files: dict[str, int] = {}
        try:
            path.mkdir(parents=True, exist_ok=True)
            for name in (PROGRESS, *DATA_FILES):
                self._files[name] = os.open(path / name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            for name, file in self._files.items():
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    raise DatasetError(f"{path / name}: is not an ordinary file; choose another --out")
            self._lock()
            self._sizes = self._read_progress()
        except OSError as error:
            self._close()
            raise WriteError(f"{path}: can't be written ({error.strerror}); choose another --out") from error
        except DatasetError:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._close()

    def append(self, slot: SlotLines) -> None:
        """Write the next slot.

        Raises:
            WriteError: the disk is full or the like; the slots before it are safe.
        """
        if slot.index != self.done:
            raise ValueError(f"slot {slot.index} can't be written before slot {self.done}")
        sizes = {name: self._sizes[name] + len(lines) for name, lines in slot.data.items()}
        entry = SlotEntry(slot=slot.index, sizes=sizes, counts=slot.counts)
        try:
            for name, lines in slot.data.items():
                _write(self._files[name], lines)
            _write(self._files[PROGRESS], to_lines([entry]))
        except OSError as error:
            self._cut(self._sizes)
            raise WriteError(
                f"{self.path}: can't be written ({error.strerror}); {self.done} slots are safe; try the same again"
            ) from error
        self._sizes = sizes
        self.done += 1
        self.counts = self.counts + slot.counts

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest, once what it tells of is on the disk."""
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

    def _lock(self) -> None:
        _lock(self._files[PROGRESS], self.path)

    def _read_progress(self) -> dict[str, int]:
        """The sizes of the files after the last slot whose lines are all there."""
        self._progress_size = 0
        sizes = dict.fromkeys(DATA_FILES, 0)
        there = {name: os.fstat(self._files[name]).st_size for name in DATA_FILES}
        with (self.path / PROGRESS).open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                entry = self._entry(line)
                if any(there[name] < size for name, size in entry.sizes.items()):
                    break
                self._progress_size += len(line)
                sizes = entry.sizes
                self.done += 1
                self.counts = self.counts + entry.counts
        if self.previous is not None:
            told = self.previous.counts.dialogues + self.previous.counts.unfilled
            if told > self.done:
                raise DatasetError(
                    f"{self.path}: {MANIFEST} tells of {told} slots, but only {self.done} can be found by {PROGRESS}; "
                    "put back what is missing or choose another --out"
                )
        return sizes

    def cut_tails(self) -> None:
        """Cut off what a killed run left behind the last slot that is done, before anything is appended."""
        self._cut(self._sizes)
        os.ftruncate(self._files[PROGRESS], self._progress_size)

    def _entry(self, line: bytes) -> SlotEntry:
        try:
            entry = SlotEntry.model_validate_json(line)
        except ValidationError as error:
            raise DatasetError(f"{self.path / PROGRESS}:{self.done + 1}: is damaged; choose another --out") from error
        if entry.slot != self.done or set(entry.sizes) != set(DATA_FILES):
            raise DatasetError(f"{self.path / PROGRESS}:{self.done + 1}: slot {entry.slot} is out of place")
        return entry

    def _cut(self, sizes: dict[str, int]) -> None:
        for name, size in sizes.items():
            with suppress(OSError):
                os.ftruncate(self._files[name], size)

    def _close(self) -> None:
        for file in self._files.values():
            os.close(file)
        self._files.clear()


def _lock(file: int, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise DatasetError(
            f"{folder}: another run is writing this folder; wait for it or choose another --out"
        ) from error


@contextmanager
def finished_dataset(path: Path) -> Iterator[Manifest]:
    """The manifest of a dataset that is not being written, and won't be meanwhile.

    Raises:
        DatasetError: the folder holds no dataset, an unfinished one, one of another version, or a run writes it.
    """
    manifest = read_manifest(path)
    if manifest is None:
        raise DatasetError(f"{path}: holds no dataset (there is no {MANIFEST}); name a folder that generate made")
    check_finished(path, manifest)
    try:
        file = os.open(path / PROGRESS, os.O_RDWR)
    except OSError as error:
        raise DatasetError(f"{path / PROGRESS}: can't be opened ({error.strerror})") from error
    try:
        _lock(file, path)
        yield manifest
    finally:
        os.close(file)


def check_finished(path: Path, manifest: Manifest) -> None:
    """See that this dtomtrack reads a dataset, and that it is not half made.

    Raises:
        DatasetError: the folder is of an unknown format, or its run is not finished.
    """
    if manifest.format_version not in READABLE_FORMATS:
        known = " and ".join(map(str, sorted(READABLE_FORMATS)))
        raise DatasetError(
            f"{path / MANIFEST}: is of format {manifest.format_version}, this dtomtrack reads {known}; "
            "install the version that made it"
        )
    if manifest.status not in {"complete", "incomplete"}:
        raise DatasetError(f"{path}: is not finished; give the command that makes it again: {manifest.command}")


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def write_atomically(path: Path, text: str) -> None:
    """Replace a file so that a reader sees the old one or the new one, whole, even after a crash."""
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read_manifest(path: Path) -> Manifest | None:
    """The manifest of a folder; None if it has none.

    Raises:
        DatasetError: it is damaged, or from a newer version of dtomtrack.
    """
    file = path / MANIFEST
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise DatasetError(f"{path}: is not a folder; choose another --out") from error
    except OSError as error:
        raise DatasetError(f"{file}: can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{file}: is not UTF-8 text, so it is damaged; choose another --out") from error
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        raise DatasetError(f"{file}: {first_problem(error)}; is it from another version of dtomtrack?") from error


def _same_run(path: Path, config: Record, version: str) -> Manifest | None:
    manifest = read_manifest(path)
    if manifest is None:
        if path.is_dir() and (strangers := sorted(entry.name for entry in path.iterdir() if not _is_fresh(entry))):
            raise DatasetError(
                f"{path}: holds {strangers[0]!r} but no {MANIFEST}, so it is no dataset; choose another --out"
            )
        return None
    if manifest.dtomtrack_version != version:
        raise DatasetError(
            f"{path}: was made by dtomtrack {manifest.dtomtrack_version}, this is {version}; choose another --out"
        )
    different = _first_difference(manifest.config, config.model_dump(mode="json"))
    if different is not None and not _untouched(path):
        raise DatasetError(f"{path}: holds another run ({different}); choose another --out")
    return None if different is not None else manifest


def _untouched(path: Path) -> bool:
    """Whether a run was begun here that came to nothing: no slot is done, and no reply was paid for."""
    if any((path / name).stat().st_size for name in (PROGRESS, *DATA_FILES) if (path / name).exists()):
        return False
    # imported late: runs without models have no journal
    from dtomtrack.llm.journal import JOURNAL, replies_in

    return not replies_in(path / JOURNAL)


def _is_fresh(entry: Path) -> bool:
    """Whether a run that was killed before it wrote its manifest may have left this behind."""
    ours = {PROGRESS, *DATA_FILES}
    return entry.name == f".{MANIFEST}.draft" or (entry.name in ours and entry.lstat().st_size == 0)


def _first_difference(theirs: Mapping[str, JsonValue], ours: Mapping[str, JsonValue]) -> str | None:
    """What tells two configurations apart, in words."""
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
