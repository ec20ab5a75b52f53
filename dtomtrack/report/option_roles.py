"""A figure of the options that were chosen, by how they were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.report.drawing import PAPER, WHOLE_WIDTH, Drawing, hue, sheet
from dtomtrack.report.evaluations import Evaluation, plain, shortened
from dtomtrack.report.groupings import Grouping, type_grouping
from dtomtrack.report.plotting import groups_named, share_axis
from dtomtrack.report.presentation import ReportedSuite

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["option_roles"]

_COLUMNS = 3
_MOST_TYPES = 24


def option_roles(suite: ReportedSuite, evaluations: Sequence[Evaluation], found: Sequence[Grouping]) -> Drawing | None:
    """Of the options that were chosen, the share of each role, by type; None where options have no roles.

    Where the suite names the role of right options, it stands first, and a line tells where it would end by chance.
    """
    types = _types(evaluations, type_grouping(found))
    if not types:
        return None
    roles = _roles(suite, evaluations)
    lines = -(-len(types) // _COLUMNS)
    with sheet("option-roles", 0.7 + lines * (0.45 + 0.22 * len(evaluations)), WHOLE_WIDTH) as (figure, save):
        grid = figure.subplots(lines, min(_COLUMNS, len(types)), sharex=True, sharey=True, squeeze=False)
        told = _chance_is_told(suite, evaluations)
        for axes, (kind, label) in zip(grid.flat, types.items(), strict=False):
            axes.set_title(label, loc="left", fontsize=9.5, fontweight="bold")
            _stacks(axes, evaluations, kind, roles)
            chances = [group.chance for group in groups_named(evaluations, TYPE, kind)] if told else []
            share_axis(axes, chances, label="")
            axes.set_xticks([0.0, 0.5, 1.0], ["0%", "50%", "100%"])
            axes.set_yticks(range(len(evaluations)), [one.short for one in reversed(evaluations)])
        for axes in list(grid.flat)[len(types) :]:
            axes.set_visible(False)
        figure.supxlabel("share of the options chosen", fontsize="medium")
        _key(figure, suite, roles)
    line = " The dashed line is where right answers would end by chance." if told else ""
    caption = f"Of the options in the answers that could be read, the share of each kind.{line}"
    return save("Options chosen, by how they were made", caption, wide=True)


def _types(evaluations: Sequence[Evaluation], grouping: Grouping | None) -> dict[str, str]:
    """The types of items whose options have roles, with what they are called."""
    known = dict(grouping.groups) if grouping else {"": "All items"}
    chosen = {kind for one in evaluations for kind, counts in one.metrics.roles.items() if sum(counts.values())}
    return {kind: label for kind, label in list(known.items())[:_MOST_TYPES] if kind in chosen}


def _roles(suite: ReportedSuite, evaluations: Sequence[Evaluation]) -> dict[str, int]:
    """The roles that were chosen, in the suite's order, others behind, each with the number of its colour."""
    chosen = {
        role for one in evaluations for counts in one.metrics.roles.values() for role, count in counts.items() if count
    }
    ordered = [*suite.role_labels, *sorted(chosen - suite.role_labels.keys())]
    return {role: number for number, role in enumerate(ordered) if role in chosen}


def _chance_is_told(suite: ReportedSuite, evaluations: Sequence[Evaluation]) -> bool:
    """Whether the first role is that of the one right option: chance is of answers, and sets have more than one."""
    return bool(suite.role_labels) and all(one.metrics.measure("jaccard") is None for one in evaluations)


def _stacks(axes: Axes, evaluations: Sequence[Evaluation], kind: str, roles: Mapping[str, int]) -> None:
    """Draw one bar for each subject."""
    for row, one in enumerate(reversed(evaluations)):
        counts = one.metrics.roles.get(kind, {})
        total, left = sum(counts.values()), 0.0
        for role, number in roles.items():
            share = counts.get(role, 0) / total if total else 0.0
            colour, hatch = hue(number)
            if share:
                axes.barh(row, share, left=left, height=0.68, color=colour, hatch=hatch, edgecolor=PAPER, linewidth=0.6)
                left += share


def _key(figure: Figure, suite: ReportedSuite, roles: Mapping[str, int]) -> None:
    from matplotlib.patches import Patch

    handles = []
    for role, number in roles.items():
        colour, hatch = hue(number)
        label = shortened(plain(suite.role_labels.get(role, role)))
        handles.append(Patch(facecolor=colour, hatch=hatch, edgecolor=PAPER, label=label))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 8), handlelength=0.9)
