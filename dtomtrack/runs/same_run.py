"""Whether a folder holds the run that is to go on in it, or the same with fewer attempts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from dtomtrack.errors import DatasetError
from dtomtrack.records import Record
from dtomtrack.runs.files import is_draft
from dtomtrack.runs.folder import MANIFEST, PROGRESS, read_manifest
from dtomtrack.runs.locks import LOCK
from dtomtrack.runs.manifest import DataFormat, Manifest
from dtomtrack.runs.parts import part_folder

__all__ = ["attempts_before", "same_run"]

_ATTEMPTS = "max_attempts"
"""The field of all configurations that changes nothing but the slots that stayed empty."""
_EMPTY = hashlib.sha256().hexdigest()


def attempts_before(manifest: Manifest, config: Record) -> int | None:
    """How many attempts slots had in the run of a manifest, where the one that goes on gives them more."""
    there, here = manifest.config.get(_ATTEMPTS), config.model_dump(mode="json").get(_ATTEMPTS)
    return there if isinstance(there, int) and isinstance(here, int) and there < here else None


def same_run(
    path: Path, suite: str, config: Record, files: Sequence[str], version: str, data_format: DataFormat = "jsonl"
) -> Manifest | None:
    """The manifest of a folder that holds this run, perhaps with fewer attempts; None if it holds nothing yet.

    Args:
        files: names of the data files, as JSON lines.
        data_format: how they are written.

    Raises:
        DatasetError: it holds something else, or not all files that the run wrote.
    """
    manifest = read_manifest(path)
    if manifest is None:
        if path.is_dir() and (
            strangers := sorted(entry.name for entry in path.iterdir() if not _is_fresh(entry, files))
        ):
            raise DatasetError(
                f"{path}: holds {strangers[0]!r} but no {MANIFEST}, so it is no dataset; choose another --out"
            )
        return None
    if manifest.suite != suite:
        raise DatasetError(f"{path}: holds a dataset of suite {manifest.suite!r}, not {suite!r}; choose another --out")
    if manifest.dtomtrack_version != version:
        raise DatasetError(
            f"{path}: was made by dtomtrack {manifest.dtomtrack_version}, this is {version}; choose another --out"
        )
    untouched = _untouched(path, files)
    if manifest.data_format != data_format and not untouched:
        raise DatasetError(
            f"{path}: holds data files as {manifest.data_format}, not as {data_format}; go on with "
            f"--format {manifest.data_format}, or choose another --out"
        )
    here = config.model_dump(mode="json")
    there = (
        manifest.config
        if attempts_before(manifest, config) is None
        else {**manifest.config, _ATTEMPTS: here[_ATTEMPTS]}
    )
    different = _first_difference(there, here)
    if different is not None and not untouched:
        raise DatasetError(f"{path}: holds another run ({different}); choose another --out")
    if different is not None or manifest.data_format != data_format:
        return None
    _refuse_missing(path, manifest, files)
    return manifest


def _refuse_missing(path: Path, manifest: Manifest, files: Sequence[str]) -> None:
    """See that no file is gone in which there was something; one that is opened to go on would be made anew, empty."""
    done = manifest.counts.dialogues + manifest.counts.unfilled
    filled = [PROGRESS] if done else []
    filled += [name for name in files if manifest.files.get(name, _EMPTY) != _EMPTY]
    for name in filled:
        if not (path / name).exists():
            raise DatasetError(
                f"{path / name}: is missing, and {MANIFEST} tells of {done} slots; put it back or choose another --out"
            )


def _untouched(path: Path, files: Sequence[str]) -> bool:
    """Whether a run was begun here that came to nothing: no slot is done, and no reply was paid for."""
    if any((path / name).exists() and not _is_empty(path / name) for name in _data(files)):
        return False
    # imported late: runs without models have no journal
    from dtomtrack.llm.journal import JOURNAL, replies_in

    return not replies_in(path / JOURNAL)


def _is_fresh(entry: Path, files: Sequence[str]) -> bool:
    """Whether a run that was killed before it wrote its manifest may have left this behind."""
    return is_draft(entry) or (entry.name in {LOCK, *_data(files)} and not entry.is_symlink() and _is_empty(entry))


def _data(files: Sequence[str]) -> Sequence[str]:
    """The files and folders of a run's data in whatever form."""
    return (PROGRESS, *files, *map(part_folder, files))


def _is_empty(path: Path) -> bool:
    return all(map(is_draft, path.iterdir())) if path.is_dir() else path.stat().st_size == 0


def _first_difference(theirs: Mapping[str, JsonValue], ours: Mapping[str, JsonValue]) -> str | None:
    """The first field in which two configurations differ, in words; a preset before all that it sets."""
    there, here = _preset(theirs), _preset(ours)
    if there and here and there != here:
        return f"difficulty {there} there, {here} here"
    for field in dict.fromkeys((*ours, *theirs)):
        there, here = theirs.get(field), ours.get(field)
        if there == here:
            continue
        if field == "packs":
            return "a domain pack has changed since"
        if isinstance(there, Mapping) and isinstance(here, Mapping):
            return _first_difference(there, here)
        if field == "models":
            return f"{'with' if there else 'without'} language models there, {'with' if here else 'without'} them here"
        return f"{field.replace('_', ' ')} {_shown(there)} there, {_shown(here)} here"
    return None


def _preset(config: Mapping[str, JsonValue]) -> JsonValue:
    """The name of the difficulty, of a configuration that has one."""
    difficulty = config.get("difficulty")
    return difficulty.get("preset") if isinstance(difficulty, Mapping) else None


def _shown(value: JsonValue) -> str:
    return ",".join(str(part) for part in value) if isinstance(value, list) else str(value)
