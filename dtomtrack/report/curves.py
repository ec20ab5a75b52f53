"""The curves that a suite asks for: accuracy along a scale, or by kind, with a line a subject or a line a group.

Where lines are groups each subject has a panel of its own; otherwise all subjects share one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtomtrack.evaluation.curves import CurveSpec, HasCurves
from dtomtrack.evaluation.records import CurveLine, Group
from dtomtrack.report.drawing import MOST_SERIES, WHOLE_WIDTH, WIDTH, Drawing, look, sheet
from dtomtrack.report.evaluations import Evaluation, compared, shortened
from dtomtrack.report.groupings import grouping_label, in_order, label_of
from dtomtrack.report.plotting import INTERVALS, draw_points, key, left_out, share_axis
from dtomtrack.report.presentation import ReportedSuite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["curve_drawings", "curve_specs"]

_COLUMNS = 3
_MOST_PANELS = 6
_PANEL_HEIGHT = 2.7
_STEP = 0.1
"""How far, in the room between two points, the lines' intervals stand from each other."""
_LONGEST_LABEL = 34
_LEAST_ANSWERS = 10
"""Points over fewer answers say nothing, and are left out."""
_UPRIGHTS = INTERVALS.replace("Lines", "Uprights")
_FEW = f" Points over fewer than {_LEAST_ANSWERS} answers are left out."


@dataclass(frozen=True)
class _Line:
    """A line of one panel: its label, its points by group, and the place that decides its colour and marker."""

    label: str
    points: Mapping[str, Group]
    place: int


@dataclass(frozen=True)
class _Panel:
    """Lines that share axes."""

    title: str
    lines: Sequence[_Line]


def curve_drawings(suite: ReportedSuite, evaluations: Sequence[Evaluation]) -> list[Drawing]:
    """A figure for each curve of the suite that the evaluations have."""
    drawn = (_drawing(suite, spec, evaluations) for spec in curve_specs(suite))
    return [drawing for drawing in drawn if drawing is not None]


def curve_specs(suite: object) -> Sequence[CurveSpec]:
    """The curves that a suite asks for; none, where it knows nothing of curves."""
    return suite.curves if isinstance(suite, HasCurves) else ()


def _drawing(suite: ReportedSuite, spec: CurveSpec, evaluations: Sequence[Evaluation]) -> Drawing | None:
    """A curve, if it has two points or more."""
    asked = [one for one in compared(evaluations) if one.metrics.curve(spec.name)]
    shown = asked[: _MOST_PANELS if spec.by else MOST_SERIES]
    panels = _panels(suite, spec, shown)
    names = in_order(suite, spec.along, {name for panel in panels for line in panel.lines for name in line.points})
    if len(names) < 2:
        return None
    labels = {name: shortened(label_of(suite, spec.along, name), _LONGEST_LABEL) for name in names}
    lines = f"A line for each {spec.key}. " if spec.by and spec.key else ""
    missing = f"{left_out(len(asked), len(shown))}{_not_asked(len(compared(evaluations)) - len(asked))}"
    caption = f"{lines}{_UPRIGHTS if spec.ordered else INTERVALS}{_FEW}{missing}"
    return (_joined if spec.ordered else _listed)(spec, panels, labels, caption)


def _not_asked(number: int) -> str:
    others = "other was" if number == 1 else "others were"
    return f" {number} {others} not asked such questions, or only some of one group." if number else ""


# -- the lines -------------------------------------------------------------------------------------------------------


def _panels(suite: ReportedSuite, spec: CurveSpec, shown: Sequence[Evaluation]) -> list[_Panel]:
    found = [(one, curve.lines) for one in shown if (curve := one.metrics.curve(spec.name))]
    if not spec.by:
        lines = [_Line(one.short, _points(own[0]), place) for place, (one, own) in enumerate(found)]
        return [_Panel("", lines)] if lines else []
    names = in_order(suite, spec.by, {line.name for _, own in found for line in own})[:MOST_SERIES]
    return [
        _Panel(
            one.short,
            [
                _Line(label_of(suite, spec.by, line.name), _points(line), names.index(line.name))
                for line in own
                if line.name in names
            ],
        )
        for one, own in found
    ]


def _points(line: CurveLine) -> dict[str, Group]:
    return {point.name: point for point in line.points if point.items >= _LEAST_ANSWERS}


# -- the drawings ----------------------------------------------------------------------------------------------------


def _joined(spec: CurveSpec, panels: Sequence[_Panel], labels: Mapping[str, str], caption: str) -> Drawing:
    """Points on a scale, joined; a panel for each subject where lines are groups."""
    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    wide = len(panels) > 1
    with sheet(spec.name, 0.7 + rows * _PANEL_HEIGHT, WHOLE_WIDTH if wide else WIDTH) as (figure, save):
        grid = figure.subplots(rows, columns, sharey=True, squeeze=False)
        for place, (axes, panel) in enumerate(zip(grid.flat, panels, strict=False)):
            axes.set_title(panel.title, loc="left", fontsize=9.5, fontweight="bold")
            for number, line in enumerate(panel.lines):
                _draw_line(axes, line, list(labels), _STEP * (number - (len(panel.lines) - 1) / 2))
            axes.set_xticks(range(len(labels)), list(labels.values()))
            axes.set_xlim(-0.5, len(labels) - 0.5)
            share_axis(axes, _chances(panel), upright=True, label="" if place % columns else "accuracy")
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_visible(False)
        figure.supxlabel(spec.axis or grouping_label(spec.along), fontsize="medium")
        key(grid.flat[0], _key(panels), spec.key)
    return save(spec.title, caption, wide=wide)


def _draw_line(axes: Axes, line: _Line, names: Sequence[str], shift: float) -> None:
    known = [(point.accuracy, names.index(name) + shift) for name, point in line.points.items()]
    draw_points(axes, known, *look(line.place), upright=True, joined=True)


def _listed(spec: CurveSpec, panels: Sequence[_Panel], labels: Mapping[str, str], caption: str) -> Drawing:
    """Kinds below each other, a point for each line; panels below each other, too."""
    lines = max(len(panel.lines) for panel in panels)
    height = 0.8 + len(panels) * (0.3 + len(labels) * (0.24 + 0.11 * lines))
    with sheet(spec.name, height) as (figure, save):
        grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False)
        for axes, panel in zip(grid.flat, panels, strict=True):
            axes.set_title(panel.title, loc="left", fontsize=9.5, fontweight="bold")
            for number, line in enumerate(panel.lines):
                shift = ((len(panel.lines) - 1) / 2 - number) * 0.7 / len(panel.lines)
                named = [(row, line.points.get(name)) for row, name in enumerate(reversed(list(labels)))]
                known = [(point.accuracy, row + shift) for row, point in named if point is not None]
                draw_points(axes, known, *look(line.place))
            axes.set_yticks(range(len(labels)), list(reversed(list(labels.values()))))
            axes.set_ylim(-0.6, len(labels) - 0.4)
            share_axis(axes, _chances(panel), label="accuracy" if panel is panels[-1] else "")
        key(grid.flat[0], _key(panels), spec.key)
    return save(spec.title, caption)


def _chances(panel: _Panel) -> list[float]:
    return [point.chance for line in panel.lines for point in line.points.values()]


def _key(panels: Sequence[_Panel]) -> list[tuple[str, str, str]]:
    """Each line once, in the order of their places."""
    lines = {line.place: line.label for panel in panels for line in panel.lines}
    return [(lines[place], *look(place)) for place in sorted(lines)]
