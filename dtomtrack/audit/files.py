"""Benchmarks as they come: records from JSON, JSON Lines, CSV or Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from dtomtrack.errors import InputError

__all__ = ["Fields", "read_records"]

Fields = Mapping[str, object]
_LONGEST_CELL = 1 << 27


def read_records(path: Path) -> Iterator[tuple[str, Fields]]:
    """The records of a file, each with where it stands.

    Raises:
        InputError: the file can't be read, or is in no known format.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path}: an audit reads a dataset folder or a file that ends in {', '.join(_READERS)}")
    try:
        yield from reader(path)
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; save it as UTF-8") from None


def _json(path: Path) -> Iterator[tuple[str, Fields]]:
    content = _parsed(path.read_text(encoding="utf-8-sig"), str(path))
    if isinstance(content, dict):
        if not isinstance(content.get("data"), list):
            known = ", ".join(map(repr, content)) or "nothing"
            raise InputError(
                f"{path}: has to be a list of items, or an object with one under 'data'; it has {known[:300]}"
            )
        content = content["data"]
    if not isinstance(content, list):
        raise InputError(f"{path}: has to be a list of items, or an object with one under 'data'")
    for number, record in enumerate(content, 1):
        yield _checked(record, f"{path}: item {number}")


def _json_lines(path: Path) -> Iterator[tuple[str, Fields]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                place = f"{path}:{number}"
                yield _checked(_parsed(line.decode("utf-8-sig"), place), place)


def _csv(path: Path) -> Iterator[tuple[str, Fields]]:
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
            for row in rows:
                if None in row:
                    raise InputError(f"{path}:{rows.line_num}: has more cells than the heading")
                yield f"{path}:{rows.line_num}", row
    except csv.Error as error:
        raise InputError(f"{path}: is no CSV ({error})") from None
    finally:
        csv.field_size_limit(before)


def _parquet(path: Path) -> Iterator[tuple[str, Fields]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(f"{path}: needs an extra: pip install 'dtomtrack[parquet]'") from None
    try:
        number = 0
        for batch in parquet.ParquetFile(path).iter_batches():
            for record in batch.to_pylist():
                number += 1
                yield f"{path}: row {number}", record
    except pyarrow.ArrowException as error:
        raise InputError(f"{path}: is no Parquet file ({str(error).splitlines()[0]})") from None


_READERS: dict[str, Callable[[Path], Iterator[tuple[str, Fields]]]] = {
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".tsv": _csv,
    ".parquet": _parquet,
}


def _parsed(text: str, place: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{place}: is no JSON ({error})") from None
    except (RecursionError, ValueError):
        raise InputError(f"{place}: is no JSON that can be read (nested too deep, or a number too long)") from None


def _checked(record: object, place: str) -> tuple[str, Fields]:
    if not isinstance(record, dict):
        raise InputError(f"{place}: has to be an object with fields")
    return place, record
