"""The suite of imported items: any benchmark, with nothing special to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import Item
from dtomtrack.records import Record
from dtomtrack.report.clusters import shown_clusters
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.presentation import FigureMaker, Head
from dtomtrack.report.shown import BrowserWords, ShownDialogue
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.card import card
from dtomtrack.suites.items.reading import CONDITIONS, items_of
from dtomtrack.suites.items.records import CONTEXTS, ITEMS, REJECTED, ContextRecord, ItemLine, RejectedLine

__all__ = ["SUITE", "ItemsSuite"]


class ItemsSuite:
    """Items that were imported; suites of further published benchmarks build on it."""

    name = "items"
    title = "A benchmark that was imported: items, and what they ask about"
    conditions: tuple[str, ...] = CONDITIONS
    files = (CONTEXTS, ITEMS)
    records: Mapping[str, type[Record]] = {CONTEXTS: ContextRecord, ITEMS: ItemLine, REJECTED: RejectedLine}
    config: type[Record] | None = None
    focus = ""
    published_reader: ReplyReader | None = None
    rules: Mapping[str, RuleMaker] = {}
    group_order: Mapping[str, Sequence[str]] = {}
    labels: Mapping[str, Mapping[str, str]] = {}
    role_labels: Mapping[str, str] = {}
    legend: Mapping[str, str] = {}
    paper_tables: Sequence[TableMaker] = ()
    words = BrowserWords()
    figures: Sequence[FigureMaker] = ()

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The items of a dataset."""
        return items_of(folder, limit)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """None beside the common ones."""
        return ()

    def head(self, manifest: Manifest) -> Head:
        """Where the items are from, and how many there are."""
        counts = manifest.counts
        return Head(
            title=str(manifest.config.get("source", "Imported items")),
            lead=f"{counts.questions:,} imported items in {counts.totals.get('clusters', 0):,} clusters.",
            facts={"Golds written as": str(manifest.config.get("gold_form", ""))},
        )

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """The first clusters with their items."""
        return shown_clusters(self.items(folder), limit)

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return card(manifest)


SUITE = ItemsSuite()
