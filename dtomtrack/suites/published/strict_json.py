"""Published JSON read strictly: an array of objects in plain UTF-8, with every place where something is wrong named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn, TextIO

from dtomtrack.errors import InputError
from dtomtrack.items.json_stream import array_elements, first_sign

__all__ = ["array_of_records"]

_MARKS = {
    b"\xef\xbb\xbf": "begins with a byte order mark; save it as UTF-8 without one",
    b"\xff\xfe": "is UTF-16; save it as UTF-8",
    b"\xfe\xff": "is UTF-16; save it as UTF-8",
}
_KINDS = {"{": "object", '"': "text", "t": "boolean", "f": "boolean", "n": "null"}


def array_of_records(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The objects of the array that a file holds, one after another, each behind its place ("FILE: item 3").

    Raises:
        InputError: it is no such array, holds NaN or Infinity, is not UTF-8 or can't be read.
    """

    def refuse(word: str) -> NoReturn:
        raise InputError(f"{path}: holds {word}, which is no JSON; put a number or null in its place")

    try:
        _refuse_marks(path)
        with path.open(encoding="utf-8") as file:
            _expect_array(file, path)
            yield from _objects(array_elements(file, str(path), refuse), path)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text ({error.reason}); save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None


def _refuse_marks(path: Path) -> None:
    with path.open("rb") as file:
        begin = file.read(3)
    for mark, reason in _MARKS.items():
        if begin.startswith(mark):
            raise InputError(f"{path}: {reason}")
    if b"\0" in begin[:2]:
        raise InputError(f"{path}: is UTF-16; save it as UTF-8")


def _expect_array(file: TextIO, path: Path) -> None:
    sign = first_sign(file)
    if not sign:
        raise InputError(f"{path}: is empty, and has to hold an array of items")
    if sign != "[":
        raise InputError(f"{path}: holds one {_KINDS.get(sign, 'number')}, and has to hold an array of items")
    file.seek(0)


def _objects(records: Iterator[object], path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    number = 0
    for number, record in enumerate(records, 1):
        place = f"{path}: item {number}"
        if not isinstance(record, dict):
            raise InputError(f"{place}: is {_kind(record)}, and has to be an object")
        yield place, record
    if not number:
        raise InputError(f"{path}: holds an empty array; a published file has items")


def _kind(value: object) -> str:
    names = {list: "an array", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
