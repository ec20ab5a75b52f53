"""Importing a published benchmark by the name of its suite, as it is or in one of the suite's variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Protocol, runtime_checkable

from dtomtrack.errors import InputError
from dtomtrack.options import names_options, path_of
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.importing import Importable, ImportingSuite, check_out, check_source, write_imported
from dtomtrack.suites.published.folder import FoundFolder, KnownFile, find_files
from dtomtrack.suites.registry import suite_named, suite_names

__all__ = ["OneFileSuite", "PublishedSuite", "import_published"]


@runtime_checkable
class PublishedSuite(ImportingSuite, Protocol):
    """A suite whose published files can be imported."""

    @property
    def known_files(self) -> Sequence[KnownFile]:
        """The files of the official release, in the order in which they are read."""
        ...

    @property
    def variants(self) -> Mapping[str, str]:
        """The forms in which it can be imported, by name, with a sentence each; the first is as published."""
        ...

    def published(self, folder: Path, found: FoundFolder, variant: str) -> Importable:
        """The benchmark in these files, in a variant.

        Raises:
            InputError: the variant needs a file that is missing, or a file can't be read.
        """
        ...


@runtime_checkable
class OneFileSuite(Protocol):
    """A suite that can also be imported from one file, whose form is not that of its published ones."""

    def of_file(self, path: Path, variant: str | None) -> Importable:
        """The items of a file.

        Raises:
            InputError: it is no such file, or a variant is named that is only for the published files.
        """
        ...


@names_options
def import_published(
    suite: str | PublishedSuite,
    source: str | PathLike[str],
    out: str | PathLike[str],
    variant: str | None = None,
    command: str = "",
) -> Manifest:
    """Write a published benchmark as a dataset folder, which every command takes.

    Args:
        suite: its name; or the suite itself, where how it is read takes more to say.
        source: a clone of its repository, or the folder of its files; of RecToM also a file in IARD's format.
        out: a folder that does not exist, or is empty.
        variant: one of the suite's; as published if not given.
        command: what the manifest says it was made with.

    Raises:
        InputError: there is no such suite or variant, or the files can't be read.
        DatasetError: ``out`` holds something, or is in the source.
        WriteError: it can't be written; then nothing is.
    """
    named = suite_named(suite) if isinstance(suite, str) else suite
    path, target = path_of("source", source), path_of("out", out)
    if not isinstance(named, PublishedSuite):
        raise InputError(f"the suite {suite!r} has no published files; those that have are {', '.join(_published())}")
    wanted = variant or next(iter(named.variants))
    if wanted not in named.variants:
        raise InputError(f"{named.name} has no variant {wanted!r}; there are {', '.join(named.variants)}")
    check_out(target, path)
    check_source(path)
    if path.is_file() and isinstance(named, OneFileSuite):
        return write_imported(named, target, named.of_file(path, variant), command)
    found = find_files(path, named.known_files)
    if not found.files:
        raise InputError(_none_found(path, named))
    return write_imported(named, target, named.published(path, found, wanted), command)


def _published() -> dict[str, PublishedSuite]:
    suites = {name: suite_named(name) for name in suite_names()}
    return {name: suite for name, suite in suites.items() if isinstance(suite, PublishedSuite)}


def _none_found(folder: Path, suite: PublishedSuite) -> str:
    """The sentence that a folder is something else, and perhaps another suite's."""
    names = ", ".join(one.name for one in suite.known_files)
    for name, other in _published().items():
        if name != suite.name and find_files(folder, other.known_files).files:
            return f"{folder}: holds files of {name}, none of {suite.name}; try: dtomtrack import {name} {folder}"
    return f"{folder}: holds none of the files of {suite.name} ({names}), here or in data/"
