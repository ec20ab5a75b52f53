"""Records as Parquet: typed columns that follow the schema, nested records as structs, written in batches.

pyarrow is imported where it is used: it is an extra, and slow to import.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Union, get_args, get_origin

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.records import Record

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["arrow_schema", "need_pyarrow", "write_parquet"]

_BATCH = 1000
"""Rows of a row group: about 10 MB of dialogues."""


def need_pyarrow(format_name: str) -> None:
    """Say what is missing before any work is done.

    Raises:
        InputError: pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError(f"an export to {format_name} needs an extra: pip install 'dtomtrack[parquet]'") from None


def arrow_schema(record: type[Record]) -> pa.Schema:
    """The columns of a record."""
    import pyarrow as pa

    return pa.schema(_fields(record))


def write_parquet(path: Path, schema: pa.Schema, rows: Iterable[dict[str, object]]) -> None:
    """Write rows, a batch at a time; the same rows give the same bytes with the same version of pyarrow.

    Raises:
        DatasetError: a number is too large for its column.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    left = iter(rows)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in left:
            batch = list(chain([first], islice(left, _BATCH - 1)))
            try:
                writer.write_batch(pa.RecordBatch.from_pylist(batch, schema))
            except OverflowError as error:
                raise DatasetError(f"{path.name}: a number does not fit into 64 bits ({error})") from error


def _fields(record: type[Record]) -> list[pa.Field]:
    return [_field(name, field.annotation) for name, field in record.model_fields.items()]


def _field(name: str, annotation: object) -> pa.Field:
    import pyarrow as pa

    optional = type(None) in get_args(annotation)
    return pa.field(name, _type(annotation), nullable=optional)


def _type(annotation: object) -> pa.DataType:
    """The Arrow type of a field's annotation.

    Raises:
        TypeError: there is none yet for such a field; add it here.
    """
    import pyarrow as pa

    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0])
    if origin in {Union, types.UnionType}:
        (kind,) = (one for one in arguments if one is not type(None))
        return _type(kind)
    if origin is Literal:
        return pa.string()
    if origin is tuple:
        return pa.list_(_field("element", arguments[0]))
    if origin is dict and get_origin(arguments[0]) is Literal:
        return pa.struct([_field(key, arguments[1]) for key in get_args(arguments[0])])
    if isinstance(annotation, type):
        return _plain(annotation)
    raise TypeError(f"no Arrow type for {annotation}")


def _plain(kind: type) -> pa.DataType:
    import pyarrow as pa

    if issubclass(kind, Record):
        return pa.struct(_fields(kind))
    if issubclass(kind, StrEnum):
        return pa.string()
    simple: dict[type, Callable[[], pa.DataType]] = {
        str: pa.string,
        int: pa.int64,
        float: pa.float64,
        bool: pa.bool_,
    }
    if kind not in simple:
        raise TypeError(f"no Arrow type for {kind}")
    return simple[kind]()
