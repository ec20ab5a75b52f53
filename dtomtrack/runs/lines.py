"""JSON Lines: a record a line, and nothing but ``\\n`` ends a line.

Text of models and people may hold U+2028 or U+0085, at which `str.splitlines` would break a record in two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from dtomtrack.errors import DatasetError
from dtomtrack.files import bounded_lines, opened
from dtomtrack.records import Record, first_problem

__all__ = ["digest", "read_lines", "to_lines"]

R = TypeVar("R", bound=Record)


def to_lines(records: Iterable[Record]) -> bytes:
    """Records as JSON Lines."""
    return b"".join(record.model_dump_json().encode() + b"\n" for record in records)


def digest(*records: Record) -> str:
    """SHA-256 of records: what tells one version of a pack, say, from another."""
    return hashlib.sha256(to_lines(records)).hexdigest()


def read_lines(path: Path, record: type[R]) -> Iterator[R]:
    """The records of a file, one at a time.

    Raises:
        DatasetError: the file can't be read, or a line of it is no such record; the message has its number.
    """
    try:
        with opened(path) as file:
            for number, line in enumerate(bounded_lines(file, path), 1):
                try:
                    yield record.model_validate_json(line)
                except ValidationError as error:
                    if not line.strip():
                        raise DatasetError(f"{path}:{number}: is an empty line") from error
                    raise DatasetError(f"{path}:{number}: {first_problem(error, 'line')}") from error
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
