"""The data files of a dataset, whichever form they have: JSON lines, or parts in Parquet.

A data file goes by the path that it has as JSON lines, ``FOLDER/questions.jsonl``. Where there are parts of it
(``FOLDER/questions/part-00000.parquet``, ...), they are read, and give the very lines that the file would have.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from dtomtrack.errors import DatasetError
from dtomtrack.files import bounded_lines, opened
from dtomtrack.records import Record, first_problem
from dtomtrack.runs.parts import Parts
from dtomtrack.validation import json_problem

__all__ = ["begins_with", "count_records", "data_digest", "has_data", "place_in", "read_records", "rows_with"]

R = TypeVar("R", bound=Record)


def has_data(path: Path) -> bool:
    """Whether a data file is there, in one form or the other."""
    return path.is_file() or Parts(path).exist()


def read_records(path: Path, record: type[R], rows: Set[int] | None = None) -> Iterator[R]:
    """The records of a data file, one at a time.

    Args:
        rows: numbers, from 0, of the only ones that are wanted.

    Raises:
        DatasetError: the file can't be read, or a line of it is no such record; the message has its number.
    """
    wanted = None if rows is None else iter(sorted(rows))
    for number, line in enumerate(_lines(path, rows)):
        row = number if wanted is None else next(wanted)
        try:
            yield record.model_validate_json(line)
        except ValidationError as error:
            raise DatasetError(f"{place_in(path, row + 1)}: {first_problem(error, 'line')}") from error


def count_records(path: Path) -> int:
    """The number of records in a data file.

    Raises:
        DatasetError: it can't be read.
    """
    parts = Parts(path)
    if parts.exist():
        return parts.count()
    try:
        with opened(path) as file:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error


def rows_with(path: Path, field: str, values: Set[int]) -> Set[int]:
    """Numbers, from 0, of the lines in which a field that holds a number has one of some values.

    Raises:
        DatasetError: the file can't be read, or a line of it is no JSON.
    """
    parts = Parts(path)
    if parts.exist():
        found = enumerate(parts.column(field))
        return {row for row, value in found if value in values}
    # quotation marks in a text are escaped, so that no text looks like a field; the record's own field comes first
    plain = re.compile(rb'"%s":(\d+)[,}]' % field.encode())
    rows = set()
    for row, line in enumerate(_lines(path)):
        match = plain.search(line)
        if (int(match[1]) if match else _parsed(line, place_in(path, row + 1)).get(field)) in values:
            rows.add(row)
    return rows


def _parsed(line: bytes, place: str) -> dict[str, object]:
    try:
        parsed = from_json(line)
    except ValueError as error:
        raise DatasetError(f"{place}: is no JSON ({json_problem(error)})") from error
    return parsed if isinstance(parsed, dict) else {}


def data_digest(path: Path) -> tuple[str, int]:
    """(SHA-256, number of lines) of a data file, the same for both forms.

    Raises:
        DatasetError: it can't be read.
    """
    digest, lines = hashlib.sha256(), 0
    for line in _lines(path):
        digest.update(line)
        lines += line.endswith(b"\n")
    return digest.hexdigest(), lines


def begins_with(path: Path, digest: str) -> bool:
    """Whether the first lines of a data file, however many, have this SHA-256, the same for both forms.

    Raises:
        DatasetError: it can't be read.
    """
    found = hashlib.sha256()
    for line in _lines(path):
        found.update(line)
        if found.hexdigest() == digest:
            return True
    return False


def place_in(path: Path, number: int) -> str:
    """The place of a line, counted from 1, in messages."""
    parts = Parts(path)
    return f"{parts.folder}: row {number}" if parts.exist() else f"{path}:{number}"


def _lines(path: Path, rows: Set[int] | None = None) -> Iterator[bytes]:
    parts = Parts(path)
    if parts.exist():
        yield from parts.lines(rows)
        return
    try:
        with opened(path) as file:
            for number, line in enumerate(bounded_lines(file, path)):
                if rows is None or number in rows:
                    yield line
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
