"""The toy suite itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.rules import plain
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import Item
from dtomtrack.records import Record
from dtomtrack.report.clusters import shown_clusters
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.presentation import FigureMaker, Head
from dtomtrack.report.shown import BrowserWords, ShownDialogue
from dtomtrack.runs.manifest import Manifest
from toy_suite.card import card
from toy_suite.figure import left_out
from toy_suite.measure import LEFT_OUT, measures
from toy_suite.reader import CONDITIONS, LISTENERS, items_of
from toy_suite.records import QUIZ, SCENES, Quiz, Scene, ToyConfig

__all__ = ["ToySuite"]


class ToySuite:
    """Who has heard a secret?"""

    name = "toy"
    title = "Whispers: who in a house has heard a secret"
    conditions = CONDITIONS
    files = (SCENES, QUIZ)
    records: Mapping[str, type[Record]] = {SCENES: Scene, QUIZ: Quiz}
    config: type[Record] | None = ToyConfig
    focus = ""
    published_reader: ReplyReader | None = None
    rules: Mapping[str, RuleMaker] = {"last-letter": plain(lambda shown: max(shown.shown))}
    group_order: Mapping[str, Sequence[str]] = {"type": [LISTENERS, "whether"], "room": ["attic", "kitchen"]}
    labels: Mapping[str, Mapping[str, str]] = {"type": {LISTENERS: "Who was told", "whether": "Whether one was told"}}
    role_labels: Mapping[str, str] = {}
    legend: Mapping[str, str] = {LEFT_OUT: "Of those who were told, how many an answer does not name."}
    paper_tables: Sequence[TableMaker] = ()
    words = BrowserWords()
    figures: Sequence[FigureMaker] = (left_out,)

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The quiz."""
        return items_of(folder, limit)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """How many listeners are left out."""
        return measures(answers, config)

    def head(self, manifest: Manifest) -> Head:
        """What stands at the head of the page."""
        return Head("Whispers", facts={"Evenings": str(manifest.counts.dialogues)})

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """The first scenes."""
        return shown_clusters(self.items(folder, limit), limit)

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return card(manifest)
