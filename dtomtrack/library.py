"""The library on finished datasets: each call finds out whose dataset it is, and does what the command so named does.

from dtomtrack import evaluate

metrics = evaluate("out/restaurant-0", ["baseline/recency", "openai/gpt-4o-mini"])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from dtomtrack.blocking import run_blocking
from dtomtrack.evaluation.comparison import Comparisons
from dtomtrack.evaluation.evaluate import EvaluateProgress, run_evaluation
from dtomtrack.evaluation.records import Metrics, ParserName
from dtomtrack.evaluation.request import EvaluateOptions, request_evaluation
from dtomtrack.evaluation.rescore import Rescored, rescore_dataset
from dtomtrack.evaluation.results import compare_evaluations
from dtomtrack.options import check_options, names_options, path_of
from dtomtrack.report.shown import DIALOGUES_SHOWN
from dtomtrack.runs.garbage import rare_collections
from dtomtrack.suites.registry import suite_of

if TYPE_CHECKING:
    from dtomtrack.audit import Audit
    from dtomtrack.export.exporting import Exported, ExportFormat
    from dtomtrack.llm.chat import ChatModel
    from dtomtrack.report.writing import Report

__all__ = ["aevaluate", "compare", "evaluate", "export_dataset", "make_report", "rescore"]


class _Numbers(TypedDict):
    dialogues: int


def evaluate(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Iterable[str | ChatModel],
    *,
    report: Callable[[EvaluateProgress], None] | None = None,
    warn: Callable[[str], None] | None = None,
    **options: Unpack[EvaluateOptions],
) -> tuple[Metrics, ...]:
    """The metrics of subjects that answer the items of a dataset; see `aevaluate`."""
    return run_blocking(
        lambda: aevaluate(folder, subjects, report=report, warn=warn, **options), "await dtomtrack.aevaluate(...)"
    )


async def aevaluate(
    folder: str | PathLike[str],
    subjects: str | ChatModel | Iterable[str | ChatModel],
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
        the metrics of each; they are in ``eval/SUBJECT/`` of the dataset (or in ``out``), too, with every answer.

    Raises:
        InputError: a subject, option or the dataset can't be used, or the folder holds another evaluation.
        WriteError: the folder can't be written; the answers that are there are safe.
        ModelError: a model gives no answer, or the budget is spent; the same call goes on.
    """
    path = path_of("folder", folder)
    with rare_collections():
        request = request_evaluation(suite_of(path), path, subjects, **options)
        return await run_evaluation(request, report, warn)


@names_options
def rescore(
    folder: str | PathLike[str],
    subject: str | None = None,
    parser: ParserName = "dtomtrack",
    *,
    evaluations: str | PathLike[str] | None = None,
) -> tuple[Rescored, ...]:
    """Read the stored replies of a dataset's evaluations again; an unchanged parser leaves unchanged bytes.

    Args:
        subject: only that one, by the name of its folder or its own; with the latter, however it was asked.
        parser: "published" for the reading of the script that was published with the benchmark; its answers go to
            ``eval/SUBJECT.published``.
        evaluations: the folder that the evaluations are in; ``eval`` in the dataset's if not given.

    Raises:
        DatasetError: there is no such evaluation, it is of other questions, or a file is damaged.
        InputError: there is no such parser, or none was published.
        WriteError: it can't be written; the answers that are there stay.
    """
    path = path_of("folder", folder)
    return rescore_dataset(suite_of(path), path, subject, parser, _path("evaluations", evaluations))


@names_options
def compare(
    folder: str | PathLike[str], subjects: str | Sequence[str] = (), *, evaluations: str | PathLike[str] | None = None
) -> Comparisons:
    """The evaluations of a dataset, each with each other, on the items that both answered; also of stopped ones.

    Args:
        subjects: only these, each by the name of its folder or its own; all where there are none.
        evaluations: the folder that the evaluations are in; ``eval`` in the dataset's if not given.

    Raises:
        DatasetError: fewer than two have answers, one is of other questions, or a file is damaged.
    """
    path = path_of("folder", folder)
    named = [subjects] if isinstance(subjects, str | bytes) else subjects
    return compare_evaluations(suite_of(path), path, named, _path("evaluations", evaluations))


@names_options
def make_report(
    folder: str | PathLike[str],
    *,
    out: str | PathLike[str] | None = None,
    evaluations: str | PathLike[str] | None = None,
    audit: bool = True,
    dialogues: int = DIALOGUES_SHOWN,
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """Write figures and a page on a dataset and its evaluations.

    Args:
        out: the folder that they go to, none that holds data; ``report`` in the dataset's if not given.
        evaluations: the folder that the evaluations are in; ``eval`` in the dataset's if not given.
        audit: whether to audit it, too, and show what was found.
        dialogues: how many dialogues can be looked at in the page: the first, and of more than 2,000, drawn ones.
        tell: called with what is done next, in words.

    Raises:
        InputError: the folder is no finished dataset, an evaluation is damaged or of other questions, the report would
            lie among data, or an extra is missing.
        WriteError: the report can't be written.
    """
    # imported late: it brings the page and its figures, which an evaluation does without
    from dtomtrack.report.writing import Places, write_report

    check_options({"dialogues": dialogues}, _Numbers)
    path = path_of("folder", folder)
    places = Places(path, _path("out", out), _path("evaluations", evaluations))
    return write_report(suite_of(path), places, audit=_audit if audit else None, dialogues=dialogues, tell=tell)


@names_options
def export_dataset(folder: str | PathLike[str], to: ExportFormat, out: str | PathLike[str] | None = None) -> Exported:
    """Write a dataset in the form that another tool reads; the same dataset gives the same bytes.

    Args:
        out: a new folder, or one that holds this very export; ``FOLDER/export/FORMAT`` if not given.

    Raises:
        InputError: there is no such format, or a package that it needs is missing.
        DatasetError: the folder is no finished dataset or is damaged, or ``out`` holds something else.
        WriteError: the export can't be written.
    """
    # imported late: it brings what other tools' forms are written with
    from dtomtrack.export.exporting import write_export

    path = path_of("folder", folder)
    return write_export(suite_of(path), path, to, _path("out", out))


def _path(name: str, given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else path_of(name, given)


def _audit(folder: Path) -> Audit:
    # imported late: it brings scikit-learn
    from dtomtrack.auditing import audit_benchmark

    return audit_benchmark(folder)
