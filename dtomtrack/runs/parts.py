"""Data files as parts in Parquet: ``questions.jsonl`` is ``questions/part-00000.parquet``, ``part-00001.parquet``, ...

A part has the lines of a range of slots, as one row group. Notes in its footer say of which run and which slots it is,
so that none is taken for another; its SHA-256 is in the manifest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue, ValidationError

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.records import Count, Record
from dtomtrack.runs.line_columns import LineColumns

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "MOST_ROWS",
    "PartFile",
    "PartNotes",
    "Parts",
    "check_pyarrow",
    "is_part",
    "part_folder",
    "part_name",
    "part_problem",
    "run_digest",
]

_NOTES = b"dtomtrack"
_PART = re.compile(r"part-(\d{5,})\.parquet")
_REMEDY = "put back the one that was there, or make the dataset anew with another --out"
_REMEDY_OF_ALL = "put back the folder with all parts, or make the dataset anew with another --out"
_LARGEST = 1 << 28
"""Bytes that a part may unpack to: a run closes parts at less than a tenth of that."""
MOST_ROWS = 1 << 20
"""Rows that it may have, of which none takes less than some bytes."""


class PartNotes(Record):
    """The notes in the footer of a part.

    Attributes:
        run: tells the run from others (`run_digest`).
        file: the data file that it is a part of, as JSON lines would be named.
        first, slots: the range of slots.
        rows: how many lines it has.
        size: bytes of the lines of all data files for these slots, as JSON lines.
    """

    run: str
    file: str
    part: Count
    first: Count
    slots: Count
    rows: Count
    size: Count

    def told(self) -> Mapping[str, str]:
        """The notes as they stand in the footer."""
        return {_NOTES.decode(): self.model_dump_json()}


def check_pyarrow(what: str) -> None:
    """Say what is missing before any work is done.

    Raises:
        InputError: pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError(f"{what} needs an extra: pip install 'dtomtrack[parquet]'") from None


def run_digest(suite: str, version: str, config: Mapping[str, JsonValue]) -> str:
    """SHA-256 of what decides the bytes of a run; how often a slot may be tried does not."""
    deciding = {name: value for name, value in config.items() if name != "max_attempts"}
    return hashlib.sha256(json.dumps([suite, version, deciding], sort_keys=True).encode()).hexdigest()


def part_name(file: str, number: int) -> str:
    """The path in a dataset's folder of a part of a data file."""
    return f"{part_folder(file)}/part-{number:05}.parquet"


def is_part(name: str) -> bool:
    """Whether a file of a dataset, by its path in the folder, is a part."""
    return _PART.fullmatch(name.rpartition("/")[2]) is not None


def part_problem(path: Path, run: str | None = None) -> str:
    """The reason why a part is not the one that was made, in a sentence.

    Args:
        run: the digest of the run that made it, where that is known.
    """
    try:
        part = PartFile(path)
        part.table()
    except DatasetError as error:
        return str(error)
    other = run is not None and part.notes.run != run
    return f"{path}: {'is of another run' if other else 'was edited since it was made'}; {_REMEDY}"


class Parts:
    """The parts of a data file.

    Args:
        file: where the file of JSON lines would be.
    """

    def __init__(self, file: Path) -> None:
        self.folder = file.with_name(part_folder(file.name))
        self._file = file.name

    def exist(self) -> bool:
        """Whether there are any.

        Raises:
            DatasetError: the file is there as JSON lines, too, and nobody can tell which of the two is meant.
        """
        exist = self.folder.is_dir() and any(_PART.fullmatch(one.name) for one in self.folder.iterdir())
        if exist and (lines := self.folder.with_name(self._file)).exists():
            raise DatasetError(
                f"{self.folder}: holds parts of {lines.name}, which is there, too; move one of them away"
            )
        return exist

    def count(self) -> int:
        """The number of lines.

        Raises:
            DatasetError: a part is torn, missing or of another run.
        """
        return sum(part.rows for part in self._parts())

    def lines(self, rows: Set[int] | None = None) -> Iterator[bytes]:
        """The lines, one at a time, as a file of JSON lines has them; one part is in memory at a time.

        Args:
            rows: numbers, from 0, of the only ones that are wanted.

        Raises:
            DatasetError: a part is torn, missing or of another run.
        """
        first = 0
        for part in self._parts():
            end = first + part.rows
            wanted = None if rows is None else [row - first for row in range(first, end) if row in rows]
            if wanted is None or wanted:
                table = part.table()
                yield from part.columns.lines(table if wanted is None else table.take(wanted))
            first = end

    def column(self, name: str) -> Iterator[object]:
        """The values of a column, of which alone the parts are read.

        Raises:
            DatasetError: a part is torn, missing or of another run, or has no such column.
        """
        for part in self._parts():
            yield from part.table([name]).column(0).to_pylist()

    def tables(self) -> Iterator[pa.Table]:
        """The columns of each part (`LineColumns`), texts packed as dictionaries.

        Raises:
            DatasetError: a part is torn, missing or of another run.
        """
        return (part.table() for part in self._parts())

    def _parts(self) -> Iterator[PartFile]:
        """The parts in their order, each seen to follow the one before."""
        check_pyarrow(f"{self.folder}: data in Parquet")
        run, first = None, 0
        for number, path in enumerate(self._paths()):
            part = PartFile(path)
            notes = part.notes
            if run not in {None, notes.run}:
                raise DatasetError(f"{path}: is of another run than the parts before it; {_REMEDY}")
            if (notes.file, notes.part, notes.first) != (self._file, number, first):
                raise DatasetError(
                    f"{path}: is part {notes.part} of {notes.file} from slot {notes.first} on, not part {number} of "
                    f"{self._file} from slot {first} on; {_REMEDY}"
                )
            run, first = notes.run, notes.first + notes.slots
            yield part

    def _paths(self) -> Iterator[Path]:
        """The paths of all parts up to the last.

        Raises:
            DatasetError: one is missing.
        """
        try:
            found = [match for one in self.folder.iterdir() if (match := _PART.fullmatch(one.name))]
        except OSError as error:
            raise DatasetError(f"{self.folder}: can't be read ({error.strerror})") from error
        for number, there in enumerate(sorted(int(match[1]) for match in found)):
            path = self.folder / f"part-{number:05}.parquet"
            if there != number:
                raise DatasetError(f"{path}: is missing; {_REMEDY}")
            yield path


class PartFile:
    """A part that is there.

    Attributes:
        rows: how many lines it has.

    Raises:
        DatasetError: it is torn, or no part at all.
    """

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self._path = path
        with _read(path):
            self._told = pq.read_metadata(path)
        self.rows: int = self._told.num_rows
        try:
            self.notes = PartNotes.model_validate_json((self._told.metadata or {}).get(_NOTES, b""))
        except ValidationError as error:
            raise DatasetError(f"{path}: is no part of a dataset (no notes say of which); {_REMEDY}") from error
        if self.notes.rows != self.rows:
            raise DatasetError(f"{path}: was edited since it was made; {_REMEDY}")

    @property
    def columns(self) -> LineColumns:
        """The columns of its lines."""
        return LineColumns.of_schema(self._told.schema.to_arrow_schema())

    def table(self, names: Sequence[str] | None = None) -> pa.Table:
        """Its columns, or some of them, texts packed as dictionaries.

        Raises:
            DatasetError: they are damaged or not there, or far more than a run writes.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        told = self._told
        size = sum(told.row_group(number).total_byte_size for number in range(told.num_row_groups))
        if size > _LARGEST or told.num_rows > MOST_ROWS:
            raise DatasetError(f"{self._path}: unpacks to more than any part that a run writes; {_REMEDY}")
        with _read(self._path):
            packed = [one.name for one in told.schema.to_arrow_schema() if one.type == pa.string()]
            with pq.ParquetFile(self._path, read_dictionary=packed) as file:
                table = file.read(names, use_threads=False)
        if names is not None and table.column_names != list(names):
            raise DatasetError(f"{self._path}: has no column {names[0]!r}; {_REMEDY}")
        return table


@contextmanager
def _read(path: Path) -> Iterator[None]:
    """What goes wrong while a part is read, in a sentence.

    Raises:
        DatasetError: it is not there, or no whole Parquet file.
    """
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError as error:
        missing, remedy = (path, _REMEDY) if path.parent.is_dir() else (path.parent, _REMEDY_OF_ALL)
        raise DatasetError(f"{missing}: is missing; {remedy}") from error
    except (pa.ArrowException, OSError) as error:
        # pyarrow tells of damaged pages by errors of the system without a number
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DatasetError(f"{path}: is torn or damaged ({reason.rstrip('.')}); {_REMEDY}") from error


def part_folder(file: str) -> str:
    """The folder, in that of the dataset, of the parts of a data file."""
    return file.removesuffix(".jsonl")
