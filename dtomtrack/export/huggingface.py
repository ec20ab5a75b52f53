"""A dataset repository for the Hugging Face hub: a card, and Parquet files that ``datasets.load_dataset`` opens."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import yaml

from dtomtrack.errors import DatasetError
from dtomtrack.export.exportable import ExportSource
from dtomtrack.export.parquet import stem, write_file
from dtomtrack.runs.edited import edited_files
from dtomtrack.runs.folder import MANIFEST, read_manifest

__all__ = ["write_huggingface"]

_FENCE = "---\n"
_FILES = "## Files\n"


class _Config(NamedTuple):
    """A table of the repository: a file of the dataset."""

    name: str
    columns: Sequence[str]

    @property
    def path(self) -> str:
        return f"{self.name}/test.parquet"


def write_huggingface(source: ExportSource, draft: Path, out: Path) -> None:
    """Write card and data: the items first, then what they ask about.

    Raises:
        DatasetError: the dataset came without the manifest that the card is made from, or a line of it is damaged.
    """
    manifest = read_manifest(source.folder)
    if manifest is None:
        raise DatasetError(f"{source.folder}: there is no {MANIFEST}, from which the card is made; export --to parquet")
    configs = [_write_config(source, name, draft) for name in reversed(source.suite.files)]
    card = _card(source.suite.card(manifest), configs)
    edited = edited_files(source.folder, manifest.files)
    if edited:
        card += f"\n**Warning:** edited since it was made: {', '.join(f'`{name}`' for name in edited)}.\n"
    (draft / "README.md").write_text(card, encoding="utf-8", newline="\n")


def _write_config(source: ExportSource, name: str, draft: Path) -> _Config:
    """Write a file; the one of the items with what a model is shown."""
    path = draft / _Config(stem(name), ()).path
    path.parent.mkdir()
    prompts = (one.prompt for one in source.items()) if name == source.suite.files[-1] else None
    return _Config(stem(name), write_file(source, name, path, prompts))


def _card(card: str, configs: Sequence[_Config]) -> str:
    """The dataset's own card, with the files of the export in place of its own.

    Raises:
        ValueError: the card has no front matter.
    """
    before, front, text = card.split(_FENCE, 2)
    metadata = yaml.safe_load(front)
    metadata["configs"] = [
        {"config_name": one.name, "data_files": [{"split": "test", "path": one.path}]} for one in configs
    ]
    metadata["configs"][0]["default"] = True
    front = yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True)
    about = text.partition(_FILES)[0]
    for one in configs:
        about = about.replace(f"`{one.name}.jsonl`", f"`{one.name}`")
    return f"{before}{_FENCE}{front}{_FENCE}{about}{_files(configs)}"


def _files(configs: Sequence[_Config]) -> str:
    # imported late: one export needs it
    from jinja2 import Environment, StrictUndefined

    text = (resources.files("dtomtrack.export") / "templates" / "hub_files.md.jinja").read_text(encoding="utf-8")
    # Markdown, not HTML; what is filled in are names of files and of a record's fields
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701
    return environment.from_string(text).render(configs=configs)
