"""Figures on the questions of a dataset: whose state they turn on, what rules get, and how their groups are filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from dtomtrack.audit import Audit, audit_items
from dtomtrack.audit.records import AuditRow
from dtomtrack.auditing import audit_benchmark
from dtomtrack.evaluation.benchmark import Rule
from dtomtrack.evaluation.best_rule import BestRule
from dtomtrack.evaluation.subject import rules_of
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.suites.dtom.items import APART, ASKS, DIFFERS
from dtomtrack.suites.dtom.suite import SUITE

__all__ = ["OF_PICTURES", "Asked", "blind_excess", "excess_by_chance", "most_excess"]

OF_PICTURES = ("second_order", "false_belief")
ALL_OF_THEM = 10**7
"""So many items are classified: of a part of them, chance alone has some rule above 5 points."""


@dataclass(frozen=True)
class Asked:
    """The questions of a dataset as items."""

    items: Sequence[Item]

    @classmethod
    def of(cls, folder: Path) -> Asked:
        """Those of a folder."""
        return cls(list(SUITE.items(folder)))

    def about(self, *types: str) -> Asked:
        """Only those of some types."""
        return Asked([one for one in self.items if one.groups["type"] in types])

    def grouped(self, name: str, group: str) -> Asked:
        """Only those of a group."""
        return Asked([one for one in self.items if one.groups.get(name) == group])

    def rule(self, name: str) -> Rule:
        """A baseline, which may learn from these very items."""
        return rules_of(SUITE)[name](lambda: self.items)

    def accuracy(self, rule: Rule | str) -> float | None:
        """The share that a rule gets right; None of nothing."""
        answer = self.rule(rule) if isinstance(rule, str) else rule
        right = [answer(PresentedItem(one)) == one.gold for one in self.items]
        return sum(right) / len(right) if right else None

    def best_rule(self) -> tuple[float | None, dict[str, float | None], dict[str, str]]:
        """What the best rule gets over all, by type, and which rules it is in the two halves."""
        rule = self.rule("best-rule")
        types = sorted({one.groups["type"] for one in self.items})
        by_type = {kind: self.about(kind).accuracy(rule) for kind in types}
        chosen = {
            kind: "/".join(dict.fromkeys(rule.chosen(kind, half) for half in (0, 1)))
            for kind in types
            if isinstance(rule, BestRule)
        }
        return self.accuracy(rule), by_type, chosen

    def differing(self, *, of_what_is_so: bool = False) -> tuple[int, int]:
        """How many questions about pictures have another gold than what is so by the records, and how many there are.

        Args:
            of_what_is_so: whether those count that ask what is so of somebody whom another was wrong about.
        """
        asked = [one for one in self.about(*OF_PICTURES).items if of_what_is_so or one.groups[ASKS] != "actual"]
        actual = self.rule("actual")
        return sum(actual(PresentedItem(one)) != one.gold for one in asked), len(asked)

    def marked(self) -> tuple[int, int]:
        """How many questions about pictures are marked as what they are, and how many there are.

        Where gold is other than what is so they have to be marked as apart, and where it isn't as controls.
        """
        actual = self.rule("actual")
        asked = self.about(*OF_PICTURES).items
        marks = ["control" if actual(PresentedItem(one)) == one.gold else "apart" for one in asked]
        return sum(one.groups.get(DIFFERS) == mark for one, mark in zip(asked, marks, strict=True)), len(asked)

    def apart(self) -> Asked:
        """The questions about pictures that are marked as apart from what is so."""
        return self.about(*OF_PICTURES).grouped(DIFFERS, "apart")

    def ways(self) -> Counter[str]:
        """How many questions about pictures there are for each way of coming apart."""
        return Counter(one.groups[APART] for one in self.apart().items if APART in one.groups)

    def counts(self, name: str) -> Counter[str]:
        """How many items each group has."""
        return Counter(one.groups[name] for one in self.items if name in one.groups)


def blind_excess(folder: Path, least: int) -> tuple[str, float, float]:
    """The rule without the dialogue that exceeds most what is expected of a dataset, as `most_excess` gives it."""
    return most_excess(audit_benchmark(folder, classified=ALL_OF_THEM), least)


def excess_by_chance(items: Sequence[Item], least: int, seed: int) -> tuple[str, float, float]:
    """`most_excess` of these items with right options that are drawn at random, where one is right."""
    drawn = Random(seed)
    by_chance = [
        replace(one, gold=frozenset({drawn.randrange(len(one.options))})) if one.select == "one" else one
        for one in items
    ]
    return most_excess(audit_items(by_chance, f"by chance, seed {seed}", classified=ALL_OF_THEM), least)


def most_excess(audit: Audit, least: int) -> tuple[str, float, float]:
    """The rule without the dialogue that exceeds most what is expected: its name, by how much, and by its low end.

    Args:
        least: items that a type has to have.
    """
    rows = [row for row in audit.rows if not row.reads_context and row.items >= least]
    worst = max(rows, key=_excess, default=None)
    if worst is None:
        return "-", 0.0, 0.0
    return f"{worst.rule}, {worst.group}", _excess(worst), (worst.accuracy.low or 0.0) - worst.expected


def _excess(row: AuditRow) -> float:
    return (row.accuracy.value or 0.0) - row.expected
