"""The findings of an audit, as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtomtrack.report.evaluations import plain
from dtomtrack.report.printed import percent, percent_range

if TYPE_CHECKING:
    from dtomtrack.audit import Audit
    from dtomtrack.audit import AuditRow as Found

__all__ = ["AuditRow", "AuditTable", "audit_table"]


@dataclass(frozen=True)
class AuditRow:
    """A rule, how often it is right over all questions, and on the type it does best on: percents, as printed.

    Attributes:
        expected: what a rule gets that tells no questions apart.
    """

    rule: str
    overall: str
    interval: str
    worst: str
    worst_interval: str
    worst_type: str
    expected: str
    reads_context: bool


@dataclass(frozen=True)
class AuditTable:
    """The rules, worst first, and what keeps the questions from passing the gate: wrong golds, rules that do well."""

    rows: tuple[AuditRow, ...]
    failures: tuple[str, ...]


def audit_table(found: Audit, labels: Mapping[str, str]) -> AuditTable:
    """An audit as a table.

    Args:
        labels: what groups are called that have other words than their names.
    """
    # imported late: it brings scikit-learn
    from dtomtrack.audit.records import ALL, MIN_ITEMS

    by_rule: dict[str, list[Found]] = {}
    for row in found.rows:
        by_rule.setdefault(row.rule, []).append(row)
    rows = []
    for rule, own in by_rule.items():
        overall = next((row for row in own if row.group == ALL), None)
        parts = [row for row in own if row.group != ALL and row.items >= MIN_ITEMS]
        rows.append(_row(rule, overall, max(parts, key=_excess, default=None), own, labels))
    rows.sort(key=lambda row: row.reads_context)
    return AuditTable(tuple(rows), tuple(plain(failure) for failure in found.failures()))


def _row(
    rule: str, overall: Found | None, worst: Found | None, own: Sequence[Found], labels: Mapping[str, str]
) -> AuditRow:
    return AuditRow(
        rule=plain(rule),
        overall=percent(overall.accuracy.value if overall else None),
        interval=percent_range(overall.accuracy) if overall else "",
        worst=percent(worst.accuracy.value if worst else None),
        worst_interval=percent_range(worst.accuracy) if worst else "",
        worst_type=plain(labels.get(worst.group, worst.group)) if worst else "",
        expected=percent((overall or own[0]).expected),
        reads_context=own[0].reads_context,
    )


def _excess(row: Found) -> float:
    return (row.accuracy.value or 0.0) - row.expected
