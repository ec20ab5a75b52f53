"""Trajectories as a suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.evaluation.benchmark import RuleMaker
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.items.item import ContextLine, Item, ItemContext
from dtomtrack.llm.prompts import as_data, prompt
from dtomtrack.report.presentation import Head
from dtomtrack.runs.manifest import Manifest
from dtomtrack.suites.items.by_groups import most_frequent_by
from dtomtrack.suites.items.card import rendered
from dtomtrack.suites.items.reading import items_of
from dtomtrack.suites.items.records import ItemLine
from dtomtrack.suites.items.suite import ItemsSuite
from dtomtrack.suites.trajectories.measures import measures
from dtomtrack.suites.trajectories.questions import GOLD, NEVER, NO_CHANGE, OTHER_TURN, POST, PRE

__all__ = ["SUITE", "TrajectoriesSuite"]

_PACKAGE = "dtomtrack.suites.trajectories"


class NumberedContext:
    """A whole conversation, each line behind the number of its turn."""

    def __init__(self, lines: Sequence[ContextLine]) -> None:
        self._lines = lines

    @property
    def lines(self) -> Sequence[ContextLine]:
        """Everything that is said, in order."""
        return self._lines

    def text(self, condition: str) -> str:
        """The lines, or that there are none to read."""
        if condition == "none":
            return prompt(_PACKAGE, "none").fill()
        numbered = (f"{n}. {as_data(line.speaker)}: {as_data(line.text)}" for n, line in enumerate(self._lines))
        return prompt(_PACKAGE, "conversation").fill(lines="\n".join(numbered))


def _context(item: ItemLine, lines: Sequence[ContextLine], background: str) -> ItemContext:
    return NumberedContext(lines)


class TrajectoriesSuite(ItemsSuite):
    """What people held in annotated conversations: before a change, after it, and when it was."""

    name = "trajectories"
    title = "Trajectories: annotated conversations, asked about before, after and when"
    conditions: tuple[str, ...] = ("utterances", "none")
    focus = "who held what at which turn, and what they held later"
    rules: Mapping[str, RuleMaker] = {
        "oracle": lambda items: lambda shown: shown.item.gold,
        "by-round": most_frequent_by("type", "topic", "round"),
    }
    group_order: Mapping[str, Sequence[str]] = {"type": [kind.value for kind in QuestionType]}
    role_labels: Mapping[str, str] = {
        GOLD: "right",
        PRE: "held earlier",
        POST: "held later",
        NEVER: "never held",
        OTHER_TURN: "another turn",
        NO_CHANGE: "no change",
    }
    legend: Mapping[str, str] = {
        "intrusion": "Wrong answers about before a change that name what was held later.",
        "trajectory": "Changes of which before, after and when are all right.",
    }

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The items of a dataset."""
        return items_of(folder, limit, _context)

    def measures(self, answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
        """Intrusions, and whole trajectories."""
        return measures(answers)

    def head(self, manifest: Manifest) -> Head:
        """Where the conversations are from, and how many there are."""
        counts, config = manifest.counts, manifest.config
        return Head(
            title=str(config.get("source", "Trajectories")),
            lead=f"{counts.questions:,} questions about {counts.dialogues:,} annotated conversations.",
            facts={"Balanced": "yes" if config.get("balanced") else "no", "Form": str(config.get("form"))},
        )

    def card(self, manifest: Manifest) -> str:
        """The dataset card."""
        return rendered(_PACKAGE, manifest)


SUITE = TrajectoriesSuite()
