"""The journal: every reply is stored before it is used, so that none is paid for twice.

A run that was stopped is played again from its journal: the workflow is a function of its replies, so it asks the
same requests, and finds their replies here. A reply is known by everything that could change it: provider, address,
model, messages, sampling, schema, seed, and the key of the call. A reply that ended early or was filtered is kept as
it is, for the workflow went on from there; it is never an answer to another request.

Several processes may write one journal: SQLite's write-ahead log lets all read while one writes, and a transaction
waits for that of another process. Whoever opens the file after a kill finds all that was committed, whoever wrote it.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.llm.chat import ChatModel, ChatReply, ChatRequest, Usage
from dtomtrack.llm.encoding import as_json, encodable
from dtomtrack.llm.journal_rows import (
    COLUMNS,
    INSERT,
    KNOWN_VERSIONS,
    TABLE,
    VERSION,
    WITHOUT_CHECKSUMS,
    Row,
    is_sound,
    reply_of,
    row_of,
)
from dtomtrack.llm.salvage import finish_salvage, salvage
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.llm.usage import UsageTotals

__all__ = [
    "JOURNAL",
    "Journal",
    "Journaled",
    "ReplyStore",
    "journal_totals",
    "key_of_request",
    "model_in",
    "replies_in",
    "totals_in",
]

JOURNAL = "journal.sqlite"
_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
_PAUSE = 0.01
"""Seconds from one batch to the next: each is a transaction, and hands the interpreter to another thread and back."""
_FIND = "select * from replies where key = ?"
_SUMS = """
select count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),
       coalesce(sum(estimated), 0), coalesce(sum(cost), 0.0) from replies
"""
_UNWRITABLE = ("SQLITE_BUSY", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_PERM")
"""What keeps a journal that may be sound from being written."""
_UNFIT = (OverflowError, UnicodeEncodeError)
"""What is wrong with a reply and not with the file: others of its batch are stored."""
_WAY_ON = "--fresh-journal goes on with what of it can be read, and keeps it"


def key_of_request(spec: ModelSpec, request: ChatRequest) -> bytes:
    """SHA-256 of everything that could change the reply."""
    call = request.call
    deciding: list[Any] = [
        (spec.provider, spec.base_url, spec.name),
        (call.unit, call.purpose, call.try_),
        [(message.role, message.content) for message in request.messages],
        (request.max_tokens, request.temperature, request.top_p, request.seed),
        request.schema,
        request.choices,
        request.continues,
    ]
    return hashlib.sha256(as_json(deciding)).digest()


def replies_in(path: Path) -> int:
    """How many replies a journal holds, without opening it for writing; one that can't be read holds some."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as journal:
            found: int = journal.execute("select count(*) from replies").fetchone()[0]
            return found
    except sqlite3.Error:
        return 1


def totals_in(path: Path) -> UsageTotals | None:
    """Sums over the replies in a journal, without opening it for writing; None if there is none that can be read."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as journal:
            return _totals(journal.execute(_SUMS).fetchone())
    except (sqlite3.Error, ValueError):
        return None


def model_in(path: Path) -> str | None:
    """The model of a reply in a journal, as users name it; None if there is none that can be read."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as journal:
            found = journal.execute("select provider, model from replies limit 1").fetchone()
            return None if found is None else "/".join(found)
    except (sqlite3.Error, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row, and who waits until it is on the disk."""

    row: Row
    stored: asyncio.Future[None]

    def tell(self, failed: WriteError | None) -> None:
        """It is there, or can't be; whoever waited may have been cancelled meanwhile."""
        if self.stored.done():
            return
        if failed is None:
            self.stored.set_result(None)
        else:
            self.stored.set_exception(failed)


def journal_totals(path: Path, *, fresh: bool = False) -> UsageTotals:
    """Sums over the replies in a journal, which is made if it is not there.

    Args:
        fresh: if it is damaged, put it aside first, and begin a new one with what of it can be read.

    Raises:
        DatasetError: the file is no journal, or one of another version.
        WriteError: it can't be written.
    """
    if fresh:
        salvage(path)
    journal, totals = _opened(path)
    journal.close()
    return totals


def _opened(path: Path) -> tuple[sqlite3.Connection, UsageTotals]:
    journal = None
    finish_salvage(path)
    try:
        journal = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False, isolation_level=None)
        _prepare(journal, path)
        # looks at every row: a damaged file shows now
        totals = _totals(journal.execute(_SUMS).fetchone())
    except (sqlite3.Error, DatasetError, ValueError) as error:
        if journal is not None:
            journal.close()
        if isinstance(error, DatasetError):
            raise
        if getattr(error, "sqlite_errorname", "").startswith(_UNWRITABLE):
            raise WriteError(f"{path}: can't be written ({error}); is there room, and who may write there?") from error
        raise _damaged(path, error) from error
    return journal, totals


def _totals(sums: Sequence[float]) -> UsageTotals:
    calls, prompt, completion, estimated, cost = sums
    return UsageTotals(
        calls=int(calls),
        prompt_tokens=int(prompt),
        completion_tokens=int(completion),
        estimated=int(estimated),
        cost=float(cost),
    )


def _damaged(path: Path, why: object) -> DatasetError:
    return DatasetError(f"{path}: is damaged, or no journal ({why}); {_WAY_ON}")


def _prepare(journal: sqlite3.Connection, path: Path) -> None:
    version = journal.execute("pragma user_version").fetchone()[0]
    if version not in KNOWN_VERSIONS:
        raise DatasetError(f"{path}: is from another version of dtomtrack; choose another --out, or {_WAY_ON}")
    journal.execute("pragma journal_mode = wal")
    journal.execute("pragma synchronous = normal")
    journal.execute(TABLE)
    if version == WITHOUT_CHECKSUMS and "checksum" not in _columns(journal):
        # a kill may come before the version is written
        journal.execute("alter table replies add column checksum blob")
    if version != VERSION:
        journal.execute(f"pragma user_version = {VERSION}")
    if len(_columns(journal)) != COLUMNS:
        raise _damaged(path, "other columns")


def _columns(journal: sqlite3.Connection) -> Sequence[str]:
    return [row[1] for row in journal.execute("pragma table_info(replies)")]


class Journal:
    """The journal of a run, as one of its processes uses it.

    One thread writes, in one transaction all that has come in by then, a reply after a pause at once; it goes on while
    the event loop is busy.

    Args:
        path: of the file; made if it is not there.

    Attributes:
        before: sums over the replies that it held when it was opened.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        """Open it.

        Args:
            fresh: if it is damaged, put it aside first, and begin a new one with what of it can be read.

        Raises:
            DatasetError: the file is no journal, or one of another version.
            WriteError: it can't be written.
        """
        if fresh:
            salvage(path)
        self._path = path
        self._db, self.before = _opened(path)
        self._reader = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        self._writer = ThreadPoolExecutor(1, "journal")
        self._waiting: deque[_Entry] = deque()
        self._due: asyncio.TimerHandle | None = None
        self._next_at = 0.0

    async def find(self, key: bytes) -> ChatReply | None:
        """The reply with this key, if it was there when the journal was opened; a new one is not searched.

        Raises:
            DatasetError: the file is damaged.
        """
        row = self.row(key) if self.before.calls else None
        return None if row is None else reply_of(row)

    def row(self, key: bytes) -> Row | None:
        """The row with this key, whenever it was stored.

        Raises:
            DatasetError: the file is damaged.
        """
        try:
            row: Row | None = self._reader.execute(_FIND, (key,)).fetchone()
        except sqlite3.Error as error:
            raise _damaged(self._path, error) from error
        if row is not None and not is_sound(row):
            raise _damaged(self._path, "a reply is not what was written")
        return row

    async def store(self, key: bytes, spec: ModelSpec, request: ChatRequest, reply: ChatReply, cost: float) -> None:
        """Store a reply; it is there for good when this returns.

        Raises:
            WriteError: the disk is full or the like.
        """
        await self.keep(row_of(key, spec, request, reply, cost))

    async def keep(self, row: Row) -> None:
        """Store a reply as a row; it is there for good when this returns.

        Raises:
            WriteError: the disk is full or the like.
        """
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[None] = loop.create_future()
        self._waiting.append(_Entry(row, stored))
        if self._due is None:
            self._due = loop.call_at(self._next_at, self._have_written, loop)
        await stored

    def _have_written(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = None
        self._next_at = loop.time() + _PAUSE
        self._writer.submit(self._write, loop)

    def _write(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write all that waits; the thread's."""
        batch: list[_Entry] = []
        with suppress(IndexError):
            while True:
                batch.append(self._waiting.popleft())
        if not batch:
            return
        failed = self._commit([entry.row for entry in batch])
        each = [failed] * len(batch)
        if failed is not None and isinstance(failed.__cause__, _UNFIT):
            each = [self._commit([entry.row]) for entry in batch]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_tell, batch, each)

    def merge(self, rows: Sequence[Row]) -> None:
        """Store rows of another journal, at once and in one transaction; those that are there already stay as they are.

        Raises:
            WriteError: the disk is full or the like.
        """
        failed = self._commit(rows)
        if failed is not None:
            raise failed

    def _commit(self, rows: Sequence[Row]) -> WriteError | None:
        try:
            self._db.execute("begin immediate")
            self._db.executemany(INSERT, rows)
            self._db.execute("commit")
        except (sqlite3.Error, *_UNFIT) as error:
            with suppress(sqlite3.Error):
                self._db.execute("rollback")
            failed = WriteError(f"{self._path}: can't be written ({error}); what is done is safe; try the same again")
            failed.__cause__ = error
            return failed
        return None

    async def close(self) -> None:
        """Write all that is waiting, and close the file."""
        if self._due is not None:
            self._due.cancel()
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writer, self._write, loop)
        self._writer.shutdown()
        self._reader.close()
        self._db.close()


def _tell(batch: Sequence[_Entry], each: Sequence[WriteError | None]) -> None:
    for entry, failed in zip(batch, each, strict=True):
        entry.tell(failed)


class ReplyStore(Protocol):
    """Whoever keeps the replies of models: the journal, or a shard of it."""

    @property
    def before(self) -> UsageTotals:
        """Sums over the replies that were there at first."""
        ...

    async def find(self, key: bytes) -> ChatReply | None:
        """The reply with this key, if it was there at first.

        Raises:
            DatasetError: it is there, and damaged.
        """
        ...

    async def store(self, key: bytes, spec: ModelSpec, request: ChatRequest, reply: ChatReply, cost: float) -> None:
        """Store a reply; it is there for good when this returns.

        Raises:
            WriteError: the disk is full or the like.
        """
        ...

    async def close(self) -> None:
        """Write all that is waiting."""
        ...


class Journaled:
    """A model whose replies go to the journal before they are used, and come from it where they are there.

    Args:
        cost: of a reply, in US dollars.
    """

    def __init__(
        self,
        inner: ChatModel,
        spec: ModelSpec,
        journal: ReplyStore,
        totals: UsageTotals,
        cost: Callable[[Usage], float],
    ) -> None:
        self._inner = inner
        self._spec = spec
        self._journal = journal
        self._totals = totals
        self._cost = cost

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The answer, stored.

        Raises:
            WriteError: it can't be stored.
        """
        key = key_of_request(self._spec, request)
        reply = await self._journal.find(key)
        if reply is not None:
            self._totals.replayed += 1
            return reply
        reply = _storable(await self._inner.chat(request))
        await self._journal.store(key, self._spec, request, reply, self._cost(reply.usage))
        return reply


def _storable(reply: ChatReply) -> ChatReply:
    """The reply as the journal gives it back: a model of one's own may say what no file can hold."""
    text = encodable(reply.text)
    return reply if text is reply.text else replace(reply, text=text)
