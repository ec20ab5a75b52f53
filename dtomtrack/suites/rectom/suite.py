"""RecToM as a suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dtomtrack.errors import InputError
from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import ContextLine, Item
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.presentation import Head
from dtomtrack.runs.job import Job
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.generating import GenerationRequest
from dtomtrack.suites.items.reading import items_of
from dtomtrack.suites.items.records import ItemLine
from dtomtrack.suites.items.suite import ItemsSuite
from dtomtrack.suites.published.folder import FoundFolder, KnownFile
from dtomtrack.suites.rectom.card import card
from dtomtrack.suites.rectom.code_book import definitions_of
from dtomtrack.suites.rectom.contexts import CONDITIONS, RectomContext
from dtomtrack.suites.rectom.kinds import BY_FILE, KNOWN_FILES
from dtomtrack.suites.rectom.learnt_utterance import learnt_utterance
from dtomtrack.suites.rectom.measures import measures
from dtomtrack.suites.rectom.paper_tables import TABLES
from dtomtrack.suites.rectom.presentation import LABELS, LEGEND
from dtomtrack.suites.rectom.published_reader import published_reading
from dtomtrack.suites.rectom.variants import VARIANTS

if TYPE_CHECKING:
    from dtomtrack.suites.items.importing import Importable

__all__ = ["SUITE", "RectomSuite"]


class RectomSuite(ItemsSuite):
    """What recommender and seeker believe, want, intend and will do.

    Args:
        iard: the file of labels underneath, for an import that is to be checked against them.
        seed: draws the strategies that are judged, for an import of such a file alone; 0 if not given.
    """

    name = "rectom"
    title = "RecToM: minds in recommendation dialogues, ten types with one or several right options"
    focus = "what the recommender and the seeker want, believe and intend, in at most three steps"
    known_files: Sequence[KnownFile] = KNOWN_FILES
    variants: Mapping[str, str] = {name: one.says for name, one in VARIANTS.items()}

    conditions = CONDITIONS
    rules: Mapping[str, RuleMaker] = {"learnt-utterance": learnt_utterance}
    labels: Mapping[str, Mapping[str, str]] = LABELS
    legend: Mapping[str, str] = LEGEND
    paper_tables: Sequence[TableMaker] = TABLES
    published_reader: ReplyReader | None = staticmethod(published_reading)

    def __init__(self, iard: Path | None = None, seed: int | None = None) -> None:
        self._iard = iard
        self._seed = seed

    def published(self, folder: Path, found: FoundFolder, variant: str) -> Importable:
        """The published files in a variant.

        Raises:
            InputError: a record can't be read, what the variant needs is missing, or there is a seed, which nothing
                here takes.
        """
        if self._seed is not None:
            raise InputError("a seed is for a file in IARD's format; of RecToM's own files nothing is drawn")
        # imported late: only an import needs it
        from dtomtrack.suites.rectom.importing import published_rectom

        return published_rectom(folder, found, variant, self._iard)

    def of_file(self, path: Path, variant: str | None) -> Importable:
        """Eight of the ten types, of a file in IARD's format.

        Raises:
            InputError: it is no such file, it is a published one, or a variant or labels are named, which are for the
                published files.
        """
        # imported late: only an import needs it
        from dtomtrack.suites.rectom.labelled.importing import LabelledDialogues

        if path.name in BY_FILE:
            raise InputError(f"{path}: is one of RecToM's published files; name the folder that holds it")
        if variant is not None or self._iard is not None:
            raise InputError(
                f"{path}: is a file, whose labels are the golds; --variant and --iard are for a folder of RecToM's "
                "published files"
            )
        return LabelledDialogues(path, self._seed or 0)

    def job(self, request: GenerationRequest) -> Job:
        """The job that makes new dialogues.

        Raises:
            InputError: a domain is unknown, a pack is wrong, or a number is out of range.
        """
        # imported late: only generating needs it
        from dtomtrack.suites.rectom.generation.making import make_job

        return make_job(request)

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The items of a dataset, whose contexts can be cut at the line that is asked about."""
        return items_of(folder, limit, _cuttable)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """Bias of judgements, fine to coarse, sets label by label, coherence."""
        return measures(answers, config)

    def head(self, manifest: Manifest) -> Head:
        """Which variant it is, and how much there is."""
        counts, variant = manifest.counts, manifest.config.get("variant", "")
        return Head(
            title="RecToM",
            lead=f"{counts.questions:,} items about {counts.totals.get('clusters', 0):,} recommendation dialogues.",
            facts={"Variant": str(variant)},
        )

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return card(manifest)


def _cuttable(item: ItemLine, lines: Sequence[ContextLine], background: str) -> RectomContext:
    return RectomContext(lines, len(lines) if item.turn is None else min(item.turn, len(lines)), definitions_of(item))


SUITE = RectomSuite()
