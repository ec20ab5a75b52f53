"""Rescoring: stored replies are read again, without a call."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from pydantic import ValidationError

from dtomtrack.errors import DatasetError, WriteError
from dtomtrack.evaluation.answer_folder import ANSWERS, METRICS, AnswerFolder, read_config, same_item
from dtomtrack.evaluation.asked import asked_of, digest_of, pairs, questions_of, readable_dataset
from dtomtrack.evaluation.asking import read_again
from dtomtrack.evaluation.evaluate import EVALUATIONS
from dtomtrack.evaluation.records import Answer, AskConfig, Metrics
from dtomtrack.runs.folder import folder_name
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.suites.dtom.baselines import PREFIX

__all__ = ["Rescored", "rescore"]


@dataclass(frozen=True)
class Rescored:
    """What came of reading the replies of one subject again.

    Attributes:
        name: of its folder.
        changed: how many outcomes or letters are others than before.
        metrics: None where the evaluation is not finished.
    """

    name: str
    answers: int
    changed: int
    metrics: Metrics | None


def rescore(folder: str | PathLike[str], subject: str | None = None) -> tuple[Rescored, ...]:
    """Read the stored replies of a dataset's evaluations again; an unchanged parser leaves unchanged bytes.

    What was answered by probabilities or by a baseline stays as it is.

    Args:
        subject: only that one, by the name of its folder or its own; with the latter, however it was asked.

    Raises:
        DatasetError: there is no such evaluation, it is of other questions, or a file is damaged.
        WriteError: it can't be written; what is there stays.
    """
    data = Path(folder)
    with readable_dataset(data):
        digest, _ = digest_of(data)
        configs = [(path, config) for path, config in _evaluations(data) if _is_meant(path, config, subject)]
        if not configs:
            which = "no evaluation" if subject is None else f"no evaluation of {subject!r}"
            raise DatasetError(f"{data / EVALUATIONS}: there is {which}; make one with dtomtrack evaluate")
        return tuple([_rescore(data, path, config, digest) for path, config in configs])


def _evaluations(data: Path) -> Iterator[tuple[Path, AskConfig]]:
    there = data / EVALUATIONS
    for path in sorted(there.iterdir()) if there.is_dir() else ():
        config = read_config(path) if path.is_dir() else None
        if config is not None:
            yield path, config


def _is_meant(path: Path, config: AskConfig, subject: str | None) -> bool:
    return subject is None or subject in {path.name, config.subject} or folder_name(subject) == path.name


def _rescore(data: Path, path: Path, config: AskConfig, digest: str) -> Rescored:
    if config.questions != digest:
        raise DatasetError(f"{path}: holds answers to other questions; the dataset has changed: move it away")
    with AnswerFolder(path, config) as there:
        answers, changed = _read_all(data, path, config)
        metrics = _sum_up(data, path, config)
        if metrics is not None:
            there.finish(metrics)
    return Rescored(path.name, answers, changed, metrics)


def _read_all(data: Path, path: Path, config: AskConfig) -> tuple[int, int]:
    """(answers, changed ones), once they are written."""
    draft = path / f".{ANSWERS}.draft"
    count = changed = 0
    try:
        with draft.open("wb") as file:
            for before, after in _again(data, path, config):
                file.write(to_lines([after]))
                count += 1
                changed += (before.outcome, before.shown) != (after.outcome, after.shown)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path / ANSWERS)
    except OSError as error:
        raise WriteError(f"{path}: can't be written ({error.strerror}); the answers stay as they were") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    return count, changed


def _again(data: Path, path: Path, config: AskConfig) -> Iterator[tuple[Answer, Answer]]:
    by_rule = config.subject.startswith(PREFIX)
    wanted = asked_of(pairs(data, config.limit), config.permutations)
    for number, answer in enumerate(read_lines(path / ANSWERS, Answer), 1):
        asked = same_item(answer, next(wanted, None), f"{path / ANSWERS}:{number}")
        yield answer, answer if by_rule else read_again(config, asked, answer)


def _sum_up(data: Path, path: Path, config: AskConfig) -> Metrics | None:
    """The metrics again, with what the calls took as it was told before; None where the evaluation is not finished."""
    before = _metrics_before(path / METRICS)
    if before is None or before.config != config:
        return None
    from dtomtrack.evaluation.metrics import metrics

    return metrics(
        config,
        questions_of(data, config.limit),
        read_lines(path / ANSWERS, Answer),
        calls=before.calls,
        tokens=before.tokens,
        cost=before.cost,
    )


def _metrics_before(path: Path) -> Metrics | None:
    try:
        return Metrics.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatasetError(f"{path}: can't be read ({error.strerror})") from error
    except ValidationError as error:
        raise DatasetError(f"{path}: is damaged, or from another version of dtomtrack; move it away") from error
