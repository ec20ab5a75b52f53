"""JSON arrays and objects read element by element, with one element in memory at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Protocol

from dtomtrack.errors import InputError
from dtomtrack.files import LONGEST_RECORD

__all__ = ["JsonText", "TwiceError", "array_elements", "elements_under", "first_sign", "object_members", "once_each"]

_CHUNK = 1 << 20
_LONGEST_WORD = 32
"""No word or escape of JSON that may be cut is longer."""
_BLANK = re.compile(r"[ \t\n\r]*")
_SHOWN_NAME = 40
_CUT = "the file ends too early; is it cut off?"


class TwiceError(ValueError):
    """A name stands twice in an object: which value is meant, nobody can say."""


def once_each(members: list[tuple[str, object]]) -> dict[str, object]:
    """The members of an object.

    Raises:
        TwiceError: two have the same name.
    """
    found = dict(members)
    if len(found) < len(members):
        names = [name for name, _ in members]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise TwiceError(f"{twice[:_SHOWN_NAME]!r} stands twice in an object")
    return found


class JsonText(Protocol):
    """Text that is read piece by piece, as that of a file is."""

    def read(self, size: int, /) -> str:
        """The next characters, at most so many; empty at the end."""
        ...


def first_sign(text: JsonText) -> str:
    """The first character that is no space; empty where there is none. The text is read to there."""
    while chunk := text.read(_CHUNK):
        bare = chunk.lstrip(" \t\n\r")
        if bare:
            return bare[0]
    return ""


def array_elements(
    text: JsonText, place: str, refuse_constant: Callable[[str], object] | None = None, line: int = 1
) -> Iterator[object]:
    """The elements of the array that a text is.

    Args:
        place: the text's name, as errors give it.
        refuse_constant: called for ``NaN`` and infinities, which are read if it is not given.
        line: of the file, with which the text begins.

    Raises:
        InputError: it is torn or no JSON, or an element is longer than `LONGEST_RECORD`; the message says in which
            line and at which element.
    """
    return _Reader(text, place, refuse_constant, line).array()


def object_members(text: JsonText, place: str) -> Iterator[tuple[str, object]]:
    """The names and values of the object that a text is.

    Raises:
        InputError: as for `array_elements`.
    """
    return _Reader(text, place).members()


def elements_under(text: JsonText, place: str, name: str) -> Iterator[object]:
    """The elements of the array that an object has under a name.

    Raises:
        InputError: as for `array_elements`; or there is none under this name.
    """
    return _Reader(text, place).under(name)


class _Reader:
    def __init__(
        self, text: JsonText, place: str, refuse_constant: Callable[[str], object] | None = None, line: int = 1
    ) -> None:
        self._source = text
        self._place = place
        self._text = ""
        self._at = 0
        self._line = line
        self._where = "item 1"
        self._ended = False
        self._decode = json.JSONDecoder(parse_constant=refuse_constant, object_pairs_hook=once_each).raw_decode

    def array(self) -> Iterator[object]:
        yield from self._elements()
        self._end("list")

    def members(self) -> Iterator[tuple[str, object]]:
        for name in self._names():
            yield name, self._value()
        self._end("object")

    def under(self, wanted: str) -> Iterator[object]:
        found, others = False, []
        for name in self._names():
            if name == wanted and self._next() == "[":
                found = True
                yield from self._elements()
            else:
                self._value()
                others.append(name[:_SHOWN_NAME])
        self._end("object")
        if not found:
            if wanted in others:
                raise InputError(f"{self._place}: has no list under {wanted!r}; items have to be one")
            has = ", ".join(map(repr, others[:8])) or "nothing"
            raise InputError(
                f"{self._place}: has to be a list of items, or an object with one under {wanted!r}; it has {has}"
            )

    def _elements(self) -> Iterator[object]:
        for number, _ in enumerate(self._parts("[", "]"), 1):
            self._where = f"item {number}"
            yield self._value()

    def _names(self) -> Iterator[str]:
        for _ in self._parts("{", "}"):
            name = self._value() if self._next() == '"' else None
            if not isinstance(name, str):
                raise self._error("a name in quotes has to follow")
            self._where = f"under {name[:_SHOWN_NAME]!r}"
            self._expect(":")
            self._next()
            yield name

    def _parts(self, begin: str, end: str) -> Iterator[None]:
        """Stops where each part begins; who goes on has to have read it."""
        self._expect(begin)
        if self._next() != end:
            yield
            while self._next() == ",":
                self._at += 1
                self._next()
                yield
        self._expect(end)

    def _end(self, kind: str) -> None:
        found = self._next()
        if kind == "object" and found == "{":
            raise InputError(f"{self._place}: holds one object behind another; name it .jsonl if these are JSON Lines")
        if found:
            raise self._error(f"there is more behind the end of the {kind}")

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
            raise self._error(f"{sign!r} has to follow, not {found!r}" if found else _CUT)
        self._at += 1

    def _value(self) -> object:
        """One value; more is read until it is whole."""
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                reason = self._error(_CUT if self._is_cut(error) else error.msg, error.pos)
                if self._is_torn(error) and self._more():
                    continue
                raise reason from None
            except TwiceError as error:
                raise self._error(str(error)) from None
            except (RecursionError, ValueError):
                raise InputError(
                    f"{self._place}: is no JSON that can be read ({self._where}: nested too deep, or a number too long)"
                ) from None
            # a number may go on in the next chunk, perhaps behind the point or the "e+" that stands there
            if isinstance(value, int | float) and end + 2 >= len(self._text) and not self._ended:
                self._more()
                continue
            self._at = end
            return value

    def _is_torn(self, error: json.JSONDecodeError) -> bool:
        """Whether more text may mend it: what is wrong elsewhere than at the end of what was read stays wrong."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _LONGEST_WORD

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text.rstrip())

    def _more(self) -> bool:
        """Read on, as much again as is waiting, so that a long element is not tried too often."""
        if self._ended:
            return False
        self._line += self._text.count("\n", 0, self._at)
        self._text = self._text[self._at :]
        self._at = 0
        if len(self._text) > LONGEST_RECORD:
            raise self._error(f"longer than {LONGEST_RECORD >> 20} MiB, which no item needs to be")
        chunk = self._source.read(min(max(_CHUNK, len(self._text)), LONGEST_RECORD + 1 - len(self._text)))
        self._ended = not chunk
        self._text += chunk
        return not self._ended

    def _error(self, reason: str, at: int | None = None) -> InputError:
        """What is wrong, with the line of the file; where it was read to, if it is not said."""
        line = self._line + self._text.count("\n", 0, self._at if at is None else at)
        return InputError(f"{self._place}:{line}: is no JSON ({self._where}: {reason})")
