"""The shard of a worker on another machine: the replies of its calls, on its own disk, until the run has them.

A reply goes into the shard before it is used, and to the run at once. What the run did not get, because it was killed
or the worker was, is found in the shard again.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.llm.chat import ChatReply, ChatRequest
from dtomtrack.llm.journal import Journal
from dtomtrack.llm.journal_rows import Row, is_sound, reply_of, row_of
from dtomtrack.llm.salvage import salvage
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.usage import UsageTotals
from dtomtrack.runs.messages import Found, Line, ShardName, Sought, Stored

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = ["Shard", "remove_shard", "rows_of_shard"]

_PATIENCE = 20.0
"""Seconds to wait for a worker that is about to end."""
_PIECE = 16 << 20
"""Bytes of replies that go as one message: as Ray packs it, such a message is in memory twice at either end."""
_ENDS = ("", "-wal", "-shm")


class Shard:
    """The shard of this process, as its models use it.

    Attributes:
        before: no sums: it is new.
        seeking: whether the run may hold replies.
    """

    def __init__(self, name: ShardName, line: Line, *, seeking: bool) -> None:
        """Make the file.

        Raises:
            WriteError: it can't be written.
        """
        path = _path_of(name)
        self.before = UsageTotals()
        self.seeking = seeking
        self._line = line
        self._numbers = count()
        self._sought: dict[int, asyncio.Future[Row | None]] = {}
        try:
            _make_own_folder(path.parent)
            self._lock = _lock_of(path)
            self._lock.acquire(timeout=_PATIENCE)
            self._journal = Journal(path)
            _sign(path, name.run)
        except (OSError, sqlite3.Error) as error:
            raise WriteError(f"{path}: can't be written ({error}); the worker needs room for replies there") from error

    async def find(self, key: bytes) -> ChatReply | None:
        """The reply with this key, if the run holds it."""
        if not self.seeking:
            return None
        number, found = next(self._numbers), asyncio.get_running_loop().create_future()
        self._sought[number] = found
        self._line.send(Sought(number, key))
        row = await found
        return None if row is None else reply_of(row)

    def hear(self, answer: Found) -> None:
        """The run has looked."""
        found = self._sought.pop(answer.number)
        if not found.done():
            found.set_result(answer.row)

    async def store(self, key: bytes, spec: ModelSpec, request: ChatRequest, reply: ChatReply, cost: float) -> None:
        """Store a reply, and send it; it is on this disk when this returns.

        It is sent also where the call is cancelled meanwhile, at the end of a run, say: it is paid for.

        Raises:
            WriteError: the disk is full or the like.
        """
        row = row_of(key, spec, request, reply, cost)
        try:
            await self._journal.keep(row)
        finally:
            self._line.send(Stored((row,)))

    async def close(self) -> None:
        """Nothing: whoever stored has waited, and several models may share this shard."""

    async def end(self) -> None:
        """Close the file; it stays until the run has all of it."""
        await self._journal.close()
        self._lock.release()


def rows_of_shard(name: ShardName, *, fresh: bool = False, after: bytes = b"") -> list[Row] | None:
    """The next replies of a shard whose worker is no more, by their keys, as many as go as one message.

    There are none behind the last, and it is None if the shard is not on this machine.

    Args:
        fresh: put a damaged file aside, and take what of it can be read.
        after: the key of the last reply that was taken.

    Raises:
        DatasetError: it is damaged, belongs to another run, or its worker goes on.
    """
    path = _path_of(name)
    if not path.exists():
        return None
    with _held(path):
        owner = _owner_of(path, fresh=fresh)
        if owner not in {name.run, ""}:
            raise DatasetError(f"{path}: is a shard of another run; move it away")
        if fresh:
            salvage(path)
        return list(_piece(_rows(path, after)))


def remove_shard(name: ShardName) -> None:
    """Remove a shard of which the run has all."""
    path = _path_of(name)
    # what can't be removed is in nobody's way
    with suppress(OSError):
        for end in (*_ENDS, ".lock"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        path.parent.rmdir()


def _path_of(name: ShardName) -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"dtomtrack-{user}" / name.run / f"{name.name}.sqlite"


def _make_own_folder(folder: Path) -> None:
    """Make a folder that nobody else may write: the place is one that all users know."""
    for one in (folder.parent, folder):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = one.lstat()
        foreign = hasattr(os, "getuid") and found.st_uid != os.getuid()
        if not stat.S_ISDIR(found.st_mode) or foreign:
            raise PermissionError(f"{one} belongs to somebody else")


def _lock_of(path: Path) -> FileLock:
    # imported late: only workers on other machines need it
    from filelock import FileLock

    return FileLock(f"{path}.lock", thread_local=False)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Wait until its worker has ended."""
    from filelock import Timeout

    lock = _lock_of(path)
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        raise DatasetError(f"{path}: its worker still goes on; wait for it, or end it, and try again") from None
    try:
        yield
    finally:
        lock.release()


def _sign(path: Path, run: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as shard:
        shard.execute("create table if not exists shard (run text)")
        shard.execute("insert into shard values (?)", (run,))


def _owner_of(path: Path, *, fresh: bool) -> str:
    """The run that a shard belongs to; nothing if it was killed before it was signed, or can't be read."""
    try:
        with closing(sqlite3.connect(path)) as shard:
            tables = shard.execute("select 1 from sqlite_master where name = 'shard'").fetchone()
            signed = shard.execute("select run from shard").fetchone() if tables else None
            return str(signed[0]) if signed else ""
    except sqlite3.Error as error:
        if fresh:
            return ""
        raise _damaged(path, error) from error


def _piece(rows: Iterator[Row]) -> Iterator[Row]:
    """The first of them, until they are as large as a message may be."""
    size = 0
    for row in rows:
        yield row
        size += sum(len(one) for one in row if isinstance(one, str | bytes))
        if size >= _PIECE:
            return


def _rows(path: Path, after: bytes) -> Iterator[Row]:
    try:
        with closing(sqlite3.connect(path)) as shard:
            tables = shard.execute("select 1 from sqlite_master where name = 'replies'").fetchone()
            found = "select * from replies where key > ? order by key"
            for row in shard.execute(found, (after,)) if tables else ():
                if not is_sound(row):
                    raise _damaged(path, "a reply is not what was written")
                yield row
    except sqlite3.Error as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, why: object) -> DatasetError:
    return DatasetError(
        f"{path}: is damaged ({why}); --fresh-journal goes on with what of it can be read, and keeps it"
    )
