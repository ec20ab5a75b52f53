"""The toy suite's own figure: how many listeners each subject leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.report.drawing import BLUE, Drawing, sheet
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.plotting import draw_points, share_axis
from toy_suite.measure import LEFT_OUT

__all__ = ["left_out"]


def left_out(evaluations: Sequence[Evaluation]) -> Drawing | None:
    """A point for each subject."""
    found = {one.short: one.metrics.measure(LEFT_OUT) for one in reversed(evaluations)}
    shown = {name: measure for name, measure in found.items() if measure is not None}
    if not shown:
        return None
    with sheet("left-out", 0.75 + 0.36 * len(shown)) as (figure, save):
        axes = figure.subplots()
        draw_points(axes, [(measure.estimate, row) for row, measure in enumerate(shown.values())], BLUE, "o")
        axes.set_yticks(range(len(shown)), list(shown))
        share_axis(axes)
    return save("Listeners left out", "Mean share of listeners that are missing in an answer.")
