"""Lines of JSON as columns, and back to the very same lines.

A record has a column for each field: those of one number, text or choice are typed, all others are JSON text. The
columns follow from the record alone, so that all parts of a dataset have the same, and whoever reads Parquet can read
them together. A field that a line leaves out is null.

pyarrow is imported where it is used: it is an extra, and slow to import.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import from_json, to_json

from dtomtrack.records import Record

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["LineColumns"]

_PLAIN = (str, bool, int, float)
_JSON = "json"
_KIND, _LEFT_OUT = b"dtomtrack.kind", b"dtomtrack.left_out"


class LineColumns:
    """The columns of the lines of a kind of record."""

    def __init__(self, columns: Sequence[_Column]) -> None:
        self._columns = columns

    @classmethod
    def of(cls, record: type[Record]) -> LineColumns:
        """The columns of a record."""
        return cls([_Column.of(name, field) for name, field in record.model_fields.items()])

    @classmethod
    def of_schema(cls, schema: pa.Schema) -> LineColumns:
        """The columns that a file has."""
        return cls([_Column.of_field(field) for field in schema])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(one.name for one in self._columns)

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of the columns that hold JSON text."""
        return tuple(one.name for one in self._columns if one.kind == _JSON)

    def schema(self, notes: Mapping[str, str]) -> pa.Schema:
        """The columns with their types, and notes for the file; each says how it is written in a line."""
        import pyarrow as pa

        kinds = {"str": pa.string(), "bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), _JSON: pa.string()}
        fields = [
            pa.field(one.name, kinds[one.kind], nullable=one.nullable, metadata=one.notes()) for one in self._columns
        ]
        return pa.schema(fields, metadata=dict(notes))

    def cells(self, line: bytes) -> Iterator[object]:
        """The values of a line, in the order of the columns."""
        values = from_json(line)
        return (one.cell(values) for one in self._columns)

    def lines(self, table: pa.Table) -> Iterator[bytes]:
        """The lines of a table with these columns."""
        fragments = [one.fragments(table.column(one.name)) for one in self._columns]
        return (b"{" + b"".join(row)[1:] + b"}\n" for row in zip(*fragments, strict=True))


@dataclass(frozen=True)
class _Column:
    """The column of a field.

    Attributes:
        kind: the type of its values, "json" where they are JSON text.
        left_out: whether a line leaves the field out where it says nothing.
        nullable: whether there may be nothing in a row.
    """

    name: str
    kind: str
    left_out: bool
    nullable: bool

    @classmethod
    def of(cls, name: str, field: FieldInfo) -> _Column:
        """The column of a field of a record."""
        plain, left_out = _plain(field.annotation), field.exclude_if is not None
        nullable = left_out or (plain is not None and _is_optional(field.annotation))
        return cls(name, _JSON if plain is None else plain.__name__, left_out, nullable)

    @classmethod
    def of_field(cls, field: pa.Field) -> _Column:
        """The column as a file has it."""
        notes = field.metadata or {}
        return cls(field.name, notes.get(_KIND, b"str").decode(), _LEFT_OUT in notes, field.nullable)

    def notes(self) -> dict[bytes, bytes]:
        """The notes of a column, so that its file can be read as lines by itself."""
        return {_KIND: self.kind.encode(), **({_LEFT_OUT: b"where null"} if self.left_out else {})}

    def cell(self, line: Mapping[str, object]) -> object:
        """The value in a line, as it stands in the column."""
        if self.left_out and self.name not in line:
            return None
        value = line[self.name]
        return to_json(value).decode() if self.kind == _JSON else value

    def fragments(self, column: pa.ChunkedArray) -> Iterator[bytes]:
        """The part of each line that has this field, with a comma in front; each distinct value is written once."""
        import pyarrow as pa

        packed = column.combine_chunks()
        if not isinstance(packed, pa.DictionaryArray):
            packed = packed.dictionary_encode()
        values: Iterable[object] = packed.dictionary.to_pylist()
        written = (str(value).encode() if self.kind == _JSON else to_json(value) for value in values)
        head = b"," + to_json(self.name) + b":"
        distinct = [head + value for value in written]
        distinct.append(b"" if self.left_out else head + b"null")
        return map(distinct.__getitem__, _positions(packed))


def _positions(packed: pa.DictionaryArray) -> Sequence[int]:
    """Where the value of each row stands among the distinct ones; behind the last where there is none."""
    indices = packed.indices.fill_null(len(packed.dictionary)) if packed.null_count else packed.indices
    if not len(indices):
        return ()
    at: list[int] = memoryview(indices.buffers()[1]).cast("i")[indices.offset :][: len(indices)].tolist()
    return at


def _plain(annotation: object) -> type | None:
    """The type of a number, a text or a choice; None of all else."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _plain(arguments[0])
    if origin in {Union, types.UnionType}:
        kinds = {_plain(one) for one in arguments if one is not types.NoneType}
        return kinds.pop() if len(kinds) == 1 else None
    if origin is Literal:
        return _common(type(one) for one in arguments)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _common(type(one.value) for one in annotation)
    return annotation if isinstance(annotation, type) and annotation in _PLAIN else None


def _common(kinds: Iterable[type]) -> type | None:
    found = set(kinds)
    kind = found.pop() if len(found) == 1 else None
    return kind if kind in _PLAIN else None


def _is_optional(annotation: object) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    return _is_optional(arguments[0]) if origin is Annotated else types.NoneType in arguments
