"""The groupings of answers, and the names of their groups.

Groupings and groups may have any names; one that a suite has no words for stands under its own, and never goes missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.evaluation.benchmark import Benchmark
from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.report.evaluations import Evaluation, plain
from dtomtrack.report.presentation import Presentation, ReportedSuite

__all__ = ["Grouping", "grouping_label", "groupings", "in_order", "label_of", "type_grouping"]

_LABELS = {TYPE: "Question type"}
_PIECE = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Grouping:
    """Something that answers are grouped by.

    Attributes:
        label: what it is called ("Mental state").
        groups: its groups in order, each with what it is called.
    """

    name: str
    label: str
    groups: Mapping[str, str]


def groupings(suite: ReportedSuite, evaluations: Sequence[Evaluation]) -> list[Grouping]:
    """All groupings of the items that were answered, that by type first."""
    names = dict.fromkeys(name for one in evaluations for name in one.metrics.groups)
    ordered = [TYPE, *(name for name in names if name != TYPE)] if TYPE in names else list(names)
    return [_grouping(suite, name, evaluations) for name in ordered]


def type_grouping(found: Sequence[Grouping]) -> Grouping | None:
    """The grouping by type, if the items have types."""
    return next((one for one in found if one.name == TYPE), None)


def _grouping(suite: ReportedSuite, name: str, evaluations: Sequence[Evaluation]) -> Grouping:
    there = {
        group.name
        for one in evaluations
        for group in one.metrics.groups.get(name, ())
        if group.accuracy.value is not None
    }
    groups = in_order(suite, name, there)
    return Grouping(name, grouping_label(name), {group: label_of(suite, name, group) for group in groups})


def in_order(suite: ReportedSuite, grouping: str, groups: Iterable[str]) -> list[str]:
    """Groups in the order of the suite's labels, then in the order that it gives them, then as people count."""
    there = set(groups)
    known = dict.fromkeys((*_labels(suite, grouping), *_order(suite, grouping)))
    return [*(one for one in known if one in there), *sorted(there - known.keys(), key=_as_people_count)]


def label_of(suite: Presentation, grouping: str, group: str) -> str:
    """The label of a group: its own name where the suite has no words for it."""
    return plain(_labels(suite, grouping).get(group, group))


def grouping_label(name: str) -> str:
    """The label of a grouping: "mental_state" is "Mental state"."""
    if name in _LABELS:
        return _LABELS[name]
    words = plain(name).replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _labels(suite: Presentation, grouping: str) -> Mapping[str, str]:
    return suite.labels.get(grouping, {})


def _order(suite: Benchmark, grouping: str) -> Sequence[str]:
    return suite.group_order.get(grouping, ())


def _as_people_count(name: str) -> list[tuple[int, int | str]]:
    """A key that puts "type 2" before "type 10"."""
    return [(0, int(piece)) if piece.isdecimal() else (1, piece.casefold()) for piece in _PIECE.split(name)]
