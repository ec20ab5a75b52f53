"""The library on finished datasets: each call finds out whose dataset it is and does what the command of its name does.

from dtomtrack import evaluate

metrics = evaluate("out/restaurant-0", ["baseline/recency", "openai/gpt-4o-mini"])
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from dtomtrack.audit import Audit, audit_items, audit_records
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.evaluation.dataset import readable_dataset
from dtomtrack.evaluation.evaluate import EvaluateOptions, EvaluateProgress, request_evaluation, run_evaluation
from dtomtrack.evaluation.records import Metrics
from dtomtrack.evaluation.rescore import Rescored, rescore_dataset
from dtomtrack.items.foreign import MappingOptions
from dtomtrack.runs.folder import MANIFEST
from dtomtrack.suites.registry import suite_of

if TYPE_CHECKING:
    from dtomtrack.llm.chat import ChatModel

__all__ = ["AuditOptions", "aevaluate", "audit_benchmark", "evaluate", "rescore"]


class AuditOptions(TypedDict, total=False):
    """How an audit may be made.

    Attributes:
        by_group: each group by itself, too; so if not given.
        grouping: what items are grouped by; "type" if not given.
        seed: of the folds of cross-validation; 0 if not given.
    """

    by_group: bool
    grouping: str
    seed: int


def evaluate(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Sequence[str | ChatModel],
    *,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
    **options: Unpack[EvaluateOptions],
) -> tuple[Metrics, ...]:
    """The metrics of subjects that answer the items of a dataset; see `aevaluate`."""
    return asyncio.run(aevaluate(folder, subjects, report=report, warn=warn, **options))


async def aevaluate(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Sequence[str | ChatModel],
    *,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
    **options: Unpack[EvaluateOptions],
) -> tuple[Metrics, ...]:
    """The metrics of subjects that answer the items of a dataset, one after another, or go on where that stopped.

    Args:
        subjects: "baseline/NAME", "PROVIDER/NAME", or objects that keep the `ChatModel` protocol.
        report: called after every answer.
        warn: called with a sentence if a subject's replies hold no answer that can be read.
        options: see `EvaluateOptions`.

    Returns:
        the metrics of each; they are in ``eval/SUBJECT/`` of the dataset, too, with every answer.

    Raises:
        InputError: a subject, option or the dataset can't be used, or the folder holds another evaluation.
        WriteError: the folder can't be written; the answers that are there are safe.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    path = Path(folder)
    request = request_evaluation(suite_of(path), path, subjects, **options)
    return await run_evaluation(request, report, warn)


def rescore(folder: str | PathLike[str], subject: str | None = None) -> tuple[Rescored, ...]:
    """Read the stored replies of a dataset's evaluations again; an unchanged parser leaves unchanged bytes.

    Args:
        subject: only that one, by the name of its folder or its own; with the latter, however it was asked.

    Raises:
        DatasetError: there is no such evaluation, it is of other questions, or a file is damaged.
        WriteError: it can't be written; the answers that are there stay.
    """
    path = Path(folder)
    return rescore_dataset(suite_of(path), path, subject)


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
        InputError: the benchmark can't be read, the mapping doesn't fit it, or scikit-learn is missing.
    """
    how = mapping if isinstance(mapping, MappingOptions | None) else MappingOptions(mapping)
    if not isinstance(benchmark, str | PathLike):
        return audit_records(benchmark, how, **options)
    path = Path(benchmark)
    if not (path.is_dir() and (path / MANIFEST).exists()):
        if path.is_dir() and how is None:
            raise DatasetError(f"{path}: holds no dataset (there is no {MANIFEST}); for a folder of files give --map")
        return audit_records(path, how, **options)
    if how is not None and how != MappingOptions():
        raise InputError(f"{path}: is a dataset folder; --map is for the files of another benchmark")
    suite = suite_of(path)
    with readable_dataset(path, suite):
        return audit_items(suite.items(path), str(path), **options)
