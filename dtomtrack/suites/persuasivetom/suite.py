"""PersuasiveToM as a suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import Item
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.presentation import Head
from dtomtrack.runs.job import Job
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.items.reading import items_of
from dtomtrack.suites.items.suite import ItemsSuite
from dtomtrack.suites.persuasivetom.baselines import RULES
from dtomtrack.suites.persuasivetom.card import card
from dtomtrack.suites.persuasivetom.contexts import CONDITIONS, make_context
from dtomtrack.suites.persuasivetom.items import STAGES
from dtomtrack.suites.persuasivetom.kinds import KINDS, KNOWN_FILES
from dtomtrack.suites.persuasivetom.measures import measures
from dtomtrack.suites.persuasivetom.presentation import LABELS, LEGEND, head
from dtomtrack.suites.persuasivetom.published import PublishedBenchmark
from dtomtrack.suites.persuasivetom.replies import published_reading
from dtomtrack.suites.persuasivetom.tables import TABLES
from dtomtrack.suites.persuasivetom.variants import VARIANTS
from dtomtrack.suites.published.folder import FoundFolder, KnownFile

if TYPE_CHECKING:
    from dtomtrack.suites.persuasivetom.model_polarity import ModelPolarities

__all__ = ["SUITE", "PersuasiveTomSuite"]


class PersuasiveTomSuite(ItemsSuite):
    """What two people in a persuasive conversation want, believe and intend, and which strategy comes next.

    Args:
        polarities: of attitudes, as a model says, for an import.
    """

    name = "persuasivetom"
    title = "PersuasiveToM: desires, beliefs and intentions in persuasive conversations (Yu et al., 2025)"
    conditions: tuple[str, ...] = CONDITIONS
    focus = "what each of the two wants, believes and intends at this point"
    published_reader: ReplyReader | None = staticmethod(published_reading)
    rules: Mapping[str, RuleMaker] = RULES
    group_order: Mapping[str, Sequence[str]] = {"type": list(KINDS), "stage": STAGES}
    labels: Mapping[str, Mapping[str, str]] = LABELS
    legend: Mapping[str, str] = LEGEND
    paper_tables: Sequence[TableMaker] = TABLES
    known_files: Sequence[KnownFile] = KNOWN_FILES
    variants: Mapping[str, str] = VARIANTS

    def __init__(self, polarities: ModelPolarities | None = None) -> None:
        self._polarities = polarities

    def published(self, folder: Path, found: FoundFolder, variant: str) -> PublishedBenchmark:
        """The published files in a variant."""
        return PublishedBenchmark(folder, found, variant, self._polarities)

    def job(self, request: GenerationRequest) -> Job:
        """The job that makes data of this kind."""
        # imported late: reading and answering need no packs
        from dtomtrack.suites.persuasivetom.generation.making import make_job

        return make_job(request)

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The items of a dataset."""
        return items_of(folder, limit, make_context)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """The analyses of the paper, each with what it is to be held against."""
        return measures(answers, config)

    def head(self, manifest: Manifest) -> Head:
        """The head of the page."""
        return head(manifest)

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return card(manifest)


SUITE = PersuasiveTomSuite()
