"""The run whose journal it is: a name that stays the same in all sessions, for logs and spans."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from dtomtrack.errors import WriteError
from dtomtrack.llm.tracing import RunTrace

__all__ = ["run_of_journal"]

_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
_TABLE = "create table if not exists run (id text)"
_NAME = "insert into run select ? where not exists (select 1 from run)"


def run_of_journal(path: Path) -> RunTrace:
    """A new session of the run that a journal is of; it gets its name when this is first asked.

    Args:
        path: of a journal that is there.

    Raises:
        WriteError: it can't be written.
    """
    new = RunTrace()
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as journal:
            journal.execute(_TABLE)
            journal.execute(_NAME, (new.id,))
            return replace(new, id=str(journal.execute("select id from run").fetchone()[0]))
    except sqlite3.Error as error:
        raise WriteError(f"{path}: can't be written ({error}); is there room, and who may write there?") from error
