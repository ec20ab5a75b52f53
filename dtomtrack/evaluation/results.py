"""Finished evaluations, read back: their answers added up anew, so that no stored figure has to be believed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.answer_folder import (
    ANSWERS,
    EVALUATIONS,
    METRICS,
    goes_on_with_more,
    read_config,
    whole_answers,
)
from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.comparison import Comparisons, compare_all
from dtomtrack.evaluation.dataset import begins_with_questions, digest_of, edited_in, readable_dataset
from dtomtrack.evaluation.metrics import Taken, metrics
from dtomtrack.evaluation.other_questions import FewerQuestionsError, OtherQuestionsError
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.evaluation.rules import reads_records
from dtomtrack.evaluation.selection import count_asked, selected_items
from dtomtrack.files import LONGEST_RECORD, opened, text_of
from dtomtrack.options import did_you_mean
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.names import folder_name

__all__ = [
    "check_questions",
    "compare_evaluations",
    "evaluations_in",
    "every_evaluation",
    "read_metrics",
    "read_stopped",
    "taken_before",
]


def every_evaluation(there: Path) -> list[tuple[Path, AskConfig]]:
    """The folders of all evaluations in a folder, in the order of their names, and how each was asked."""
    return [
        (path, config)
        for path in sorted(there.iterdir() if there.is_dir() else ())
        if path.is_dir() and (config := read_config(path)) is not None
    ]


def evaluations_in(there: Path, subject: str | None = None) -> list[tuple[Path, AskConfig]]:
    """The folders of evaluations, in the order of their names, and how each was asked.

    Args:
        there: the folder that they are in: ``eval`` in a dataset's, or one that was asked for.
        subject: only those of this one, by the name of its folder or its own.

    Raises:
        DatasetError: there is none.
    """
    every = every_evaluation(there)
    if not every:
        raise DatasetError(f"{there}: there is no evaluation; make one with dtomtrack evaluate")
    found = [(path, config) for path, config in every if _is_meant(path, config, subject)]
    if subject is not None and not found:
        names = sorted({config.subject for _, config in every})
        raise DatasetError(f"{there}: there is no evaluation of {subject!r}; {did_you_mean(subject, names)}")
    return found


def _is_meant(path: Path, config: AskConfig, subject: str | None) -> bool:
    if subject is None or subject in {path.name, config.subject}:
        return True
    # a subject with a way of asking behind it; not one whose folder would have the same name
    return subject.startswith(config.subject) and folder_name(subject) == path.name


def compare_evaluations(
    benchmark: Benchmark, folder: Path, subjects: Sequence[str] = (), evaluations: Path | None = None
) -> Comparisons:
    """The evaluations of a dataset, each with each other, by the names of their folders; stopped ones, too.

    Args:
        subjects: only these, each by the name of its folder or its own; all where there are none.
        evaluations: the folder that they are in, if it is not the dataset's.

    Raises:
        DatasetError: fewer than two have answers, one is of other questions, or a file is damaged.
        InputError: an extra is missing.
    """
    there = folder / EVALUATIONS if evaluations is None else evaluations
    with readable_dataset(folder, benchmark):
        wanted = {path: config for one in subjects or (None,) for path, config in evaluations_in(there, one)}
        # finished ones first: those that have lost answers are not taken for stopped
        finished = {path for path, config in wanted.items() if taken_before(path / METRICS, config) is not None}
        answered = {path: config for path, config in wanted.items() if _has_answers(path)}
        check_questions(benchmark, folder, answered)
        if len(answered) < 2:
            more = bool(subjects) and len(every_evaluation(there)) > len(wanted)
            hint = "name two of them, or none" if more else "make them with dtomtrack evaluate"
            raise DatasetError(f"{there}: comparing takes two evaluations with answers; {hint}")
        stopped = [path.name for path in answered if path not in finished]
        references = [path.name for path, config in answered.items() if reads_records(config.subject)]
        found = compare_all({path.name: whole_answers(path) for path in answered}, benchmark.items(folder))
        return found.model_copy(update={"stopped": tuple(stopped), "references": tuple(references)})


def _has_answers(path: Path) -> bool:
    return any(True for _ in islice(whole_answers(path), 1))


def check_questions(benchmark: Benchmark, folder: Path, evaluations: Mapping[Path, AskConfig]) -> None:
    """Make sure that evaluations are ones of the questions that a dataset has now.

    Args:
        folder: of the dataset.
        evaluations: how each was asked, by its folder.

    Raises:
        FewerQuestionsError: some are of the first of them; all these are named.
        OtherQuestionsError: some are of others.
    """
    digest, _ = digest_of(folder, benchmark)
    before = {path: config for path, config in evaluations.items() if config.questions != digest}
    asked = {config.questions for config in before.values() if goes_on_with_more(config)}
    beginnings = {one for one in asked if begins_with_questions(folder, benchmark, one)}
    fewer = [path for path, one in before.items() if goes_on_with_more(one) and one.questions in beginnings]
    others = [path for path in before if path not in fewer]
    if others:
        raise OtherQuestionsError(others, fewer)
    if fewer:
        raise FewerQuestionsError(fewer)


def read_metrics(benchmark: Benchmark, folder: Path, path: Path) -> Metrics | None:
    """The metrics of the evaluation in a folder, from its answers; None if it is not finished.

    Args:
        folder: of the dataset.
        path: of the evaluation.

    Raises:
        DatasetError: a file is damaged, or an answer does not go with its item.
        InputError: an extra is missing.
    """
    config = read_config(path)
    taken = None if config is None else taken_before(path / METRICS, config)
    if config is None or taken is None:
        return None
    items, answers = selected_items(benchmark, folder, config), read_lines(path / ANSWERS, Answer)
    return metrics(benchmark, config, items, answers, taken, edited_in(folder))


def read_stopped(benchmark: Benchmark, folder: Path, path: Path) -> Metrics | None:
    """The metrics of the answers that a stopped evaluation has so far; None if it has none.

    Args:
        folder: of the dataset.
        path: of the evaluation.

    Raises:
        DatasetError: a file is damaged, or an answer does not go with its item.
        InputError: an extra is missing.
    """
    # imported late: baselines have no journal
    from dtomtrack.llm.journal import JOURNAL, totals_in

    config = read_config(path)
    if config is None or not _has_answers(path):
        return None
    used = totals_in(path / JOURNAL)
    taken = Taken(used.calls, used.tokens, used.cost) if used else Taken()
    found = metrics(
        benchmark,
        config,
        selected_items(benchmark, folder, config),
        whole_answers(path),
        taken,
        edited_in(folder),
    )
    return found.model_copy(update={"missing": count_asked(benchmark, folder, config) - found.answers})


def taken_before(path: Path, config: AskConfig) -> Taken | None:
    """Totals of an evaluation's calls, as its metrics tell; None if it has none, or some of another asking.

    Raises:
        DatasetError: the file is damaged, or answers that it counts are no longer there.
    """
    try:
        stored = json.loads(text_of(path, "file of metrics", DatasetError, LONGEST_RECORD))
        asked = AskConfig.model_validate(stored["config"])
        taken = Taken(int(stored["calls"]), int(stored["tokens"]), float(stored["cost"]))
        answers = stored.get("answers")
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{path}: is damaged, or from another version of dtomtrack; move it away") from error
    if asked != config:
        return None
    if answers is not None:
        _check_all_there(path.parent / ANSWERS, answers)
    return taken


def _check_all_there(path: Path, wanted: object) -> None:
    try:
        with opened(path) as file:
            there = sum(line.endswith(b"\n") for line in file)
    except FileNotFoundError as error:
        raise DatasetError(f"{path}: is gone; restore the file, or give the evaluate command again") from error
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
    if isinstance(wanted, int) and there > wanted:
        raise DatasetError(
            f"{path}: holds {there} lines, and the evaluation ended with {wanted} answers; restore the file, or move "
            f"{path.parent} away and evaluate again"
        )
    if there != wanted:
        raise DatasetError(
            f"{path}: holds {there} of the {wanted} answers of a finished evaluation; restore the file, or give the "
            "evaluate command again"
        )
