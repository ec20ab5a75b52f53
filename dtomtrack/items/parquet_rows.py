"""The rows of a Parquet file, one at a time, of files that don't unpack to more than they look like.

A file of a kilobyte can hold a billion rows, or a gigabyte of one letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import InputError

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

__all__ = ["parquet_rows"]

_ROWS_AT_ONCE = 64
_LEAST_ROWS = 100_000
"""The number of rows that a file of any size may have; more only if it has a byte for each."""
_LEAST_BYTES = 1 << 24
_LEAST_VALUES = 2_000_000
"""The number of values, also of those in lists, that a file of any size may have; more only with a byte for each."""
_MOST_FOLD = 200
"""How many bytes of text a byte of the file may unpack to, once there are more of them than a file of any size may
have."""


def parquet_rows(path: Path) -> Iterator[dict[str, object]]:
    """The rows of a file by column.

    Raises:
        InputError: pyarrow is missing, the file is damaged, or it unpacks to far more than its own size.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise InputError(f"{path}: needs an extra: pip install 'dtomtrack[parquet]'") from None
    try:
        with parquet.ParquetFile(path) as file:
            left = _most_bytes(path, file)
            # texts that occur often are unpacked one at a time
            with parquet.ParquetFile(path, read_dictionary=_text_columns(file)) as packed:
                for row in _rows(packed, file):
                    left -= _size(row)
                    if left < 0:
                        raise _too_much(path)
                    yield row
    except pyarrow.ArrowException as error:
        raise InputError(f"{path}: is no Parquet file ({str(error).splitlines()[0]})") from None


def _text_columns(file: ParquetFile) -> list[str]:
    schema = file.schema
    columns = [schema.column(number) for number in range(len(schema))]
    return [one.path for one in columns if one.physical_type == "BYTE_ARRAY"]


def _most_bytes(path: Path, file: ParquetFile) -> int:
    """How much text the file may unpack to."""
    size, told = path.stat().st_size, file.metadata
    if told.num_rows > max(_LEAST_ROWS, size):
        raise InputError(f"{path}: has {told.num_rows:,} rows in {size:,} bytes; nothing like a benchmark")
    groups = [told.row_group(number) for number in range(told.num_row_groups)]
    values = sum(group.column(number).num_values for group in groups for number in range(group.num_columns))
    if values > max(_LEAST_VALUES, size):
        raise _too_much(path)
    most = max(_LEAST_BYTES, _MOST_FOLD * size)
    if sum(group.total_byte_size for group in groups) > most:
        raise _too_much(path)
    return most


def _rows(packed: ParquetFile, file: ParquetFile) -> Iterator[dict[str, object]]:
    import pyarrow

    for group in range(file.num_row_groups):
        done = 0
        try:
            for row in _rows_of_group(packed, group):
                yield row
                done += 1
        except pyarrow.ArrowNotImplementedError:
            # lists of texts that hardly recur can't be read packed
            yield from islice(_rows_of_group(file, group), done, None)


def _rows_of_group(file: ParquetFile, group: int) -> Iterator[dict[str, object]]:
    for batch in file.iter_batches(_ROWS_AT_ONCE, row_groups=[group]):
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for number in range(batch.num_rows):
            yield {name: column[number].as_py() for name, column in columns.items()}


def _size(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 0


def _too_much(path: Path) -> InputError:
    return InputError(f"{path}: unpacks to far more than its own size; nothing like a benchmark")
