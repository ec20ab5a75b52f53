"""A dataset that is read while subjects answer it: finished, and written by nobody meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.other_questions import OtherQuestionsError
from dtomtrack.runs.data_files import begins_with, data_digest
from dtomtrack.runs.edited import edited_files
from dtomtrack.runs.folder import open_dataset, read_manifest
from dtomtrack.runs.manifest import Manifest

__all__ = ["begins_with_questions", "digest_of", "edited_in", "readable_dataset"]


@contextmanager
def readable_dataset(folder: Path, benchmark: Benchmark) -> Iterator[Manifest | None]:
    """A dataset that may be read, and that no run goes on writing meanwhile.

    A copy without a manifest is one, too, if the files are there that its items are read from. Where an evaluation does
    not go with the questions because a line of them is damaged, that line is what the error is about.

    Raises:
        DatasetError: the folder holds no dataset, an unfinished one, one of another version, or a run writes it.
    """
    with open_dataset(folder, benchmark.files) as manifest:
        try:
            yield manifest
        except OtherQuestionsError:
            deque(benchmark.items(folder), maxlen=0)
            raise


def edited_in(folder: Path) -> tuple[str, ...]:
    """The files of a dataset that were edited since it was made, by name; of a copy without a manifest nobody knows.

    Raises:
        DatasetError: one of them, or the manifest, can't be read.
    """
    manifest = read_manifest(folder)
    return () if manifest is None else edited_files(folder, manifest.files)


def digest_of(folder: Path, benchmark: Benchmark) -> tuple[str, int]:
    """(SHA-256, number of lines) of the question file, the same whatever form it has.

    Raises:
        DatasetError: it can't be read.
    """
    return data_digest(folder / benchmark.files[-1])


def begins_with_questions(folder: Path, benchmark: Benchmark, digest: str) -> bool:
    """Whether the question file of a dataset was one of this digest before it was enlarged.

    Raises:
        DatasetError: it can't be read.
    """
    return begins_with(folder / benchmark.files[-1], digest)
