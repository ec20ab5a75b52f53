"""Somebody else at this machine, who may only read what others may, for tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["open_to_all", "somebody_else"]

_NOBODY = 65534


@contextmanager
def somebody_else() -> Iterator[None]:
    """This process without the rights that root has; whoever else runs the tests has none to lose.

    What is imported meanwhile may be out of reach, so have it imported before.
    """
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def open_to_all(folder: Path) -> None:
    """Let everybody read a folder and nobody write it; locks stay their owner's, as they are made."""
    for path in (folder, *folder.rglob("*")):
        if path.name != ".lock":
            path.chmod(0o555 if path.is_dir() else 0o444)
    lock = folder / ".lock"
    if lock.exists():
        # as its owner sees the lock of another
        lock.chmod(0o600 if os.geteuid() == 0 else 0o000)
