"""Importing: other people's benchmarks become dataset folders."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from dtomtrack.errors import DatasetError, InputError
from dtomtrack.files import refuse_special
from dtomtrack.items.contexts import plain_text
from dtomtrack.items.files import data_files
from dtomtrack.items.foreign import ForeignItems, MappingOptions, RejectedRecord, foreign_items
from dtomtrack.items.item import Item
from dtomtrack.items.problems import Doubles
from dtomtrack.options import names_options, path_of
from dtomtrack.runs.edited import digests_of
from dtomtrack.runs.files import refuse_dead_link
from dtomtrack.runs.folder import MANIFEST, read_manifest
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.manifest import Counts, Manifest
from dtomtrack.runs.new_folder import new_folder
from dtomtrack.suites.items.records import FORMAT_VERSION, REJECTED, RejectedLine
from dtomtrack.suites.items.suite import SUITE
from dtomtrack.suites.items.writing import WrittenItems, write_items
from dtomtrack.version import VERSION

__all__ = [
    "Importable",
    "ImportingSuite",
    "check_out",
    "check_source",
    "file_entries",
    "import_items",
    "write_imported",
]

CARD = "README.md"


class Importable(Protocol):
    """A benchmark by others that is read."""

    def read(self) -> Iterator[Item | RejectedLine]:
        """Its items and the records that are none, from the first, each time the same.

        Raises:
            InputError: a record can't be read.
        """
        ...

    def config(self) -> dict[str, JsonValue]:
        """The manifest's account of it, once it was read to the end: source, files, mapping, problems, notes."""
        ...


class ImportingSuite(Protocol):
    """A suite, as importing sees it."""

    @property
    def name(self) -> str:
        """The suite's name."""
        ...

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        ...


@names_options
def import_items(
    source: str | PathLike[str],
    out: str | PathLike[str],
    mapping: MappingOptions | str | Mapping[str, str] | None = None,
    command: str = "",
) -> Manifest:
    """Write a benchmark by others as a dataset folder, which every command takes.

    The same files give the same bytes, but for the manifest's times.

    Args:
        source: a file in JSON, JSON Lines, CSV, TSV or Parquet, or a folder of such files.
        out: a folder that does not exist, or is empty.
        mapping: which field is what: "question=FIELD,options=FIELD,gold=FIELD,..."; with `MappingOptions` also how
            golds are written and how many options may be right.
        command: what the manifest says it was made with.

    Raises:
        InputError: the files can't be read, the mapping doesn't fit them, or no record is an item.
        DatasetError: ``out`` holds something, or is in the source.
        WriteError: it can't be written; then nothing is.
    """
    path, target = path_of("source", source), path_of("out", out)
    check_out(target, path)
    check_source(path)
    how = mapping if isinstance(mapping, MappingOptions | None) else MappingOptions(mapping)
    return write_imported(SUITE, target, _MappedFiles(path, how), command)


def check_out(out: Path, source: Path) -> None:
    """See that a folder may become a dataset that is imported from a source.

    Raises:
        DatasetError: it holds something, or is the source or in it.
        InputError: the source is neither a file nor a folder.
    """
    refuse_dead_link(out)
    refuse_special(source)
    ours, theirs = out.resolve(), source.resolve()
    if ours == theirs or (theirs in ours.parents and theirs.is_dir()):
        raise DatasetError(f"{out}: is the source or in it; choose another --out")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DatasetError(f"{out}: is there already; an import makes a new folder: choose another --out")


def check_source(source: Path) -> None:
    """See that a source is none of our own datasets, which need no import.

    Raises:
        InputError: it is one.
    """
    manifest = None
    # a file of this name may be anybody's
    with suppress(DatasetError):
        manifest = read_manifest(source) if source.is_dir() else None
    if manifest is not None:
        raise InputError(
            f"{source}: is a dataset of dtomtrack already (of the suite {manifest.suite}), which needs no import; try: "
            f"dtomtrack evaluate {source} -m baseline/random"
        )


def write_imported(suite: ImportingSuite, out: Path, source: Importable, command: str) -> Manifest:
    """Write a dataset folder, whole or not at all.

    Raises:
        InputError: a record can't be read, or none is an item.
        WriteError: the folder can't be written.
    """
    clock = _Clock()
    with new_folder(out) as draft:
        rejected = _Rejected(source)
        written = write_items(draft, rejected.items)
        (draft / REJECTED).write_bytes(to_lines(rejected.lines))
        if not written.items:
            raise InputError(_no_items(rejected.lines))
        counts = _counts(written, rejected.lines)
        manifest = _manifest(suite.name, source.config(), counts, clock, command).model_copy(
            update={"files": digests_of(draft)}
        )
        (draft / CARD).write_text(suite.card(manifest), encoding="utf-8", newline="\n")
        (draft / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8", newline="\n")
    return manifest


class _Clock:
    """When an import began, and how long it has taken."""

    def __init__(self) -> None:
        self.started = self.now()
        self._began = time.monotonic()

    @staticmethod
    def now() -> str:
        """The time of day."""
        return datetime.now(UTC).isoformat(timespec="seconds")

    def seconds(self) -> float:
        """The seconds since the beginning."""
        return round(time.monotonic() - self._began, 3)


def _manifest(suite: str, config: dict[str, JsonValue], counts: Counts, clock: _Clock, command: str) -> Manifest:
    return Manifest(
        format_version=FORMAT_VERSION,
        dtomtrack_version=VERSION,
        suite=suite,
        status="complete",
        command=command,
        config=config,
        n=counts.dialogues,
        counts=counts,
        models={},
        sessions=1,
        started=clock.started,
        finished=clock.now(),
        seconds=clock.seconds(),
    )


def _no_items(rejected: list[RejectedLine]) -> str:
    if not rejected:
        return "there are no items"
    first = rejected[0]
    where = f"{first.file}: {first.place}" if first.file else first.place
    return f"{where}: {first.reason}, and no other record is an item; does the mapping fit?"


def _counts(written: WrittenItems, rejected: list[RejectedLine]) -> Counts:
    return Counts(
        dialogues=written.contexts,
        questions=written.items,
        totals={"clusters": len(written.clusters)},
        groups={name: dict(sorted(groups.items())) for name, groups in written.groups.items()},
        rejected_questions=dict(sorted(Counter(one.reason for one in rejected).items())),
    )


class _Rejected:
    """Keeps what is no item of what is read; of the last reading."""

    def __init__(self, source: Importable) -> None:
        self._source = source
        self.lines: list[RejectedLine] = []

    def items(self) -> Iterator[Item]:
        """The items."""
        self.lines = []
        for one in self._source.read():
            if isinstance(one, Item):
                yield one
            else:
                self.lines.append(one)


class _MappedFiles:
    """Files that are read by a mapping."""

    def __init__(self, path: Path, how: MappingOptions | None) -> None:
        self._path = path
        self._found: ForeignItems = foreign_items(path, how)
        self._doubles = Doubles()

    def read(self) -> Iterator[Item | RejectedLine]:
        """The items, and the records that are none."""
        self._doubles = Doubles()
        for one in self._found.read():
            if isinstance(one, RejectedRecord):
                yield RejectedLine(id=one.name, file=one.record.file, place=one.record.where, reason=one.reason)
            else:
                self._doubles.add(one, None if one.context is None else plain_text(one.context.lines))
                yield one

    def config(self) -> dict[str, JsonValue]:
        """An account of the import: what was read, how, and what is wrong with it."""
        problems = (*self._found.faults.problems(), *self._doubles.problems())
        return {
            "source": self._path.resolve().name,
            "files": file_entries(self._path),
            "mapping": self._found.mapping,
            "gold_form": self._found.gold_form,
            "select": self._found.selects,
            "problems": [one.model_dump(mode="json") for one in problems],
            "notes": [*self._found.notes.told(), *self._doubles.notes()],
        }


def file_entries(path: Path) -> list[JsonValue]:
    """The files that were read, each with its size and SHA-256.

    Raises:
        InputError: one can't be read any more.
    """
    entries: list[JsonValue] = []
    for name, file in data_files(path):
        try:
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
                entries.append({"name": name, "bytes": content.tell(), "sha256": digest})
        except OSError as error:
            raise InputError(f"{file}: can't be read ({error.strerror})") from None
    return entries
