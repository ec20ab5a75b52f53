"""Records as Parquet, written in batches; and the files of a dataset as such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError
from dtomtrack.export.arrow import columns_of
from dtomtrack.export.exportable import ExportSource
from dtomtrack.records import Record
from dtomtrack.runs.data_files import read_records
from dtomtrack.runs.parts import check_pyarrow

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["stem", "table_of", "write_file", "write_parquet_files"]

_BATCH = 1000
"""Rows of a row group: about 10 MB of dialogues."""


def write_parquet_files(source: ExportSource, draft: Path, out: Path) -> None:
    """Write each file that the dataset's items are read from: ``questions.jsonl`` as ``questions.parquet``."""
    for name in source.suite.files:
        write_file(source, name, draft / f"{stem(name)}.parquet")


def stem(name: str) -> str:
    """The name of a file without its ending."""
    return name.removesuffix(".jsonl")


def write_file(source: ExportSource, name: str, path: Path, prompts: Iterable[str] | None = None) -> list[str]:
    """Write a file of the dataset as Parquet; returns the names of the columns.

    Args:
        prompts: a further column, one for each line.

    Raises:
        DatasetError: a line is damaged, or a number is too large for its column.
    """
    import pyarrow as pa

    record = source.suite.records[name]
    lines = partial(_lines, source.folder / name, record)
    columns = columns_of(record, lines)
    rows: Iterator[dict[str, object]] = map(columns.row, lines())
    schema = columns.schema
    if prompts is not None:
        schema = schema.append(pa.field("prompt", pa.string(), nullable=False))
        rows = ({**row, "prompt": prompt} for row, prompt in zip(rows, prompts, strict=True))
    _write_rows(path, schema, rows)
    return list(schema.names)


def table_of(record: type[Record], records: Callable[[], Iterable[Record]]) -> pa.Table:
    """Records as an Arrow table with the columns of the Parquet file of them.

    Raises:
        InputError: pyarrow is not installed.
    """
    check_pyarrow("an Arrow table")
    import pyarrow as pa

    def lines() -> Iterator[dict[str, object]]:
        return (one.model_dump(mode="json") for one in records())

    columns = columns_of(record, lines)
    return pa.Table.from_pylist([columns.row(line) for line in lines()], schema=columns.schema)


def _lines(path: Path, record: type[Record]) -> Iterator[dict[str, object]]:
    return (one.model_dump(mode="json") for one in read_records(path, record))


def _write_rows(path: Path, schema: pa.Schema, rows: Iterator[dict[str, object]]) -> None:
    """Write rows, a batch at a time; the same rows give the same bytes with the same version of pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in rows:
            batch = list(chain([first], islice(rows, _BATCH - 1)))
            try:
                writer.write_batch(pa.RecordBatch.from_pylist(batch, schema))
            except OverflowError as error:
                raise DatasetError(f"{path.name}: a number does not fit into 64 bits ({error})") from error
