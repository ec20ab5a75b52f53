"""``progress.jsonl``: the slots of a folder that are done, or the parts that are, a line each.

A line is appended once all that it tells of is written; that is what makes slots done. Half a line at the end is what a
killed run left, and counts for nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import DatasetError
from dtomtrack.files import bounded_lines
from dtomtrack.runs.files import open_to_append, write_all
from dtomtrack.runs.folder import PROGRESS
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import SlotEntry

__all__ = ["ProgressFile"]


class ProgressFile:
    """The file in a folder, open.

    Raises:
        DatasetError: it is no ordinary file.
        OSError: it can't be opened.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / PROGRESS
        self._file = open_to_append(self.path)

    def entries(self) -> Iterator[tuple[SlotEntry, int]]:
        """Its whole lines, each with its size in bytes.

        Raises:
            DatasetError: one is damaged.
        """
        with self.path.open("rb") as file:
            for number, line in enumerate(bounded_lines(file, self.path), 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield SlotEntry.model_validate_json(line), len(line)
                except ValidationError as error:
                    raise DatasetError(f"{self.path}:{number}: is damaged; choose another --out") from error

    def append(self, entry: SlotEntry) -> int:
        """Add a line; gives its size in bytes.

        Raises:
            OSError: it can't be written, or not all of it.
        """
        line = to_lines([entry])
        write_all(self._file, line)
        return len(line)

    def cut(self, size: int) -> None:
        """Cut off all behind so many bytes."""
        os.ftruncate(self._file, size)

    def sync(self) -> None:
        """See that it is on the disk."""
        os.fsync(self._file)

    def close(self) -> None:
        """Close it."""
        os.close(self._file)
