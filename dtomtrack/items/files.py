"""Benchmarks as they come: records from JSON, JSON Lines, CSV, TSV or Parquet, from one file or a folder of files.

Records come one at a time, so that a large file takes no more memory than a small one.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dtomtrack.errors import InputError
from dtomtrack.files import LONGEST_RECORD, bounded_lines, bounded_text
from dtomtrack.items.json_stream import TwiceError, array_elements, elements_under, first_sign, once_each
from dtomtrack.items.parquet_rows import parquet_rows
from dtomtrack.items.texts import printable

__all__ = ["FILE_FIELD", "Fields", "FoundRecord", "csv_rows", "data_files", "parsed_json", "read_records"]

Fields = Mapping[str, object]
FILE_FIELD = "@file"
"""A field that every record of a file has beside its own: the file's name without its ending."""
_LONGEST_CELL = LONGEST_RECORD
_LIST = "data"


class FoundRecord(NamedTuple):
    """A record and where it stands: in which file (empty for records in memory), and where in it ("line 3").

    Attributes:
        place: both in one, as errors name it.
    """

    fields: Fields
    file: str
    where: str
    place: str


def data_files(path: Path) -> list[tuple[str, Path]]:
    """The files that records are read from, by name: the file itself, or those of a folder and of folders in it.

    Raises:
        InputError: there is none, or the file is in no known format.
    """
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    if not path.is_dir():
        if path.suffix.lower() not in _READERS:
            raise InputError(f"{path}: a benchmark is a folder, or a file that ends in {', '.join(_READERS)}")
        if not path.is_file():
            raise InputError(f"{path}: is not an ordinary file")
        return [(path.name, path)]
    names = {one.relative_to(path).as_posix(): one for one in path.rglob("*") if one.suffix.lower() in _READERS}
    files = [(name, names[name]) for name in sorted(names) if not _is_hidden(name) and names[name].is_file()]
    if not files:
        raise InputError(f"{path}: holds no file that ends in {', '.join(_READERS)}")
    return files


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def read_records(path: Path) -> Iterator[FoundRecord]:
    """The records of a file, or of all files of a folder, in the order of their names.

    Raises:
        InputError: a file can't be read, or is in no known format.
    """
    for name, file in data_files(path):
        field = sys.intern(Path(name).stem)
        try:
            for where, place, record in _READERS[file.suffix.lower()](file):
                if not isinstance(record, dict):
                    raise InputError(f"{place}: has to be an object with fields")
                record.setdefault(FILE_FIELD, field)
                yield FoundRecord(record, name, where, place)
        except OSError as error:
            raise InputError(f"{file}: can't be read ({error.strerror or error})") from None
        except UnicodeDecodeError:
            raise InputError(f"{file}: is not UTF-8 text; save it as UTF-8") from None


Found = tuple[str, str, object]
"""Where in the file a record stands, where in words that begin with the file, and the record."""


def _json(path: Path) -> Iterator[Found]:
    with path.open(encoding="utf-8-sig") as file:
        sign = first_sign(file)
        file.seek(0)
        if sign not in {"[", "{"}:
            raise InputError(f"{path}: has to be a list of items, or an object with one under {_LIST!r}")
        name = str(path)
        records = array_elements(file, name) if sign == "[" else elements_under(file, name, _LIST)
        for number, record in enumerate(records, 1):
            yield f"item {number}", f"{path}: item {number}", record


def _json_lines(path: Path) -> Iterator[Found]:
    with path.open("rb") as file:
        for number, line in enumerate(bounded_lines(file, path, InputError), 1):
            if line.strip():
                place = f"{path}:{number}"
                if number == 1 and line.lstrip().startswith(b"["):
                    raise InputError(f"{place}: begins a list, not an object a line; name the file .json")
                yield f"line {number}", place, parsed_json(line.decode("utf-8-sig"), place)


def _csv(path: Path) -> Iterator[Found]:
    for number, row in csv_rows(path):
        yield f"line {number}", f"{path}:{number}", row


def csv_rows(path: Path, needed: Sequence[str] = ()) -> Iterator[tuple[int, dict[str, str | None]]]:
    """The rows of a table, by column, each behind the line that it ends in; None for cells that a row has too few.

    Args:
        needed: columns that there have to be.

    Raises:
        InputError: it is no such table, a column is missing, or a row has too many cells.
        OSError, UnicodeDecodeError: the file can't be read.
    """
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(bounded_text(file, path), delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
            _check_heading(path, rows.fieldnames or (), needed)
            for row in rows:
                if None in row:
                    raise InputError(
                        f"{path}:{rows.line_num}: has more cells than the heading; put texts with commas in quotation "
                        "marks"
                    )
                yield rows.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}: is no CSV ({error})") from None
    finally:
        csv.field_size_limit(before)


def _check_heading(path: Path, names: Sequence[str], needed: Sequence[str]) -> None:
    """See that each name stands once, what is needed is there, and nothing but the usual sign stands between names."""
    other = next((sign for sign in ";\t,|" if len(names) == 1 and names[0].count(sign) > 1), None)
    if other is not None:
        wanted = "tabs, as it is named .tsv" if path.suffix.lower() == ".tsv" else "commas, as it is named .csv"
        raise InputError(f"{path}:1: has {other!r} between its cells; it has to have {wanted}")
    twice = next((name for at, name in enumerate(names) if name and name in names[:at]), None)
    if twice is not None:
        raise InputError(
            f"{path}:1: {printable(twice)!r} stands twice in the heading; give each column a name of its own"
        )
    missing = next((name for name in needed if name not in names), None)
    if missing is not None:
        raise InputError(f"{path}:1: has no column {missing!r}; there have to be {', '.join(needed)}")


def _parquet(path: Path) -> Iterator[Found]:
    for number, record in enumerate(parquet_rows(path), 1):
        yield f"row {number}", f"{path}: row {number}", record


_READERS: dict[str, Callable[[Path], Iterator[Found]]] = {
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".tsv": _csv,
    ".parquet": _parquet,
}


def parsed_json(text: str, place: str) -> object:
    """JSON, read.

    Raises:
        InputError: it is none.
    """
    try:
        return json.loads(text, object_pairs_hook=once_each)
    except json.JSONDecodeError as error:
        raise InputError(f"{place}: is no JSON ({error.msg} at column {error.colno})") from None
    except TwiceError as error:
        raise InputError(f"{place}: is no JSON ({error})") from None
    except (RecursionError, ValueError):
        raise InputError(f"{place}: is no JSON that can be read (nested too deep, or a number too long)") from None
