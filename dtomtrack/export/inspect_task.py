"""An Inspect AI task: a Python file that is the same for every dataset, and the items as its samples."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from dtomtrack.errors import DatasetError
from dtomtrack.export.exportable import ExportSource, PromptedItem
from dtomtrack.export.json_lines import json_line
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of, letters_of

__all__ = ["write_inspect"]

_TASK = "dtomtrack_task.py"


def write_inspect(source: ExportSource, draft: Path, out: Path) -> None:
    """Write the task, its samples, and what the task has to know of them.

    Raises:
        DatasetError: there are no questions, or a line of the dataset is damaged.
    """
    if next(source.items(), None) is None:
        raise DatasetError(f"{source.folder}: holds no questions, so there is nothing to export")
    task = resources.files("dtomtrack.export") / "templates" / _TASK
    (draft / _TASK).write_bytes(task.read_bytes())
    sets = False
    with (draft / "questions.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for one in source.items():
            file.write(json_line(_sample(one)))
            sets |= one.item.select == "any"
    (draft / "task.json").write_text(json_line({"name": source.name, "sets": sets}), encoding="utf-8", newline="\n")


def _sample(prompted: PromptedItem) -> Mapping[str, object]:
    """An item as an Inspect sample."""
    item = prompted.item
    return {
        "id": item.id,
        "input": prompted.prompt,
        "choices": list(item.options),
        "target": list(letters_of(item.gold)),
        "metadata": _metadata(item),
    }


def _metadata(item: Item) -> Mapping[str, object]:
    """The facts that results may be grouped by; a group that is called like one of the item's own says so."""
    own: dict[str, object] = {
        "dialogue_id": item.cluster,
        "select": item.select,
        "chance": item.chance,
        "turn": item.turn,
        "option_roles": {letter_of(position): role for position, role in enumerate(item.roles)},
    }
    groups = {f"group_{name}" if name in own else name: value for name, value in item.groups.items()}
    return {"type": "untyped", **groups, **own}
