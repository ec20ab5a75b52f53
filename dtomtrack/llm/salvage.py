"""A damaged journal: what of it can be read goes into a new one, and the old file stays beside it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from dtomtrack.errors import WriteError
from dtomtrack.llm.journal_rows import INSERT, TABLE, VERSION, Row, is_sound

__all__ = ["salvage"]

_ENDS = ("", "-wal", "-shm")
_ORDERS = ("asc", "desc")
"""What stands behind a damaged page is reached from the other end."""


def salvage(path: Path) -> Path | None:
    """Begin a new journal with the sound rows of the old one; gives where the old one is then, if there was one.

    It stays in its place until the new one is whole.

    Raises:
        WriteError: it can't be written.
    """
    if not path.exists():
        return None
    old = next(one for number in count(1) if not (one := path.with_name(f"{path.name}.damaged-{number}")).exists())
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.draft-", dir=path.parent) as folder:
            draft = Path(folder) / path.name
            with closing(sqlite3.connect(draft, isolation_level=None)) as journal:
                journal.execute(TABLE)
                journal.execute(f"pragma user_version = {VERSION}")
                journal.execute("begin")
                journal.executemany(INSERT, _sound_rows(path))
                journal.execute("commit")
            for end in _ENDS:
                part = path.with_name(path.name + end)
                if part.exists():
                    part.rename(old.with_name(old.name + end))
            draft.rename(path)
    except (OSError, sqlite3.Error) as error:
        raise WriteError(f"{path}: can't be made anew ({error}); it is as it was") from error
    return old


def _sound_rows(path: Path) -> Iterator[Row]:
    """The rows that can be read and are what was written; of a copy, for looking at a journal changes it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for end in _ENDS:
            part = path.with_name(path.name + end)
            if part.exists():
                shutil.copy(part, copy.with_name(copy.name + end))
        seen: set[bytes] = set()
        for order in _ORDERS:
            for row in _rows(copy, order):
                if is_sound(row) and row[0] not in seen:
                    seen.add(row[0])
                    yield row


def _rows(path: Path, order: str) -> Iterator[Row]:
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as journal:
        yield from journal.execute(f"select * from replies order by key {order}")  # noqa: S608 - one of two words
