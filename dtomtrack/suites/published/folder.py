"""The files of a published benchmark in a folder: which are there, which are missing, and whether they are official."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from dtomtrack.errors import InputError

__all__ = ["LARGEST", "FoundFile", "FoundFolder", "KnownFile", "blob_hash", "find_files"]

LARGEST = 8 << 20
"""Bytes of a file; published ones have up to four million. In memory its records may take 30 times that."""
_PLACES = ("", "data")
"""Where in a clone its files may stand: at the root, or in its folder of data."""


@dataclass(frozen=True)
class KnownFile:
    """A file of the official release.

    Attributes:
        name: of the file.
        blob: the beginning of its hash as git has it, twelve digits or more.
    """

    name: str
    blob: str


@dataclass(frozen=True)
class FoundFile:
    """A file of the benchmark that is there.

    Attributes:
        blob: its hash as git has it; ``sha256``: that of its bytes alone.
        official: whether these are the very bytes of the release.
    """

    name: str
    path: Path
    size: int
    sha256: str
    blob: str
    official: bool


@dataclass(frozen=True)
class FoundFolder:
    """The files of a benchmark that a folder holds, in the order of the release, and the names of those it lacks."""

    files: tuple[FoundFile, ...]
    missing: tuple[str, ...]

    @property
    def official(self) -> bool:
        """Whether every file that is there is that of the release."""
        return all(one.official for one in self.files)

    def entries(self) -> list[JsonValue]:
        """The files for a manifest: name, size, hashes, and whether they are official."""
        return [
            {
                "name": one.name,
                "bytes": one.size,
                "sha256": one.sha256,
                "blob": one.blob,
                "official": one.official,
            }
            for one in self.files
        ]


def blob_hash(data: bytes) -> str:
    """The hash under which git stores these bytes: SHA-1 of "blob", their number, a zero byte, and the bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def find_files(folder: Path, known: Sequence[KnownFile]) -> FoundFolder:
    """The files of a benchmark that a clone, or its folder of data, holds; none of them where it is something else.

    Raises:
        InputError: it is no folder, holds a file twice, or a file is too large or can't be read.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; name the clone of the benchmark's repository, or its data folder")
    paths = {one.name: _only_place(folder, one.name) for one in known}
    found = [_read(one, path) for one in known if (path := paths[one.name]) is not None]
    return FoundFolder(tuple(found), tuple(name for name, path in paths.items() if path is None))


def _only_place(folder: Path, name: str) -> Path | None:
    there = [path for place in _PLACES if (path := folder / place / name).is_file()]
    if len(there) > 1:
        raise InputError(f"{there[0]}: is there twice, as {there[1]}, too; remove one of them")
    return there[0] if there else None


def _read(known: KnownFile, path: Path) -> FoundFile:
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise InputError(
                f"{path}: has {size >> 20:,} MiB, and files of this benchmark have a few; "
                f"more than {LARGEST >> 20} MiB are not read"
            )
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: can't be read ({error.strerror})") from None
    blob = blob_hash(data)
    return FoundFile(
        known.name, path, len(data), hashlib.sha256(data).hexdigest(), blob, official=blob.startswith(known.blob)
    )
