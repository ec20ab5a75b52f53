"""Published JSON read strictly: an array of objects in plain UTF-8, with every place where something is wrong named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from dtomtrack.errors import InputError

__all__ = ["array_of_records"]

_MARKS = {
    b"\xef\xbb\xbf": "begins with a byte order mark; save it as UTF-8 without one",
    b"\xff\xfe": "is UTF-16; save it as UTF-8",
    b"\xfe\xff": "is UTF-16; save it as UTF-8",
}


def array_of_records(data: bytes, path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The objects of the array that a file holds, each behind its place ("FILE: item 3").

    Raises:
        InputError: it is no such array, holds NaN or Infinity, or is not UTF-8.
    """
    records = _parsed(_text(data, path), path)
    if not isinstance(records, list):
        raise InputError(f"{path}: holds one {_kind(records)}, and has to hold an array of items")
    if not records:
        raise InputError(f"{path}: holds an empty array; a published file has items")
    for number, record in enumerate(records, 1):
        place = f"{path}: item {number}"
        if not isinstance(record, dict):
            raise InputError(f"{place}: is a {_kind(record)}, and has to be an object")
        yield place, record


def _text(data: bytes, path: Path) -> str:
    for mark, reason in _MARKS.items():
        if data.startswith(mark):
            raise InputError(f"{path}: {reason}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    if text[:2].strip("\0") != text[:2]:
        raise InputError(f"{path}: is UTF-16; save it as UTF-8")
    return text


def _parsed(text: str, path: Path) -> object:
    def refuse(word: str) -> NoReturn:
        raise InputError(f"{path}: holds {word}, which is no JSON; put a number or null in its place")

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        torn = error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - 1
        cut = " (is it cut off?)" if torn else ""
        raise InputError(f"{path}:{error.lineno}: is no JSON: {error.msg}{cut}") from None
    except (RecursionError, ValueError):
        raise InputError(f"{path}: is no JSON that can be read (nested too deep, or a number too long)") from None


def _kind(value: object) -> str:
    names = {dict: "object", list: "array", str: "text", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
