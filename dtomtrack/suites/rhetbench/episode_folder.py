"""The folder of a subject's episodes: appended in order, each once it is whole; a stopped run goes on in it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.records import Record, Text, first_problem
from dtomtrack.runs.folder import write_atomically
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.suites.rhetbench.episode import Episode
from dtomtrack.suites.rhetbench.model_persuader import Talking
from dtomtrack.suites.rhetbench.planning import PlayConfig

__all__ = ["EPISODES", "MANIFEST", "METRICS", "EpisodeFolder", "PlayManifest"]

EPISODES, MANIFEST, METRICS = "episodes.jsonl", "manifest.json", "metrics.json"


class PlayManifest(Record):
    """What a run is: who plays what, and how.

    Attributes:
        scenarios: ids of the packs with their digests, in order.
        talking: how a model is asked; None for a policy or a person.
    """

    suite: str = "rhetbench"
    version: Text
    subject: Text
    play: PlayConfig
    scenarios: dict[str, str]
    talking: Talking | None = None


class EpisodeFolder:
    """A folder that a run appends to; use it as a context manager.

    Attributes:
        done: how many episodes are whole.
    """

    def __init__(self, path: Path, manifest: PlayManifest) -> None:
        """Open a folder, new or one of the same run; it may come to have more samples than it had.

        Raises:
            DatasetError: it holds another run, is damaged, or another process writes it.
            WriteError: it can't be written.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path / EPISODES, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise _unwritable(path, error) from error
        try:
            self._begin(manifest)
            self.done = self._count()
        except OSError as error:
            os.close(self._file)
            raise _unwritable(path, error) from error
        except DatasetError:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.close(self._file)

    def append(self, episode: Episode) -> None:
        """Write the next episode.

        Raises:
            WriteError: the disk is full or the like; the episodes before it are safe.
        """
        line = to_lines([episode])
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(28, "No space left on device")
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, size)
            raise _unwritable(self.path, error) from error
        self.done += 1

    def episodes(self) -> Iterator[Episode]:
        """All that are written."""
        return read_lines(self.path / EPISODES, Episode)

    def finish(self, metrics: Record) -> None:
        """Write what they add up to, once they are on the disk."""
        try:
            os.fsync(self._file)
            write_atomically(self.path / METRICS, metrics.model_dump_json(indent=2) + "\n")
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def _begin(self, manifest: PlayManifest) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatasetError(f"{self.path}: another run is writing here; wait for it") from error
        before = _read(self.path / MANIFEST)
        if before is None and os.fstat(self._file).st_size:
            raise DatasetError(f"{self.path}: holds {EPISODES} but no {MANIFEST}; move the folder away")
        if before is not None:
            _check_same(self.path, before, manifest)
        self._cut_torn_line()
        if before != manifest:
            write_atomically(self.path / MANIFEST, manifest.model_dump_json(indent=2) + "\n")

    def _cut_torn_line(self) -> None:
        """Half a line is what a killed run leaves; its episode is played again, from the journal."""
        content = (self.path / EPISODES).read_bytes()
        os.ftruncate(self._file, content.rfind(b"\n") + 1)

    def _count(self) -> int:
        for number, episode in enumerate(self.episodes()):
            if episode.index != number:
                raise DatasetError(f"{self.path / EPISODES}:{number + 1}: is episode {episode.index}, not {number}")
        return sum(1 for _ in self.episodes())


def _read(path: Path) -> PlayManifest | None:
    try:
        return PlayManifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise DatasetError(f"{path}: {first_problem(error)}; is it from another version of dtomtrack?") from error


def _check_same(path: Path, before: PlayManifest, now: PlayManifest) -> None:
    if before.play.samples > now.play.samples:
        raise DatasetError(f"{path}: has {before.play.samples} samples already; give --samples {before.play.samples}")
    grown = before.model_copy(update={"play": before.play.model_copy(update={"samples": now.play.samples})})
    for field in PlayManifest.model_fields:
        if getattr(grown, field) != getattr(now, field):
            raise DatasetError(f"{path}: holds another run ({field} differs); choose another --out")


def _unwritable(path: Path, error: OSError) -> WriteError:
    return WriteError(f"{path}: can't be written ({error.strerror}); whole episodes are safe; try again")
