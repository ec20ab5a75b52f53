"""Writing into folders that may have come from elsewhere: no draft under a known name, nothing through links."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from dtomtrack.errors import DatasetError

__all__ = [
    "NO_LINKS",
    "draft_of",
    "is_draft",
    "open_to_append",
    "refuse_dead_link",
    "refuse_file_above",
    "refuse_links",
    "write_all",
    "write_atomically",
]

NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
"""The flag with which a link is not opened."""
_DRAFT = ".draft-"


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file so that a reader sees the old one or the new one, whole, even after a crash.

    A link in its place is replaced, not followed.
    """
    with draft_of(path) as draft:
        draft.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def draft_of(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of another once all is written; nothing of it stays if anything is raised."""
    draft = path.with_name(f".{path.name[:80]}{_DRAFT}{secrets.token_hex(8)}")
    binary = getattr(os, "O_BINARY", 0)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINKS | binary, 0o644)
    with ExitStack() as tidying:
        tidying.callback(_drop, draft)
        with os.fdopen(file, "wb") as opened:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        draft.replace(path)
        # it is no draft any more
        tidying.pop_all()


def _drop(draft: Path) -> None:
    with suppress(OSError):
        draft.unlink()


def is_draft(path: Path) -> bool:
    """Whether a file is a draft that a killed process left behind."""
    return path.name.startswith(".") and _DRAFT in path.name and not path.is_symlink()


def refuse_links(paths: Iterable[Path]) -> None:
    """See that none of these is a link, nor anything in them.

    Raises:
        DatasetError: one is; whoever writes there would write elsewhere.
    """
    for path in paths:
        if path.is_symlink():
            raise DatasetError(f"{path}: is a link, and nothing is written through links; put the thing itself there")
        if path.is_dir():
            refuse_links(sorted(path.iterdir()))


def refuse_file_above(out: Path) -> None:
    """See that no file stands where a folder would have to be for another to be made in it.

    Raises:
        DatasetError: one does.
    """
    there = next((one for one in out.parents if one.exists()), None)
    if there is not None and not there.is_dir():
        raise DatasetError(f"{there}: is a file, so there can be no folder {out}; choose another --out")


def refuse_dead_link(out: Path) -> None:
    """See that no link to nowhere stands where a folder is to be made.

    Raises:
        DatasetError: one does.
    """
    dead = next((one for one in (out, *out.parents) if one.is_symlink() and not one.exists()), None)
    if dead is not None:
        raise DatasetError(f"{dead}: is a link to nowhere; make the folder that it leads to, or choose another --out")


def open_to_append(path: Path) -> int:
    """The descriptor of a file to read and append to, which is made if it is not there.

    Raises:
        DatasetError: it is a link, or no ordinary file.
        OSError: it can't be opened.
    """
    refuse_links([path])
    binary = getattr(os, "O_BINARY", 0)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINKS | binary, 0o644)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise DatasetError(f"{path}: is not an ordinary file; choose another --out")
    return file


def write_all(file: int, data: bytes) -> None:
    """Write all of it, however often the system takes a part only.

    Raises:
        OSError: it can't be written, or not all of it.
    """
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
