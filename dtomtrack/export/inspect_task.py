"""An Inspect AI task: a Python file that is the same for every dataset, and the questions as its samples."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from dtomtrack.export.items import Item, items, write_lines

__all__ = ["write_inspect"]

_TASK = "dtomtrack_task.py"


def write_inspect(folder: Path, draft: Path, out: Path) -> None:
    """Write the task and its samples."""
    task = resources.files("dtomtrack.export") / "templates" / _TASK
    (draft / _TASK).write_bytes(task.read_bytes())
    write_lines(draft / "questions.jsonl", items(folder), _sample)


def _sample(item: Item) -> dict[str, object]:
    """A question as an Inspect sample."""
    question = item.question
    return {
        "id": question.id,
        "input": item.prompt,
        "choices": list(question.options.values()),
        "target": question.answer,
        "metadata": item.metadata(),
    }
