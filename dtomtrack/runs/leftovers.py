"""What a run leaves in a folder before it has begun: nothing, if it is refused."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.runs.folder import MANIFEST, PROGRESS
from dtomtrack.runs.shards import SHARDS

__all__ = ["Leftovers", "without_leftovers"]


class Leftovers:
    """What is put into a folder from here on, and the folder itself if it is not there yet.

    Args:
        folder: that a run is going to write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._goes_on = (folder / MANIFEST).exists()
        self._before = set(folder.iterdir()) if folder.is_dir() else set()
        self._new = [one for one in (folder, *folder.parents) if not one.exists()]

    def remove(self) -> None:
        """Take it away, unless the run had begun before, or something is done."""
        if self._goes_on or not self._folder.is_dir() or self._is_begun():
            return
        with suppress(OSError):
            for one in set(self._folder.iterdir()) - self._before:
                if one.is_dir() and not one.is_symlink():
                    shutil.rmtree(one)
                else:
                    one.unlink()
            for folder in self._new:
                folder.rmdir()

    def _is_begun(self) -> bool:
        # imported late: runs without models have no journal
        from dtomtrack.llm.journal import JOURNAL, replies_in

        progress = self._folder / PROGRESS
        slots = progress.exists() and progress.stat().st_size
        return bool(slots or (self._folder / SHARDS).exists() or replies_in(self._folder / JOURNAL))


@contextmanager
def without_leftovers(folder: Path) -> Iterator[None]:
    """For what is refused before it begins, if it is at all: then it leaves nothing in this folder.

    Where the folder itself is refused, nothing in it is touched.

    Raises:
        InputError: it was refused.
    """
    leftovers = Leftovers(folder)
    try:
        yield
    except DatasetError:
        # of a folder that is somebody else's, another run that begins just now, say
        raise
    except InputError:
        leftovers.remove()
        raise
