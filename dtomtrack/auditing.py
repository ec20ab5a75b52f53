"""Auditing any benchmark: a dataset of whatever suite, other people's files, or records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TypedDict, Unpack

from dtomtrack.audit import Audit, audit_items, audit_records
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.dataset import readable_dataset
from dtomtrack.items.foreign import MappingOptions
from dtomtrack.options import check_options, path_of
from dtomtrack.runs.data_files import has_data
from dtomtrack.runs.folder import MANIFEST
from dtomtrack.suites.registry import suite_of

__all__ = ["AuditOptions", "audit_benchmark"]


class AuditOptions(TypedDict, total=False):
    """How an audit may be made.

    Attributes:
        by_group: each group by itself, too; so if not given.
        grouping: what items are grouped by; "type", where they have one, if not given.
        seed: of the folds of cross-validation; 0 if not given.
        classified: items that the classifiers look at, at most; 10,000 if not given.
        tell: called with what is done next, in words.
    """

    by_group: bool
    grouping: str | None
    seed: int
    classified: int
    tell: Callable[[str], None]


def audit_benchmark(
    benchmark: str | PathLike[str] | Iterable[Mapping[str, object]],
    mapping: MappingOptions | str | Mapping[str, str] | None = None,
    **options: Unpack[AuditOptions],
) -> Audit:
    """Whether the questions of a benchmark can be answered without what they are about.

    Args:
        benchmark: a dataset folder; a file in JSON, JSON Lines, CSV, TSV or Parquet, or a folder of such files; or
            records.
        mapping: which field of the records is what: "question=FIELD,options=FIELD,gold=FIELD,..."; with
            `MappingOptions` also how golds are written. Not for a dataset folder.

    Raises:
        InputError: the benchmark can't be read, the mapping doesn't fit it, an option is none or out of range, or
            scikit-learn is missing.
    """
    check_options(options, AuditOptions)
    how = mapping if isinstance(mapping, MappingOptions | None) else MappingOptions(mapping)
    if not isinstance(benchmark, str | PathLike):
        return audit_records(benchmark, how, **options)
    path = path_of("benchmark", benchmark)
    if not _is_dataset(path, mapped=how is not None):
        if path.is_dir() and how is None:
            raise DatasetError(f"{path}: holds no dataset (there is no {MANIFEST}); for a folder of files give --map")
        return audit_records(path, how, **options)
    if how is not None and how != MappingOptions():
        idle = "--map, --gold-form and --select are for the files of another benchmark; leave them out"
        raise InputError(f"{path}: is a dataset folder; {idle}")
    suite = suite_of(path)
    with readable_dataset(path, suite):
        return audit_items(suite.items(path), str(path), **options)


def _is_dataset(path: Path, *, mapped: bool) -> bool:
    """Whether a folder is a dataset; without a manifest it is a copy, if its files are there and none are mapped."""
    if not path.is_dir():
        return False
    return (path / MANIFEST).exists() or (not mapped and all(has_data(path / name) for name in suite_of(path).files))
