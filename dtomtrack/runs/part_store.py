"""Slots as parts in Parquet, each written whole: a draft, then in its place, then recorded in ``progress.jsonl``.

The slots of a part wait in memory until there are enough of them. A kill takes those, at most; the next run makes them
again, from the journal or from the same seeds. Which slots a part has follows from their lines alone, so that a run
that was killed, or got more slots later, ends in the same bytes (with the same version of pyarrow).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError
from dtomtrack.records import Record
from dtomtrack.runs.files import is_draft, refuse_links, write_atomically
from dtomtrack.runs.folder import PROGRESS
from dtomtrack.runs.line_columns import LineColumns
from dtomtrack.runs.manifest import Counts, SlotEntry
from dtomtrack.runs.parts import PartFile, PartNotes, check_pyarrow, is_part, part_folder, part_name, part_problem
from dtomtrack.runs.progress_file import ProgressFile
from dtomtrack.runs.slot_lines import SlotLines

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BYTES_A_PART", "SLOTS_A_PART", "PartStore"]

SLOTS_A_PART = 500
BYTES_A_PART = 1 << 24
"""A part is closed at so many slots, or at so many bytes of their lines."""


class PartStore:
    """The data files of a folder as parts; see `dtomtrack.runs.slot_store.SlotStore`.

    Args:
        records: of the lines of each data file, by its name as JSON lines.
        run: tells the run from others.

    Raises:
        InputError: pyarrow is missing.
        DatasetError: a folder of parts is none.
        OSError: they can't be made.
    """

    def __init__(self, folder: Path, records: Mapping[str, type[Record]], run: str) -> None:
        check_pyarrow("--format parquet")
        self._folder = folder
        self._run = run
        self._columns = {name: LineColumns.of(record) for name, record in records.items()}
        self._saved: list[_Saved] = []
        self._counts = Counts()
        for name in self.names[1:]:
            refuse_links([folder / name])
            if (folder / name).exists() and not (folder / name).is_dir():
                raise DatasetError(f"{folder / name}: is no folder of parts; choose another --out")
        self._open = self._new_part()
        self._progress = ProgressFile(folder)

    @property
    def names(self) -> Sequence[str]:
        """The files and folders in the dataset's folder that it writes."""
        return (PROGRESS, *map(part_folder, self._columns))

    @property
    def done(self) -> int:
        """How many slots it has been given; the next one to append."""
        return self._open.first + self._open.slots

    @property
    def counts(self) -> Counts:
        """Sums over them."""
        return self._counts + self._open.counts

    @property
    def saved(self) -> Counts:
        """Sums over those in parts that are written."""
        return self._counts

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each part, by its path in the folder."""
        return {name: digest for one in self._saved for name, digest in one.entry.digests.items()}

    @property
    def torn(self) -> str:
        """The record of the parts: each that is recorded is there."""
        return PROGRESS

    def read(self, *, to_first_empty: bool) -> int:
        """Find the parts that are there, as they were written; how many slots they have."""
        found = list(self._recorded())
        self._refuse_strangers({name for one in found for name in one.entry.digests})
        slots = found[-1].entry.slot + 1 if found else 0
        if to_first_empty:
            empty = (number for number, one in enumerate(found) if one.entry.counts.unfilled)
            found = found[: next(empty, len(found))]
        self._saved = found
        self._counts = sum((one.entry.counts for one in found), Counts())
        self._open = self._new_part()
        return slots

    def take_up(self) -> None:
        """Take the slots of the last part into memory if it has room for more."""
        if not self._saved:
            return
        last = len(self._saved) - 1
        files = {name: self._part(name, last) for name in self._columns}
        notes = next(iter(files.values())).notes
        part = _OpenPart(notes.first, self._columns)
        part.slots, part.size, part.counts = notes.slots, notes.size, self._saved[-1].entry.counts
        if part.is_full():
            return
        for name, file in files.items():
            part.cells[name] = [column.to_pylist() for column in file.table().columns]
        self._saved.pop()
        self._counts = sum((one.entry.counts for one in self._saved), Counts())
        self._open = part

    def cut(self) -> None:
        """Forget what is recorded of parts that are open again, and remove what a killed run left behind them."""
        self._progress.cut(sum(one.line for one in self._saved))
        for name in self._columns:
            _remove_empty(self._folder / name)
            kept = {self._folder / part_name(name, number) for number in range(len(self._saved))}
            if self._open.slots:
                # it stays until it is written anew
                kept.add(self._folder / self._name(name))
            for path in self._entries(name):
                if is_draft(path) or (is_part(path.name) and path not in kept):
                    path.unlink()

    def append(self, slot: SlotLines) -> None:
        """Put the next slot to the others; write the part if it is full."""
        self._open.add(slot)
        if self._open.is_full():
            self.flush()

    def flush(self) -> None:
        """Write the open part."""
        if not self._open.slots:
            return
        contents = {self._name(name): self._written(name) for name in self._columns}
        for name, content in contents.items():
            (self._folder / name).parent.mkdir(exist_ok=True)
            write_atomically(self._folder / name, content)
        entry = SlotEntry(
            slot=self.done - 1,
            sizes={name: len(content) for name, content in contents.items()},
            counts=self._open.counts,
            digests={name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
        )
        try:
            line = self._progress.append(entry)
        except OSError:
            self._progress.cut(sum(one.line for one in self._saved))
            raise
        self._counts += entry.counts
        self._saved.append(_Saved(entry, line))
        self._open = self._new_part()

    def sync(self) -> None:
        """See that all is on the disk; parts are, before they get their names."""
        self._progress.sync()

    def close(self) -> None:
        """Close the files."""
        self._progress.close()

    def _recorded(self) -> Iterator[_Saved]:
        """The parts that are recorded, each seen to be what was written.

        Raises:
            DatasetError: one is torn, missing or of another run, or was edited.
        """
        before = -1
        for number, (entry, line) in enumerate(self._progress.entries()):
            names = {part_name(name, number) for name in self._columns}
            if entry.slot <= before or set(entry.sizes) != names or set(entry.digests) != names:
                raise DatasetError(f"{self._progress.path}:{number + 1}: slot {entry.slot} is out of place")
            for name, digest in entry.digests.items():
                self._check(name, digest)
            before = entry.slot
            yield _Saved(entry, line)

    def _refuse_strangers(self, recorded: Set[str]) -> None:
        """See that parts which are not recorded are of this run, written just before it was killed.

        Raises:
            DatasetError: one is not.
        """
        for file in self._columns:
            for path in self._entries(file):
                name = path.relative_to(self._folder).as_posix()
                if is_part(path.name) and name not in recorded and not self._is_own(path, file):
                    raise DatasetError(f"{path}: is no part that this run wrote; move it out of there")

    def _is_own(self, path: Path, file: str) -> bool:
        refuse_links([path])
        try:
            notes = PartFile(path).notes
        except DatasetError:
            return False
        place = self._folder / part_name(file, notes.part)
        return (notes.run, notes.file, place) == (self._run, file, path)

    def _entries(self, file: str) -> Sequence[Path]:
        """What is in the folder of a data file's parts, if it is there."""
        folder = self._folder / part_folder(file)
        return sorted(folder.iterdir()) if folder.is_dir() else ()

    def _check(self, name: str, digest: str) -> None:
        path = self._folder / name
        refuse_links([path])
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            raise DatasetError(part_problem(path, self._run))

    def _part(self, file: str, number: int) -> PartFile:
        return PartFile(self._folder / part_name(file, number))

    def _new_part(self) -> _OpenPart:
        return _OpenPart(self._saved[-1].entry.slot + 1 if self._saved else 0, self._columns)

    def _name(self, file: str) -> str:
        return part_name(file, len(self._saved))

    def _written(self, file: str) -> bytes:
        """The open part of a data file, as Parquet."""
        part = self._open
        notes = PartNotes(
            run=self._run,
            file=file,
            part=len(self._saved),
            first=part.first,
            slots=part.slots,
            rows=len(part.cells[file][0]),
            size=part.size,
        )
        schema = self._columns[file].schema(notes.told())
        return _as_parquet(schema, part.cells[file])


@dataclass(frozen=True)
class _Saved:
    """A part that is recorded, by a line of so many bytes."""

    entry: SlotEntry
    line: int


class _OpenPart:
    """A part that gets more slots.

    Attributes:
        first: the slot that it begins with.
        size: bytes of all lines.
        cells: of each data file, the values of each column.
    """

    def __init__(self, first: int, columns: Mapping[str, LineColumns]) -> None:
        self.first = first
        self.slots = 0
        self.size = 0
        self.counts = Counts()
        self._columns = columns
        self.cells: dict[str, list[list[object]]] = {name: [[] for _ in one.names] for name, one in columns.items()}

    def is_full(self) -> bool:
        """Whether it is written as it is."""
        return self.slots >= SLOTS_A_PART or self.size >= BYTES_A_PART

    def add(self, slot: SlotLines) -> None:
        """Take up the lines of the next slot."""
        for name, lines in slot.data.items():
            for line in lines.split(b"\n")[:-1]:
                for column, cell in zip(self.cells[name], self._columns[name].cells(line), strict=True):
                    column.append(cell)
        self.slots += 1
        self.size += slot.size()
        self.counts += slot.counts


def _remove_empty(lines: Path) -> None:
    """Remove a file of JSON lines that the same run, begun in that form, left without a line: it would be read."""
    if lines.is_file() and not lines.is_symlink() and not lines.stat().st_size:
        lines.unlink()


def _as_parquet(schema: pa.Schema, cells: Sequence[Sequence[object]]) -> bytes:
    """Columns as a file: one row group, and the same bytes whenever the same version of pyarrow writes it."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = [pa.array(values, field.type) for values, field in zip(cells, schema, strict=True)]
    out = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema), out, compression="zstd", compression_level=3)
    content: bytes = out.getvalue().to_pybytes()
    return content
