"""The part of a suite that exporting needs to know, and nothing more; and a dataset of one, to be exported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.prompting import prompt_text
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.records import Record
from dtomtrack.runs.manifest import Manifest
from dtomtrack.runs.names import folder_name

__all__ = ["ExportSource", "Exportable", "PromptedItem"]


class Exportable(Benchmark, Protocol):
    """A suite, as `dtomtrack.export` sees it."""

    @property
    def records(self) -> Mapping[str, type[Record]]:
        """The record of a line, for each JSON Lines file that is special to the suite's dataset folders.

        Those that its items are read from are among them; a line of the last of these is one item, in the items' order.
        """
        ...

    def card(self, manifest: Manifest) -> str:
        """The dataset card: Markdown with YAML front matter; its last section is "## Files"."""
        ...


class PromptedItem(NamedTuple):
    """An item, and what a model is shown: the evaluation's zero-shot prompt under the suite's usual condition."""

    item: Item
    prompt: str


@dataclass(frozen=True)
class ExportSource:
    """A dataset that is exported."""

    suite: Exportable
    folder: Path

    @cached_property
    def name(self) -> str:
        """The name of the task that it becomes: its suite's and its folder's."""
        return f"{self.suite.name}_{folder_name(self.folder.resolve().name).lstrip('-')[:60]}"

    def items(self) -> Iterator[PromptedItem]:
        """The items in the dataset's order, one at a time.

        Raises:
            DatasetError: a line is damaged, or an item's context is missing.
        """
        asked = AskConfig(subject=self.name, context=self.suite.conditions[0], questions=self.suite.files[-1])
        for item in self.suite.items(self.folder):
            yield PromptedItem(item, prompt_text(PresentedItem(item), asked))
