"""Files that others made, read within bounds: a file takes no more memory than what is in it is worth."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, TextIO

from dtomtrack.errors import DatasetError, InputError

__all__ = [
    "LONGEST_RECORD",
    "as_argument",
    "bounded_lines",
    "bounded_text",
    "is_something_else",
    "opened",
    "refuse_special",
    "text_of",
]

LONGEST_RECORD = 3 << 20
"""Bytes of the longest line, or element of a list, that is read: some million tokens. Parsed, it may take 50 times
that."""
_LONGEST_TEXT = 1_000_000
_LONGEST_NAME = 200


def as_argument(path: Path) -> str:
    """A path as a command takes it that would take a name with a dash in front for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def opened(path: Path) -> BufferedReader:
    """A data file, to be read as it stands on the disk.

    Raises:
        DatasetError: it is a pipe or another thing from which nothing might ever come.
        OSError: it can't be opened.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise DatasetError(f"{path}: is not an ordinary file")
    return path.open("rb")


def bounded_lines(
    file: BinaryIO, name: Path | str, error: type[InputError] = DatasetError, most: int = LONGEST_RECORD
) -> Iterator[bytes]:
    """The lines of a file, of which ``name`` is told in messages.

    Args:
        most: bytes of a line.

    Raises:
        InputError: of the kind that is given: a line is longer.
    """
    number = 0
    while line := file.readline(most + 1):
        number += 1
        if len(line) > most:
            raise error(f"{name}:{number}: is longer than {most >> 20} MiB, which no record needs to be")
        yield line


def bounded_text(file: TextIO, name: Path | str) -> Iterator[str]:
    """The lines of a file of text.

    Raises:
        InputError: a line is longer than `LONGEST_RECORD`.
    """
    number = 0
    while line := file.readline(LONGEST_RECORD + 1):
        number += 1
        if len(line) > LONGEST_RECORD:
            raise InputError(f"{name}:{number}: is longer than {LONGEST_RECORD >> 20} MiB, which no record needs to be")
        yield line


def is_something_else(path: Path, beginning: str) -> bool:
    """Whether there is a file of this name that is not empty and begins otherwise than what is to be written there."""
    try:
        with path.open("rb") as file:
            begun = file.read(len(beginning.encode()))
    except OSError:
        # whatever it is: it is told when there is something to write
        return False
    return bool(begun) and begun != beginning.encode()


def refuse_special(path: Path) -> None:
    """See that a path leads to a file or a folder, if to anything: from a pipe nothing might ever come.

    Raises:
        InputError: it leads round in a circle, or to something else.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path}: is not an ordinary file")
    if path.is_symlink() and not path.exists():
        raise InputError(f"{path}: is a link to nowhere; name the file or folder itself")


def text_of(path: Path, kind: str, error: type[InputError] = InputError, most: int = _LONGEST_TEXT) -> str:
    """The text of a file of some kind ("pack", say) that is small by nature.

    Args:
        most: bytes that it may have.

    Raises:
        FileNotFoundError: there is none.
        NotADirectoryError: what it should be in is no folder.
        InputError: of the kind that is given: it is larger, no ordinary file, no UTF-8 text or can't be read.
    """
    name = str(path)[:_LONGEST_NAME]
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise error(f"{name}: is a folder; it has to be a file")
        if not stat.S_ISREG(found.st_mode):
            raise error(f"{name}: is not an ordinary file")
        if found.st_size > most:
            raise error(f"{name}: is larger than {most / 1_000_000:.2g} MB, which no {kind} needs to be")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        raise error(f"{name}: is not UTF-8 text") from wrong
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as wrong:
        raise error(f"{name}: can't be read ({wrong.strerror})") from wrong
    except ValueError as wrong:
        raise error(f"{name}: is no path ({wrong})") from wrong
