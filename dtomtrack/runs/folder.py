"""A dataset folder as others find it: its manifest, and whether it is finished."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Literal, overload

from pydantic import ValidationError

from dtomtrack.errors import DatasetError
from dtomtrack.files import LONGEST_RECORD, text_of
from dtomtrack.records import first_problem
from dtomtrack.runs.data_files import has_data
from dtomtrack.runs.edited import EditedDatasetWarning, UnknownDatasetWarning, edited_files, edited_note
from dtomtrack.runs.files import refuse_links
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.locks import LOCK, reading, writing
from dtomtrack.runs.manifest import READABLE_FORMATS, Counts, Manifest, SlotEntry
from dtomtrack.runs.parts import is_part, part_folder, part_problem, run_digest

__all__ = ["MANIFEST", "PROGRESS", "check_finished", "open_dataset", "outputs", "read_manifest"]

PROGRESS = "progress.jsonl"
MANIFEST = "manifest.json"
_LONGEST_COMMAND = 2_000

Purpose = Literal["read", "write"]


@overload
def open_dataset(folder: Path, *, to: Purpose = "read") -> AbstractContextManager[Manifest]: ...


@overload
def open_dataset(
    folder: Path, files: Sequence[str], *, to: Purpose = "read"
) -> AbstractContextManager[Manifest | None]: ...


def open_dataset(
    folder: Path, files: Sequence[str] = (), *, to: Purpose = "read"
) -> AbstractContextManager[Manifest | None]:
    """A finished dataset that no run goes on writing meanwhile; gives its manifest.

    Args:
        files: that have to be there. A folder with all of them but without a manifest is a copy, which is one, too;
            if none are named, the manifest has to be there.
        to: several may read a dataset together; who writes into it, say into its manifest, is alone with it.

    Raises:
        DatasetError: the folder holds no dataset, an unfinished one, one of another version, or a run writes it.
    """
    return _open(folder, tuple(files) or (MANIFEST,), to)


@contextmanager
def _open(folder: Path, needed: Sequence[str], to: Purpose) -> Iterator[Manifest | None]:
    if folder.is_file():
        raise DatasetError(f"{folder}: is a file, not a dataset folder; dtomtrack import items makes one of it")
    if not folder.is_dir():
        raise DatasetError(f"{folder}: there is no such folder; name one that generate or import made")
    for name in needed:
        _check_there(folder, name)
    refuse_links(outputs(folder))
    _finished(folder)
    with _held(folder, to):
        # a run that ended just now may have written another
        manifest = _finished(folder)
        if manifest is not None:
            _check_files(folder, manifest)
        else:
            told = f"{folder}: has no {MANIFEST}, so that nobody can tell whether it was edited since it was made"
            warnings.warn(told, UnknownDatasetWarning, stacklevel=1)
        yield manifest


def _finished(folder: Path) -> Manifest | None:
    """The manifest of a finished dataset; None if it has none."""
    manifest = read_manifest(folder)
    if manifest is not None:
        check_finished(folder, manifest)
    return manifest


def _check_there(folder: Path, name: str) -> None:
    """See that a data file is there, in one form or the other."""
    if (folder / name).is_dir():
        raise DatasetError(f"{folder / name}: is a folder; it has to be a file")
    if has_data(folder / name):
        return
    manifest = read_manifest(folder)
    parts = () if manifest is None else filter(is_part, manifest.files)
    for part in parts:
        if part.startswith(f"{part_folder(name)}/"):
            raise DatasetError(part_problem(folder / part))
    raise DatasetError(f"{folder}: holds no dataset (there is no {name}); name a folder that generate or import made")


def outputs(folder: Path) -> list[Path]:
    """The places in a dataset's folder where commands write beside its own files."""
    journals = [f"journal.sqlite{end}" for end in ("", "-wal", "-shm", "-journal")]
    return [folder / name for name in (LOCK, PROGRESS, *journals, "eval", "verify", "report", "export")]


def _check_files(folder: Path, manifest: Manifest) -> None:
    """Warn of files that were edited since they were made, and refuse sums that the slots don't add up to."""
    progress = folder / PROGRESS
    if progress.exists():
        counts = sum((entry.counts for entry in read_lines(progress, SlotEntry)), Counts())
        if counts != manifest.counts:
            raise DatasetError(f"{folder / MANIFEST}: tells of other counts than {PROGRESS}; one of them was edited")
    edited = edited_files(folder, manifest.files)
    damaged = next(filter(is_part, edited), None)
    if damaged is not None:
        raise DatasetError(part_problem(folder / damaged, _run_of(manifest)))
    if edited:
        warnings.warn(edited_note(folder, edited), EditedDatasetWarning, stacklevel=1)


def _run_of(manifest: Manifest) -> str:
    return run_digest(manifest.suite, manifest.dtomtrack_version, manifest.config)


def _held(folder: Path, to: Purpose) -> AbstractContextManager[None]:
    if to == "write":
        return _writing(folder)
    # nobody can go on writing a copy
    return reading(folder) if (folder / PROGRESS).exists() else nullcontext()


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    with ExitStack() as exits:
        try:
            exits.enter_context(writing(folder))
        except OSError as error:
            raise DatasetError(f"{folder}: can't be written ({error.strerror})") from error
        yield


def check_finished(path: Path, manifest: Manifest) -> None:
    """See that this dtomtrack reads a dataset, and that it is not half made.

    Raises:
        DatasetError: the folder is of an unknown format, or its run is not finished.
    """
    if manifest.format_version not in READABLE_FORMATS:
        known = " and ".join(map(str, sorted(READABLE_FORMATS)))
        raise DatasetError(
            f"{path / MANIFEST}: is of format {manifest.format_version}, this dtomtrack reads {known}; "
            "install the version that made it"
        )
    if manifest.status not in {"complete", "incomplete"}:
        raise DatasetError(f"{path}: is not finished; give the command that makes it again{_own_command(manifest)}")


def _own_command(manifest: Manifest) -> str:
    """The command of a manifest, quoted anew; nothing where it is none of dtomtrack's: it may come from elsewhere."""
    try:
        parts = shlex.split(manifest.command)
    except ValueError:
        return ""
    plain = all(part.isprintable() for part in parts) and len(manifest.command) < _LONGEST_COMMAND
    return f": {shlex.join(parts)}" if plain and parts[:2] == ["dtomtrack", "generate"] else ""


def read_manifest(path: Path) -> Manifest | None:
    """The manifest of a folder; None if it has none.

    Raises:
        DatasetError: it is damaged, or from a newer version of dtomtrack.
    """
    file = path / MANIFEST
    try:
        text = text_of(file, "manifest", DatasetError, LONGEST_RECORD)
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise DatasetError(f"{path}: is not a folder; choose another --out") from error
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        torn = error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid"
        reason = "was it cut off or edited? Put the file back" if torn else "is it from another version of dtomtrack?"
        raise DatasetError(f"{file}: {first_problem(error)}; {reason}") from error
