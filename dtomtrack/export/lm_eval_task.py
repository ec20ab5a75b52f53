"""A task folder for lm-evaluation-harness: a group with a task for each type of items.

Items of one right option are multiple choice by the letters' likelihood; of items with several, replies are read. The
settings name columns of the data, so nothing that a dialogue says is taken for a template, and only sets take code: one
function, the same for every dataset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import chain, count
from pathlib import Path

import yaml

from dtomtrack.errors import DatasetError
from dtomtrack.export.exportable import ExportSource, PromptedItem
from dtomtrack.export.json_lines import json_line
from dtomtrack.items.item import Select
from dtomtrack.items.letters import letter_of, letters_of
from dtomtrack.runs.names import folder_name

__all__ = ["write_lm_eval"]

_DATA = "data"
_SHARED: Mapping[Select, str] = {"one": "_dtomtrack_one_yaml", "any": "_dtomtrack_any_yaml"}
"""Files of what tasks share; no ``.yaml`` at the end, or the harness would take them for tasks."""
_SCORER = "lm_eval_sets"
"""The module of the function that scores sets."""
_NOTES: Mapping[Select, str] = {
    "one": "The letters are compared by their likelihood after the zero-shot prompt of dtomtrack's own evaluation.",
    "any": "Replies to the zero-shot prompt of dtomtrack's own evaluation are read for sets of letters.",
}
_COMMENT = """\
# What tasks of this folder share. `dtomtrack export` wrote the folder; where it is moved, change dataset_path.
# {}
# The harness takes questions for independent, which those of one dialogue are not: its standard errors are too small.
"""


@dataclass(frozen=True)
class _Task:
    """Items of one type of which one option is right, or of which any may be.

    Attributes:
        name: as the harness knows the task; ``alias`` is what its table calls it.
        data: the name of its file.
    """

    name: str
    alias: str
    select: Select
    data: str


def write_lm_eval(source: ExportSource, draft: Path, out: Path) -> None:
    """Write the tasks and their data.

    Args:
        out: where the folder will stand: the harness finds data by an absolute path, or from where it is started.

    Raises:
        DatasetError: there are no questions, or a line of the dataset is damaged.
    """
    (draft / _DATA).mkdir()
    tasks = _write_data(source, draft / _DATA)
    if not tasks:
        raise DatasetError(f"{source.folder}: holds no questions, so there is nothing to export")
    for select in sorted({task.select for task in tasks}):
        _write_shared(draft, select, out / _DATA)
    for task in tasks:
        _write_yaml(draft / f"{task.name}.yaml", _settings(task))
    _write_yaml(draft / f"{source.name}.yaml", _group(source.name, tasks))


def _write_data(source: ExportSource, data: Path) -> list[_Task]:
    """Write a file for each task there is; returns the tasks, in the suite's order of types."""
    tasks: dict[tuple[str, Select], _Task] = {}
    for one in source.items():
        kind, select = key = one.item.groups.get("type", "untyped"), one.item.select
        if key not in tasks:
            tasks[key] = _task(source.name, kind, select, {task.name for task in tasks.values()})
        # opened for every line: data of others may have more types than a process may have open files
        with (data / tasks[key].data).open("a", encoding="utf-8", newline="\n") as file:
            file.write(json_line(_document(one)))
    order = list(source.suite.group_order.get("type", ()))
    return sorted(tasks.values(), key=lambda task: order.index(task.alias) if task.alias in order else len(order))


def _task(group: str, kind: str, select: Select, taken: set[str]) -> _Task:
    """A task of a name that none has yet, however a disk compares names: types of others may differ only in case, or in
    characters that no file name has."""
    wanted = f"{group}_{folder_name(kind)[:60]}" + ("_any" if select == "any" else "")
    others = {one.casefold() for one in taken}
    numbered = (f"{wanted}_{number}" for number in count(2))
    name = next(one for one in chain([wanted], numbered) if one.casefold() not in others)
    return _Task(name, kind, select, f"{name}.jsonl")


def _document(prompted: PromptedItem) -> Mapping[str, object]:
    item = prompted.item
    return {
        "id": item.id,
        "dialogue_id": item.cluster,
        "groups": [{"name": name, "value": value} for name, value in item.groups.items()],
        "query": prompted.prompt,
        "letters": [letter_of(position) for position in range(len(item.options))],
        "options": list(item.options),
        "gold": min(item.gold) if item.select == "one" else list(letters_of(item.gold)),
    }


def _write_shared(draft: Path, select: Select, data: Path) -> None:
    """Write what the tasks of one kind share, and for sets the function that scores them."""
    path, note = draft / _SHARED[select], _COMMENT.format(_NOTES[select])
    common = {"dataset_path": str(data), "test_split": "test", "num_fewshot": 0, "doc_to_text": "query"}
    last = {"metadata": {"version": 1.0}}
    if select == "one":
        _write_yaml(path, {**common, **_BY_LETTER, **last}, note)
        return
    _write_yaml(path, {**common, **_BY_REPLY, **last}, note, f"process_results: !function {_SCORER}.process_results\n")
    scorer = resources.files("dtomtrack.export") / "templates" / f"{_SCORER}.py"
    (draft / f"{_SCORER}.py").write_bytes(scorer.read_bytes())


_ACCURACY: Mapping[str, object] = {"metric": "acc", "aggregation": "mean", "higher_is_better": True}
_BY_LETTER: Mapping[str, object] = {
    "output_type": "multiple_choice",
    "gen_prefix": "Answer:",
    "doc_to_choice": "letters",
    "doc_to_target": "gold",
    "metric_list": [_ACCURACY],
}
_BY_REPLY: Mapping[str, object] = {
    "output_type": "generate_until",
    "doc_to_target": "gold",
    "generation_kwargs": {"until": ["\n\nQuestion:"], "max_gen_toks": 512, "do_sample": False, "temperature": 0.0},
    "metric_list": [_ACCURACY, {"metric": "unparsed", "aggregation": "mean", "higher_is_better": False}],
}


def _settings(task: _Task) -> Mapping[str, object]:
    return {
        "include": _SHARED[task.select],
        "task": task.name,
        "task_alias": task.alias if task.select == "one" else f"{task.alias} (several right)",
        "dataset_kwargs": {"data_files": {"test": task.data}},
    }


def _group(name: str, tasks: Sequence[_Task]) -> Mapping[str, object]:
    return {
        "group": name,
        "task": [task.name for task in tasks],
        "aggregate_metric_list": [{"metric": "acc", "weight_by_size": True}],
        "metadata": {"version": 1.0},
    }


def _write_yaml(path: Path, settings: Mapping[str, object], before: str = "", after: str = "") -> None:
    text = yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True, width=1000)
    path.write_text(before + text + after, encoding="utf-8", newline="\n")
