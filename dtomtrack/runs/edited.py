"""Whether the files of a dataset are those that were made: each has its SHA-256 in the manifest."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.files import opened

__all__ = [
    "EditedDatasetWarning",
    "RunningDigests",
    "UnknownDatasetWarning",
    "digests_of",
    "edited_files",
    "edited_note",
    "refuse_edited",
    "warn_if_edited",
]

_CHUNK = 1 << 20


class EditedDatasetWarning(UserWarning):
    """A file of a dataset was edited since it was made; figures taken from it are not those of the dataset."""


class UnknownDatasetWarning(EditedDatasetWarning):
    """Nobody can tell whether a dataset was edited since it was made: its manifest is gone."""


def edited_files(folder: Path, made: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the files that are not what they were made.

    Args:
        made: SHA-256 of each file, by name.

    Raises:
        DatasetError: one is not there, or can't be read.
    """
    return tuple(name for name, digest in made.items() if _digest(folder / name) != digest)


def warn_if_edited(folder: Path, made: Mapping[str, str]) -> None:
    """Warn of files that are not what they were made (an `EditedDatasetWarning`).

    Args:
        made: SHA-256 of each file, by name.

    Raises:
        DatasetError: one is not there, or can't be read.
    """
    edited = edited_files(folder, made)
    if edited:
        warnings.warn(edited_note(folder, edited), EditedDatasetWarning, stacklevel=2)


def refuse_edited(folder: Path, made: Mapping[str, str]) -> None:
    """See that a run that goes on in a finished dataset cuts off nothing that somebody put there.

    Args:
        made: SHA-256 of each file, by name.

    Raises:
        DatasetError: a file is not what it was made, not there, or can't be read.
    """
    if edited := edited_files(folder, made):
        raise DatasetError(
            f"{folder}: edited since it was made ({', '.join(edited)}), and what was added would be cut off; put back "
            "what was made, or choose another --out"
        )


def digests_of(folder: Path) -> dict[str, str]:
    """SHA-256 of each file of JSON lines in a folder, by name."""
    return {path.name: _digest(path) for path in sorted(folder.glob("*.jsonl"))}


def edited_note(folder: Path, files: Sequence[str]) -> str:
    """A sentence about edited files."""
    return f"{folder}: edited since it was made ({', '.join(files)}): its figures are not those of the dataset"


def _digest(path: Path) -> str:
    try:
        with opened(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        # of a file in parts the whole folder may be gone
        missing = path if path.parent.is_dir() else path.parent
        raise DatasetError(f"{missing}: is missing; put it back, or make the dataset anew elsewhere") from error
    except OSError as error:
        advice = "see who may read it" if isinstance(error, PermissionError) else "put it back"
        raise DatasetError(f"{path}: can't be read ({error.strerror}); {advice}") from error


class RunningDigests:
    """SHA-256 of files that lines are appended to, as far as they are written.

    Args:
        names: of the files.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._hashes = {name: hashlib.sha256() for name in names}
        self._ends = dict.fromkeys(names, 0)

    def with_lines(self, lines: Mapping[str, bytes]) -> RunningDigests:
        """The digests with lines that are appended."""
        later = RunningDigests(())
        for name, digest in self._hashes.items():
            one = digest.copy()
            one.update(lines[name])
            later._hashes[name], later._ends[name] = one, self._ends[name] + len(lines[name])
        return later

    def told(self) -> dict[str, str]:
        """The digests, by name."""
        return {name: one.hexdigest() for name, one in self._hashes.items()}

    def read_on(self, files: Mapping[str, int], ends: Mapping[str, int]) -> RunningDigests | None:
        """The digests up to other ends, of files that are open; None if one does not go so far.

        Args:
            files: descriptors, by name.
            ends: bytes, by name.
        """
        later = RunningDigests(())
        for name, end in ends.items():
            one = self._hashes[name].copy()
            if not _read_into(one, files[name], self._ends[name], end):
                return None
            later._hashes[name], later._ends[name] = one, end
        return later


def _read_into(digest: hashlib._Hash, file: int, start: int, end: int) -> bool:
    os.lseek(file, start, os.SEEK_SET)
    while start < end:
        part = os.read(file, min(_CHUNK, end - start))
        if not part:
            return False
        digest.update(part)
        start += len(part)
    return start == end
