"""Records as Parquet, written in batches; and the files of a dataset as such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic_core import from_json

from dtomtrack.errors import DatasetError
from dtomtrack.export.arrow import columns_of
from dtomtrack.export.exportable import ExportSource
from dtomtrack.records import Record
from dtomtrack.runs.data_files import read_records
from dtomtrack.runs.line_columns import LineColumns
from dtomtrack.runs.parts import Parts, check_pyarrow

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["stem", "table_of", "table_of_parts", "write_file", "write_parquet_files"]

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


def table_of_parts(record: type[Record], file: Path) -> pa.Table:
    """The same table as `table_of` gives, of a data file in parts: columns are taken as they are, not row by row.

    Args:
        file: where the file of JSON lines would be.

    Raises:
        DatasetError: a part is torn, missing or of another run.
    """
    import pyarrow as pa

    whole = pa.concat_tables(Parts(file).tables())
    packed = {name: whole.column(name).combine_chunks() for name in whole.column_names}
    # each distinct JSON text is read once
    nested = {
        name: [from_json(text) for text in packed[name].dictionary.to_pylist()] for name in LineColumns.of(record).texts
    }
    columns = columns_of(record, lambda: ({name: value} for name, values in nested.items() for value in values))
    arrays = []
    for field in columns.schema:
        column, values = packed[field.name], nested.get(field.name)
        if values is None:
            arrays.append(column.cast(field.type))
        else:
            rows = (columns.row({field.name: value}) for value in values)
            arrays.append(pa.array([row[field.name] for row in rows], field.type).take(column.indices))
    return pa.Table.from_arrays(arrays, schema=columns.schema)


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
