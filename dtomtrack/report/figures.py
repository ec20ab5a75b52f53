"""The figures of a report: those that mean something for any suite, and those that a suite brings along."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.report.curves import curve_drawings, curve_specs
from dtomtrack.report.drawing import Drawing, check_matplotlib, look, sheet
from dtomtrack.report.evaluations import Evaluation, compared, shortened
from dtomtrack.report.groupings import Grouping
from dtomtrack.report.option_roles import option_roles
from dtomtrack.report.plotting import INTERVALS, draw_points, groups_named, key, left_out, series, share_axis
from dtomtrack.report.presentation import ReportedSuite
from dtomtrack.report.reliability import reliability

__all__ = ["Figures", "accuracy_by", "draw_figures"]

_MOST_ROWS = 24
_MOST_GROUPS = 12
"""Groupings with more groups have no figure: their table says more. Types always have one."""
_LONGEST_LABEL = 34
_LONGEST_SLUG = 40
_NO_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Figures:
    """The figures that were drawn: those of their own, and those that go with the table of a grouping."""

    main: tuple[Drawing, ...] = ()
    by_grouping: Mapping[str, Drawing] = field(default_factory=dict)

    @property
    def all(self) -> tuple[Drawing, ...]:
        """Each of them."""
        return (*self.main, *self.by_grouping.values())


def draw_figures(suite: ReportedSuite, evaluations: Sequence[Evaluation], found: Sequence[Grouping]) -> Figures:
    """The figures that there is anything to draw for; none without an evaluation.

    Raises:
        InputError: matplotlib is missing.
    """
    if not evaluations:
        return Figures()
    check_matplotlib()
    own = [drawing for make in suite.figures if (drawing := make(evaluations)) is not None]
    own += curve_drawings(suite, evaluations)
    taken = {drawing.name for drawing in own}
    taken |= {_file_name(spec.along) for spec in curve_specs(suite) if spec.name in taken and not spec.by}
    common = (option_roles(suite, evaluations, found), reliability(evaluations))
    others = [drawing for drawing in common if drawing is not None and drawing.name not in taken]
    by_grouping = _by_grouping(evaluations, found, taken)
    by_type = by_grouping.pop(TYPE, None)
    return Figures((*([by_type] if by_type else []), *own, *others), by_grouping)


def _by_grouping(evaluations: Sequence[Evaluation], found: Sequence[Grouping], taken: set[str]) -> dict[str, Drawing]:
    """A figure for each grouping that has a few groups, unless the suite drew it."""
    drawn: dict[str, Drawing] = {}
    for number, grouping in enumerate(found):
        name = _file_name(grouping.name)
        if name in taken:
            continue
        used = {*taken, *(one.name for one in drawn.values())}
        numbered = (f"{name}-{further}" for further in count(number))
        free = next(one for one in chain([name], numbered) if one not in used)
        if grouping.name == TYPE or len(grouping.groups) <= _MOST_GROUPS:
            drawing = accuracy_by(grouping, evaluations, free)
            if drawing is not None:
                drawn[grouping.name] = drawing
    return drawn


def _file_name(grouping: str) -> str:
    """A file name that a name from a file can do no harm in."""
    return f"accuracy-by-{_NO_SLUG.sub('-', grouping.lower()).strip('-')[:_LONGEST_SLUG]}"


def accuracy_by(grouping: Grouping, evaluations: Sequence[Evaluation], name: str = "") -> Drawing | None:
    """Accuracy by group, a point a subject; None where there are fewer than two groups, unless they are types.

    Args:
        name: of its files; otherwise made from the grouping's.
    """
    shown = series(evaluations)
    groups = [group for group in grouping.groups if groups_named(shown, grouping.name, group)][:_MOST_ROWS]
    if len(groups) < (1 if grouping.name == TYPE else 2):
        return None
    with sheet(name or _file_name(grouping.name), _height(len(groups), len(shown))) as (figure, save):
        axes = figure.subplots()
        rows = {group: row for row, group in enumerate(reversed(groups))}
        for place, one in enumerate(shown):
            shift = ((len(shown) - 1) / 2 - place) * 0.7 / len(shown)
            known = [(row, found) for group, row in rows.items() if (found := one.group(grouping.name, group))]
            draw_points(axes, [(found.accuracy, row + shift) for row, found in known], *look(place))
        axes.set_yticks(range(len(groups)), [_short(grouping.groups[group]) for group in reversed(groups)])
        axes.set_ylim(-0.6, len(groups) - 0.4)
        share_axis(axes, [one.chance for group in groups for one in groups_named(shown, grouping.name, group)])
        key(axes, [(one.short, *look(place)) for place, one in enumerate(shown)])
    more = len(grouping.groups) - len(groups)
    groups_more = f" {more} more groups are in the table." if more else ""
    caption = f"{INTERVALS}{left_out(len(compared(evaluations)), len(shown))}{groups_more}"
    return save(f"Accuracy by {grouping.label[:1].lower()}{grouping.label[1:]}", caption)


def _height(groups: int, subjects: int) -> float:
    return 0.8 + groups * (0.24 + 0.11 * subjects)


def _short(label: str) -> str:
    return shortened(" ".join(label.split()), _LONGEST_LABEL)
