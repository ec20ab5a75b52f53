"""A damaged journal: what of it can be read goes into a new one, and the old file stays beside it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from dtomtrack.errors import WriteError
from dtomtrack.llm.journal_rows import COLUMNS, INSERT, KNOWN_VERSIONS, TABLE, VERSION, Row, is_sound

__all__ = ["finish_salvage", "salvage"]

_LOGS = ("-wal", "-shm")
_ORDERS = ("asc", "desc")
"""What stands behind a damaged page is reached from the other end."""


def salvage(path: Path) -> Path | None:
    """Put a new journal with the sound rows of a damaged one in its place; gives where the old one is then.

    None where there is none, or one that is whole, which stays as it is. A kill at any moment leaves the old one or the
    new one.

    Raises:
        WriteError: it can't be written.
    """
    finish_salvage(path)
    if not path.exists():
        return None
    for left_behind in path.parent.glob(f"{_draft_name(path)}*"):
        shutil.rmtree(left_behind, ignore_errors=True)
    try:
        with tempfile.TemporaryDirectory(prefix=_draft_name(path), dir=path.parent) as folder:
            draft = Path(folder) / path.name
            with _copied(path) as copy:
                if _is_whole(copy):
                    return None
                _write(draft, _sound_rows(copy))
            old = _kept(path)
            draft.replace(_made(path))
    except (OSError, sqlite3.Error) as error:
        raise WriteError(f"{path}: can't be made anew ({error}); it is as it was") from error
    finish_salvage(path)
    return old


def finish_salvage(path: Path) -> None:
    """Put a journal in its place that was made anew, if there is one: whoever made it may have been killed before that.

    The log of the old one goes first: it would be played over the new one.

    Raises:
        WriteError: it can't be written.
    """
    if not _made(path).exists():
        return
    try:
        for end in _LOGS:
            path.with_name(path.name + end).unlink(missing_ok=True)
        _made(path).replace(path)
    except OSError as error:
        told = f"{path}: can't be replaced by {_made(path).name}, which was made of it ({error}); try the same again"
        raise WriteError(told) from error


def _made(path: Path) -> Path:
    return path.with_name(f"{path.name}.salvaged")


def _draft_name(path: Path) -> str:
    return f".{path.name}.draft-"


def _write(draft: Path, rows: Iterator[Row]) -> None:
    with closing(sqlite3.connect(draft, isolation_level=None)) as journal:
        journal.execute(TABLE)
        journal.execute(f"pragma user_version = {VERSION}")
        journal.execute("begin")
        journal.executemany(INSERT, rows)
        journal.execute("commit")


def _kept(path: Path) -> Path:
    """Another name of a journal and its log, under which they stay."""
    old = next(one for number in count(1) if not (one := path.with_name(f"{path.name}.damaged-{number}")).exists())
    for end in ("", *_LOGS):
        part, kept = path.with_name(path.name + end), old.with_name(old.name + end)
        if part.exists():
            try:
                kept.hardlink_to(part)
            except OSError:
                shutil.copy(part, kept)
    return old


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """A copy of a journal, for looking at one changes it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for end in ("", *_LOGS):
            part = path.with_name(path.name + end)
            if part.exists():
                shutil.copy(part, copy.with_name(copy.name + end))
        yield copy


def _is_whole(path: Path) -> bool:
    """Whether SQLite finds nothing wrong, and every reply is what was written."""
    try:
        with closing(sqlite3.connect(path)) as journal:
            (version,), (found,) = (
                journal.execute(f"pragma {one}").fetchone() for one in ("user_version", "quick_check")
            )
            columns = len(journal.execute("pragma table_info(replies)").fetchall())
            whole = version in KNOWN_VERSIONS and found == "ok" and columns in {COLUMNS, COLUMNS - 1}
            return whole and all(map(is_sound, _of_now(journal.execute("select * from replies"))))
    except sqlite3.Error:
        return False


def _sound_rows(path: Path) -> Iterator[Row]:
    """The rows that can be read and are what was written."""
    seen: set[bytes] = set()
    for order in _ORDERS:
        for row in _of_now(_rows(path, order)):
            if is_sound(row) and row[0] not in seen:
                seen.add(row[0])
                yield row


def _rows(path: Path, order: str) -> Iterator[Row]:
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as journal:
        yield from journal.execute(f"select * from replies order by key {order}")  # noqa: S608 - one of two words


def _of_now(rows: Iterable[Row]) -> Iterator[Row]:
    """Rows as they are written now: those of version 2 end before the checksum."""
    return (row if len(row) != COLUMNS - 1 else (*row, None) for row in rows)
