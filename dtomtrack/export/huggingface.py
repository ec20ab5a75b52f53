"""A dataset repository for the Hugging Face hub: a card, and Parquet files that ``datasets.load_dataset`` opens."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import yaml

from dtomtrack.beliefs.question import Question
from dtomtrack.errors import DatasetError
from dtomtrack.export.arrow import arrow_schema, write_parquet
from dtomtrack.export.items import Item, items
from dtomtrack.export.parquet import write_dialogues
from dtomtrack.runs.folder import MANIFEST, read_manifest
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.dtom.card import card
from dtomtrack.suites.dtom.slot_result import DIALOGUES

__all__ = ["hub_card", "write_huggingface"]

_QUESTION_FILE, _DIALOGUE_FILE = "questions/test.parquet", "dialogues/test.parquet"
_FENCE = "---\n"
_FILES = "## Files\n"


def write_huggingface(folder: Path, draft: Path, out: Path) -> None:
    """Write card and data.

    Raises:
        DatasetError: the dataset came without the manifest that the card is made from, or a line of it is damaged.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise DatasetError(f"{folder}: there is no {MANIFEST}, from which the card is made; export --to parquet")
    (draft / "README.md").write_text(hub_card(manifest), encoding="utf-8")
    for name in (_QUESTION_FILE, _DIALOGUE_FILE):
        (draft / name).parent.mkdir()
    _write_questions(folder, draft / _QUESTION_FILE)
    write_dialogues(folder, draft / _DIALOGUE_FILE)


def hub_card(manifest: Manifest) -> str:
    """The dataset's own card, with the files of the export in place of its own."""
    _, front, text = card(manifest).split(_FENCE, 2)
    metadata = yaml.safe_load(front)
    metadata["configs"] = [
        {"config_name": "questions", "default": True, "data_files": [{"split": "test", "path": _QUESTION_FILE}]},
        {"config_name": "dialogues", "data_files": [{"split": "test", "path": _DIALOGUE_FILE}]},
    ]
    front = yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True)
    files = (resources.files("dtomtrack.export") / "templates" / "hub_files.md").read_text(encoding="utf-8")
    about = text.partition(_FILES)[0].replace(f"`{DIALOGUES}`", "`dialogues`")
    return f"{_FENCE}{front}{_FENCE}{about}{files}"


def _write_questions(folder: Path, path: Path) -> None:
    """The questions, each with what a model is shown."""
    import pyarrow as pa

    schema = arrow_schema(Question).append(pa.field("prompt", pa.string(), nullable=False))
    write_parquet(path, schema, map(_row, items(folder)))


def _row(item: Item) -> dict[str, object]:
    return {**item.question.model_dump(mode="json"), "prompt": item.prompt}
