"""Locks on folders, among processes of one machine: one may write, or several may read.

The operating system holds them, so that none outlasts a process that was killed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import DatasetError

if TYPE_CHECKING:
    from filelock import ReadWriteLock

__all__ = ["LOCK", "reading", "writing"]

LOCK = ".lock"
"""The file in a folder that is locked; nothing is ever written into it."""


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Nobody else reads or writes a folder meanwhile.

    Raises:
        DatasetError: somebody does, or what should be the lock is something else.
        OSError: the folder is not there, or can't be written.
    """
    # imported late: commands that only look something up don't need it
    from filelock import Timeout

    with ExitStack() as exits:
        try:
            _lock(folder, exits).acquire_write()
        except Timeout:
            raise DatasetError(
                f"{folder}: another run is writing this folder, or reading it; wait for it or choose another folder"
            ) from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise _told(folder, error) from error
        except OSError as error:
            if not (folder / LOCK).exists() or (folder / LOCK).is_file():
                raise
            raise DatasetError(
                f"{folder / LOCK}: is no file; what locks this folder has to be one, so remove it"
            ) from error
        yield


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Nobody writes a folder meanwhile; several may read it. One in which no lock can be made is not locked.

    Raises:
        DatasetError: somebody writes it.
    """
    from filelock import Timeout

    with ExitStack() as exits:
        try:
            _lock(folder, exits).acquire_read()
        except Timeout:
            raise DatasetError(f"{folder}: another run is writing this folder; wait for it") from None
        except (sqlite3.DatabaseError, ValueError) as error:
            raise _told(folder, error) from error
        except OSError:
            # a medium, or a user, that may only read: even opening the lock may be refused
            pass
        yield


def _lock(folder: Path, exits: ExitStack) -> ReadWriteLock:
    """The lock of a folder, which nobody holds yet and which is closed at the end."""
    from filelock import ReadWriteLock

    lock = ReadWriteLock(folder / LOCK, blocking=False, is_singleton=False)
    exits.callback(lock.close)
    return lock


def _told(folder: Path, error: Exception) -> DatasetError:
    """What SQLite or filelock has against the file, as a sentence: it is damaged, or its disk locks no files."""
    if isinstance(error, sqlite3.OperationalError):
        return DatasetError(
            f"{folder / LOCK}: can't be locked ({error}); network shares may not be able to, so choose a folder on a "
            "disk of this machine"
        )
    if isinstance(error, ValueError):
        return DatasetError(
            f"{folder / LOCK}: is no lock but another program's database; choose another folder, or remove it if "
            "nothing needs it"
        )
    return DatasetError(f"{folder / LOCK}: is damaged; nothing is ever in it, so delete it")
