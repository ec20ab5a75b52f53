"""A dataset that is read while subjects answer it: finished, and written by nobody meanwhile."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.runs.folder import PROGRESS, check_finished, read_manifest

__all__ = ["digest_of", "readable_dataset"]


@contextmanager
def readable_dataset(folder: Path, benchmark: Benchmark) -> Iterator[None]:
    """A dataset that may be read, and that no run goes on writing meanwhile.

    A copy without a manifest is one, too, if the files are there that its items are read from.

    Raises:
        DatasetError: the folder holds no dataset, an unfinished one, one of another version, or a run writes it.
    """
    if not folder.is_dir():
        raise DatasetError(f"{folder}: there is no such folder; name one that generate or import made")
    for name in benchmark.files:
        if not (folder / name).is_file():
            raise DatasetError(f"{folder}: holds no dataset (there is no {name}); name a folder that generate made")
    manifest = read_manifest(folder)
    if manifest is not None:
        check_finished(folder, manifest)
    with _reading(folder):
        yield


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Hold the lock of a run that writes the folder; several may read it together."""
    try:
        file = os.open(folder / PROGRESS, os.O_RDONLY)
    except OSError:
        # a copy, which nobody can go on writing
        yield
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DatasetError(f"{folder}: another run is writing this folder; wait for it") from error
        yield
    finally:
        os.close(file)


def digest_of(folder: Path, benchmark: Benchmark) -> tuple[str, int]:
    """(SHA-256, number of lines) of the question file.

    Raises:
        DatasetError: it can't be read.
    """
    path, lines = folder / benchmark.files[-1], 0
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
                lines += chunk.count(b"\n")
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
    return digest.hexdigest(), lines
