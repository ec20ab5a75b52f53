"""A folder that is there whole or not at all, and never instead of another."""

from __future__ import annotations

import filecmp
import glob
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import gethostname

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.runs.files import refuse_file_above

__all__ = ["new_folder"]

_MACHINE = f"{zlib.crc32(gethostname().encode()):08x}"


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A draft folder to write to, which becomes ``path`` at the end; nothing of it stays if anything is raised.

    Where ``path`` holds the very files that were written, it stays as it is (and so does what else is in it).

    Raises:
        DatasetError: it holds something else, or what it is to be in is a file.
        WriteError: it can't be written.
    """
    refuse_file_above(path)
    path = path.resolve()
    if path.exists() and not path.is_dir():
        raise DatasetError(f"{path}: is not a folder; choose another --out")
    _remove_left_behind(path)
    draft = path.parent / f"{_draft_prefix(path)}{_MACHINE}-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        draft.mkdir(parents=True)
        try:
            yield draft
            _settle(draft, path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); choose another --out") from error


def _draft_prefix(path: Path) -> str:
    return f".{path.name[:60]}.draft-"


def _remove_left_behind(path: Path) -> None:
    """Remove drafts of processes of this machine that were killed; of others nobody here knows."""
    prefix = f"{_draft_prefix(path)}{_MACHINE}-"
    for entry in path.parent.glob(f"{glob.escape(prefix)}*"):
        process = entry.name.removeprefix(prefix).partition("-")[0]
        if entry.is_dir() and not entry.is_symlink() and process.isdecimal() and not _is_alive(int(process)):
            shutil.rmtree(entry, ignore_errors=True)


def _is_alive(process: int) -> bool:
    if os.name == "nt":
        # there, to ask is to interrupt
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _settle(draft: Path, path: Path) -> None:
    if path.is_dir() and any(path.iterdir()):
        for file in sorted(draft.rglob("*")):
            _check_same(file, path / file.relative_to(draft), path)
        return
    try:
        draft.rename(path)
    except FileExistsError:
        # on Windows nothing takes the place even of an empty folder; one that was filled meanwhile is not removed
        path.rmdir()
        draft.rename(path)


def _check_same(ours: Path, theirs: Path, folder: Path) -> None:
    same = theirs.is_dir() if ours.is_dir() else theirs.is_file() and filecmp.cmp(ours, theirs, shallow=False)
    if not same:
        raise DatasetError(
            f"{folder}: holds something else than this export ({theirs.relative_to(folder)} would be "
            f"{'replaced' if theirs.exists() else 'added'}); nothing was changed; choose another --out"
        )
