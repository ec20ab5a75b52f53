"""The Arrow schema of a record: typed columns, nested records as structs.

A mapping with keys of its own becomes a struct of the keys that occur in the data, since readers of Parquet know
structs better than maps; one without any is null. What may be of several types becomes JSON text.

pyarrow is imported where it is used: it is an extra, and slow to import.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from dtomtrack.records import Record

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Columns", "columns_of"]

Path = tuple[str, ...]
"""Where a value stands in a record: names of fields, and "*" for the elements of a list."""

_ELEMENT = "*"
_LISTS = (tuple, list, Sequence)
_MAPPINGS = (dict, Mapping)


class Columns:
    """The columns of a record.

    Attributes:
        open: whether there are mappings whose keys are not fixed, so that they have to be looked for in the data.
        schema: the columns.
    """

    def __init__(self, record: type[Record], keys: Mapping[Path, Set[str]] | None = None) -> None:
        import pyarrow as pa

        self._keys = keys or {}
        self._as_text: set[Path] = set()
        self._emptied: set[Path] = set()
        self.open = False
        self.schema: pa.Schema = pa.schema(self._fields(record, ()))

    def row(self, line: Mapping[str, object]) -> dict[str, object]:
        """A line of JSON as a row of these columns."""
        return {name: self._value(value, (name,)) for name, value in line.items()}

    def _value(self, value: Any, path: Path) -> object:
        if path in self._emptied:
            return None
        if path in self._as_text:
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, dict):
            return {key: self._value(one, (*path, key)) for key, one in value.items()}
        if isinstance(value, list):
            return [self._value(one, (*path, _ELEMENT)) for one in value]
        return value

    def _fields(self, record: type[Record], path: Path) -> list[pa.Field]:
        return [
            self._field(name, field.annotation, path, absent=field.exclude_if is not None)
            for name, field in record.model_fields.items()
        ]

    def _field(self, name: str, annotation: object, path: Path, *, absent: bool = False) -> pa.Field:
        """A column; ``absent`` of a field that lines leave out where it says nothing."""
        import pyarrow as pa

        kind = self._type(annotation, (*path, name))
        nullable = absent or type(None) in get_args(annotation) or pa.types.is_null(kind)
        return pa.field(name, kind, nullable=nullable)

    def _type(self, annotation: object, path: Path) -> pa.DataType:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self._type(arguments[0], path)
        if origin in {Union, types.UnionType}:
            kinds = [one for one in arguments if one is not type(None)]
            return self._type(kinds[0], path) if len(kinds) == 1 else self._text(path)
        if origin in _MAPPINGS:
            return self._mapping(arguments[0], arguments[1], path)
        if origin in _LISTS:
            return self._list(arguments, path)
        if origin is Literal:
            return self._plain(type(arguments[0]), path)
        return self._plain(annotation, path) if isinstance(annotation, type) else self._text(path)

    def _mapping(self, key: object, value: object, path: Path) -> pa.DataType:
        import pyarrow as pa

        fixed = get_origin(key) is Literal
        self.open |= not fixed
        names = get_args(key) if fixed else sorted(self._keys.get(path, ()))
        fields = [self._field(name, value, path) for name in names]
        if not fields:
            self._emptied.add(path)
            return pa.null()
        return pa.struct(fields if fixed else [field.with_nullable(True) for field in fields])

    def _list(self, arguments: tuple[object, ...], path: Path) -> pa.DataType:
        import pyarrow as pa

        kinds = {one for one in arguments if one is not Ellipsis}
        if len(kinds) != 1:
            return self._text(path)
        (kind,) = kinds
        element = self._type(kind, (*path, _ELEMENT))
        return pa.list_(
            pa.field("element", element, nullable=type(None) in get_args(kind) or pa.types.is_null(element))
        )

    def _plain(self, kind: type, path: Path) -> pa.DataType:
        import pyarrow as pa

        if issubclass(kind, Record):
            return pa.struct(self._fields(kind, path))
        if issubclass(kind, Enum):
            return self._plain(type(next(iter(kind)).value), path)
        simple: dict[type, Callable[[], pa.DataType]] = {
            str: pa.string,
            bool: pa.bool_,
            int: pa.int64,
            float: pa.float64,
        }
        return simple[kind]() if kind in simple else self._text(path)

    def _text(self, path: Path) -> pa.DataType:
        import pyarrow as pa

        self._as_text.add(path)
        return pa.string()


def columns_of(record: type[Record], lines: Callable[[], Iterable[Mapping[str, object]]]) -> Columns:
    """The columns of a record, for these lines; they are read only if that is needed."""
    columns = Columns(record)
    if not columns.open:
        return columns
    keys: dict[Path, set[str]] = {}
    for line in lines():
        for path, key in _keys(line, ()):
            keys.setdefault(path, set()).add(key)
    return Columns(record, keys)


def _keys(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """All keys that occur in a value, each with where its mapping stands."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield path, key
            yield from _keys(one, (*path, key))
    elif isinstance(value, list):
        for one in value:
            yield from _keys(one, (*path, _ELEMENT))
