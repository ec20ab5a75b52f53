"""A JSON array read element by element, with one element in memory at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TextIO

from dtomtrack.errors import InputError
from dtomtrack.files import LONGEST_RECORD

__all__ = ["array_elements", "begins_array"]

_CHUNK = 1 << 20
_LONGEST_WORD = 32
"""No word or escape of JSON that may be cut is longer."""
_BLANK = re.compile(r"[ \t\n\r]*")


def begins_array(file: TextIO) -> bool:
    """Whether a file begins like an array; it is read to there."""
    while chunk := file.read(_CHUNK):
        bare = chunk.lstrip(" \t\n\r")
        if bare:
            return bare.startswith("[")
    return False


def array_elements(file: TextIO, place: str) -> Iterator[object]:
    """The elements of the array that a file is.

    Raises:
        InputError: it is torn or no JSON; the message says at which element.
    """
    return _Reader(file, place).elements()


class _Reader:
    def __init__(self, file: TextIO, place: str) -> None:
        self._file = file
        self._place = place
        self._text = ""
        self._at = 0
        self._number = 0
        self._ended = False
        self._decode = json.JSONDecoder().raw_decode

    def elements(self) -> Iterator[object]:
        self._expect("[")
        if self._next() != "]":
            yield self._element()
            while self._next() == ",":
                self._at += 1
                self._next()
                yield self._element()
        self._expect("]")
        if self._next():
            raise self._error("there is more behind the end of the list")

    def _next(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def _expect(self, sign: str) -> None:
        found = self._next()
        if found != sign:
            raise self._error(f"{sign!r} has to follow, not {found!r}" if found else "the file ends too early")
        self._at += 1

    def _element(self) -> object:
        """One element; more is read until it is whole."""
        self._number += 1
        while True:
            try:
                element, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._is_torn(error) and self._more():
                    continue
                raise self._error(error.msg) from None
            except (RecursionError, ValueError):
                raise InputError(
                    f"{self._place}: is no JSON that can be read (item {self._number}: nested too deep, or a number "
                    "too long)"
                ) from None
            # a number may go on in the next chunk
            if end == len(self._text) and self._more():
                continue
            self._at = end
            return element

    def _is_torn(self, error: json.JSONDecodeError) -> bool:
        """Whether more text may mend it: what is wrong elsewhere than at the end of what was read stays wrong."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _LONGEST_WORD

    def _more(self) -> bool:
        """Read on, as much again as is waiting, so that a long element is not tried too often."""
        if self._ended:
            return False
        self._text = self._text[self._at :]
        self._at = 0
        if len(self._text) > LONGEST_RECORD:
            raise self._error(f"longer than {LONGEST_RECORD >> 20} MiB, which no item needs to be")
        chunk = self._file.read(max(_CHUNK, len(self._text)))
        self._ended = not chunk
        self._text += chunk
        return not self._ended

    def _error(self, reason: str) -> InputError:
        return InputError(f"{self._place}: is no JSON (item {max(1, self._number)}: {reason})")
