"""What a run leaves in a folder before it has begun: nothing, if it is refused or nobody answers it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dtomtrack.errors import DatasetError, InputError, ModelError
from dtomtrack.runs.folder import MANIFEST, PROGRESS
from dtomtrack.runs.locks import LOCK
from dtomtrack.runs.shards import SHARDS

__all__ = ["Leftovers", "without_leftovers"]

_JOURNAL = [f"journal.sqlite{suffix}" for suffix in ("", "-wal", "-shm", "-journal")]
_WITHOUT_WORK = frozenset({MANIFEST, LOCK, "config.json", "dates.json", *_JOURNAL})
"""Files that are there before any work is done. Where another has something in it, a log, say, all stay: a folder that
holds something and is no dataset would be refused."""
_LINES = ".jsonl"
"""How the names of files end into which work would be written."""


class Leftovers:
    """What is put into a folder from here on, and the folder itself if it is not there yet.

    Args:
        folder: that a run is going to write.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # what can't be looked at stays as it is
        self._goes_on = True
        with suppress(OSError):
            self._before = set(folder.iterdir()) if folder.is_dir() else set()
            self._new = [one for one in (folder, *folder.parents) if not one.exists()]
            self._goes_on = (folder / MANIFEST).exists()

    def remove(self) -> None:
        """Take it away, unless the run had begun before, something is done, or something else is in there."""
        with suppress(OSError):
            if self._goes_on or not self._folder.is_dir() or self._is_begun():
                return
            left = set(self._folder.iterdir()) - self._before
            for one in left if all(map(_is_without_work, left)) else ():
                if one.is_dir():
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


def _is_without_work(entry: Path) -> bool:
    if entry.is_symlink():
        return False
    if entry.is_dir():
        return all(map(_is_without_work, entry.iterdir()))
    return entry.name in _WITHOUT_WORK or (entry.suffix == _LINES and not entry.stat().st_size)


@contextmanager
def without_leftovers(folder: Path) -> Iterator[None]:
    """For what may come to nothing: refused before it begins, or without an answer to its first call; then it leaves
    nothing in this folder.

    Where the folder itself is refused, nothing in it is touched.

    Raises:
        InputError: it was refused.
        ModelError: no model answered.
    """
    leftovers = Leftovers(folder)
    try:
        yield
    except DatasetError:
        # of a folder that is somebody else's, another run that begins just now, say
        raise
    except (InputError, ModelError):
        leftovers.remove()
        raise
