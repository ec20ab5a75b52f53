"""A task folder for lm-evaluation-harness: a group with one multiple-choice task for each question type.

The settings name columns of the data, so nothing that a dialogue says is taken for a template, and there is no code.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import yaml

from dtomtrack.beliefs.question import LETTERS, QuestionType
from dtomtrack.errors import DatasetError
from dtomtrack.export.items import Item, items, json_line

__all__ = ["GROUP", "write_lm_eval"]

GROUP = "dtomtrack"
_DATA = "data"
_SHARED = f"_{GROUP}_template_yaml"
"""No ``.yaml`` at its end: the harness would take it for a task."""

_SHARED_TEXT = """\
# What the tasks of this folder share. `dtomtrack export` wrote the folder; where it is moved, change dataset_path.
# The letters are compared by their likelihood after the zero-shot prompt of dtomtrack's own evaluation. The harness
# takes questions for independent, which those of one dialogue are not: its standard errors are too small.
"""


def write_lm_eval(folder: Path, draft: Path, out: Path) -> None:
    """Write the tasks and their data.

    Args:
        out: where the folder will stand: the harness finds data by an absolute path, or from where it is started.

    Raises:
        DatasetError: there are no questions, or a line of the dataset is damaged.
    """
    (draft / _DATA).mkdir()
    found = _write_data(folder, draft / _DATA)
    if not found:
        raise DatasetError(f"{folder}: holds no questions, so there is nothing to export")
    _write_yaml(draft / _SHARED, _shared(out / _DATA), comment=_SHARED_TEXT)
    for kind in found:
        _write_yaml(draft / f"{GROUP}_{kind}.yaml", _task(kind))
    _write_yaml(draft / f"{GROUP}.yaml", _group(found))


def _write_data(folder: Path, data: Path) -> list[str]:
    """Write a file for each question type there is; returns the types."""
    files: dict[QuestionType, TextIO] = {}
    with ExitStack() as stack:
        for item in items(folder):
            kind = item.question.type
            if kind not in files:
                path = data / f"{kind.value}.jsonl"
                files[kind] = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))
            files[kind].write(json_line(_document(item)))
    return [kind.value for kind in QuestionType if kind in files]


def _document(item: Item) -> dict[str, object]:
    question = item.question
    return {
        "id": question.id,
        "dialogue_id": question.dialogue_id,
        "mental_state": question.mental_state.value,
        "query": item.prompt,
        "gold": LETTERS.index(question.answer),
    }


def _shared(data: Path) -> dict[str, object]:
    return {
        "dataset_path": str(data),
        "test_split": "test",
        "output_type": "multiple_choice",
        "num_fewshot": 0,
        "doc_to_text": "query",
        "gen_prefix": "Answer:",
        "doc_to_choice": list(LETTERS),
        "doc_to_target": "gold",
        "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
        "metadata": {"version": 1.0},
    }


def _task(kind: str) -> dict[str, object]:
    return {
        "include": _SHARED,
        "task": f"{GROUP}_{kind}",
        "task_alias": kind,
        "dataset_kwargs": {"data_files": {"test": f"{kind}.jsonl"}},
    }


def _group(kinds: list[str]) -> dict[str, object]:
    return {
        "group": GROUP,
        "task": [f"{GROUP}_{kind}" for kind in kinds],
        "aggregate_metric_list": [{"metric": "acc", "weight_by_size": True}],
        "metadata": {"version": 1.0},
    }


def _write_yaml(path: Path, settings: Mapping[str, object], comment: str = "") -> None:
    text = yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True, width=1000)
    path.write_text(comment + text, encoding="utf-8")
