"""DToM-Track as a suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.beliefs.rejection import Rejection
from dtomtrack.beliefs.scenario import MentalState, Trigger
from dtomtrack.evaluation.benchmark import ReplyReader, RuleMaker
from dtomtrack.evaluation.curves import CurveSpec
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import Item
from dtomtrack.records import Record
from dtomtrack.report.paper_tables import TableMaker
from dtomtrack.report.presentation import FigureMaker, Head
from dtomtrack.report.sections import SuiteSection
from dtomtrack.report.shown import BrowserWords, ShownDialogue
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.dtom.baselines import RULES
from dtomtrack.suites.dtom.browsing import drawn_dialogues, shown_dialogues
from dtomtrack.suites.dtom.card import card
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.contexts import CONDITIONS
from dtomtrack.suites.dtom.curves import CURVES
from dtomtrack.suites.dtom.figures import FIGURES
from dtomtrack.suites.dtom.items import ABSENT, RETURNS, items_of
from dtomtrack.suites.dtom.measures import measures
from dtomtrack.suites.dtom.presentation import LABELS, LEGEND, ROLE_LABELS, WORDS, head
from dtomtrack.suites.dtom.slot_result import DIALOGUES, QUESTIONS, REJECTED
from dtomtrack.suites.dtom.verdict_line import VERDICTS, VerdictLine

__all__ = ["SUITE", "DtomSuite"]


class DtomSuite:
    """Minds that change in a conversation: before, after, when, and in the eyes of the other."""

    name = "dtom"
    title = "Dynamic Theory of Mind: what somebody held before and after they changed their mind"
    conditions = CONDITIONS
    files = (DIALOGUES, QUESTIONS)
    records: Mapping[str, type[Record]] = {
        DIALOGUES: Dialogue,
        QUESTIONS: Question,
        REJECTED: Rejection,
        VERDICTS: VerdictLine,
    }
    config: type[Record] | None = RunConfig
    published_reader: ReplyReader | None = None
    focus = "who held what at which turn, and what they held later"
    rules: Mapping[str, RuleMaker] = RULES
    group_order: Mapping[str, Sequence[str]] = {
        "type": [one.value for one in QuestionType],
        "mental_state": [one.value for one in MentalState],
        "marker": ["implicit", "explicit", ABSENT],
        "trigger": [*(one.value for one in Trigger), ABSENT],
        RETURNS: ["no", "yes", ABSENT],
    }
    labels: Mapping[str, Mapping[str, str]] = LABELS
    role_labels: Mapping[str, str] = ROLE_LABELS
    legend: Mapping[str, str] = LEGEND
    paper_tables: Sequence[TableMaker] = ()
    words: BrowserWords = WORDS
    figures: Sequence[FigureMaker] = FIGURES
    curves: Sequence[CurveSpec] = CURVES

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The questions of a dataset."""
        return items_of(folder, limit)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """Recency gap, intrusions, whole trajectories."""
        return measures(answers, config)

    def head(self, manifest: Manifest) -> Head:
        """The head of the page."""
        return head(manifest)

    def sections(self, folder: Path) -> Sequence[SuiteSection]:
        """None of its own."""
        return ()

    def dialogues(self, folder: Path, limit: int) -> Iterator[ShownDialogue]:
        """The first dialogues with their questions, inner speech and records."""
        return shown_dialogues(folder, limit)

    def drawn_dialogues(self, folder: Path, count: int) -> Iterator[ShownDialogue]:
        """Some of the dialogues, from anywhere."""
        return drawn_dialogues(folder, count)

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return card(manifest)


SUITE = DtomSuite()
