"""Whatever a suite's records are made of has a column in Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

import pyarrow as pa
import pytest
from pydantic import Field, JsonValue

from dtomtrack.export.arrow import columns_of
from dtomtrack.records import Record, Text


class Colour(StrEnum):
    RED = "red"


class Inner(Record):
    names: dict[str, Text] = Field(default_factory=dict)
    size: int | None = None


class Everything(Record):
    text: Annotated[str, Field(min_length=1)] = "x"
    number: int = 1
    share: float = 0.5
    sure: bool = True
    colour: Colour = Colour.RED
    letter: Literal["A", "B"] = "A"
    version: Literal[1, 2] = 1
    nothing: float | None = None
    several: tuple[Annotated[int, Field(ge=0)], ...] = (1, 2)
    listed: Sequence[str] = ("a",)
    pair: tuple[int, int] = (1, 2)
    odd_pair: tuple[int, str] = (1, "b")
    fixed: dict[Literal["A", "B"], int] = Field(default={"A": 1, "B": 2})
    open: dict[str, Inner] = Field(default_factory=dict)
    either: str | tuple[str, ...] = "a"
    anything: JsonValue = None
    rows: tuple[Inner, ...] = ()


def table_of(*records: Everything) -> tuple[pa.Schema, list[dict[str, Any]]]:
    """The schema of records, and what comes back from a table of them."""
    dumped = [one.model_dump(mode="json") for one in records]
    columns = columns_of(Everything, lambda: dumped)
    table = pa.Table.from_pylist([columns.row(line) for line in dumped], columns.schema)
    return columns.schema, table.to_pylist()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("text", "string"),
        ("number", "int64"),
        ("share", "double"),
        ("sure", "bool"),
        ("colour", "string"),
        ("letter", "string"),
        ("version", "int64"),
        ("nothing", "double"),
        ("several", "list<element: int64 not null>"),
        ("listed", "list<element: string not null>"),
        ("pair", "list<element: int64 not null>"),
        ("odd_pair", "string"),
        ("fixed", "struct<A: int64 not null, B: int64 not null>"),
        ("either", "string"),
        ("anything", "string"),
        ("open", "null"),
    ],
)
def test_a_field_has_a_column_of_its_type(name: str, kind: str) -> None:
    schema, _ = table_of(Everything())
    assert str(schema.field(name).type) == kind


def test_only_what_may_be_missing_may_be_null() -> None:
    schema, _ = table_of(Everything())
    assert schema.field("nothing").nullable
    assert not schema.field("number").nullable


def test_a_mapping_has_the_keys_that_occur_anywhere() -> None:
    one = Everything(open={"b": Inner(names={"x": "y"})}, rows=(Inner(), Inner(names={"z": "1"})))
    two = Everything(open={"a": Inner(size=3)})
    schema, rows = table_of(one, two)
    opened = schema.field("open").type
    assert [opened.field(number).name for number in range(opened.num_fields)] == ["a", "b"]
    assert rows[0]["open"] == {"a": None, "b": {"names": {"x": "y"}, "size": None}}
    assert rows[1]["open"]["a"]["size"] == 3
    assert rows[0]["rows"] == [{"names": {"z": None}, "size": None}, {"names": {"z": "1"}, "size": None}]


def test_what_may_be_of_several_types_is_json() -> None:
    _, rows = table_of(Everything(either=("a", "b"), anything={"deep": [1, "ü"]}), Everything())
    assert (rows[0]["either"], rows[0]["anything"]) == ('["a", "b"]', '{"deep": [1, "ü"]}')
    assert (rows[1]["either"], rows[1]["anything"]) == ('"a"', "null")
