"""A figure of the toy suite's own."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.report.drawing import Drawing, look, sheet
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.plotting import draw_point, share_axis
from toy_suite.measure import LEFT_OUT

__all__ = ["left_out_figure"]


def left_out_figure(evaluations: Sequence[Evaluation]) -> Drawing | None:
    """How many listeners each subject leaves out."""
    found = [(one, measure) for one in evaluations if (measure := one.metrics.measure(LEFT_OUT))]
    if not found:
        return None
    with sheet("left-out", 0.8 + 0.3 * len(found)) as (figure, save):
        axes = figure.subplots()
        for row, (_, measure) in enumerate(found):
            draw_point(axes, measure.estimate, row, *look(row))
        axes.set_yticks(range(len(found)), [one.short for one, _ in found])
        share_axis(axes)
    return save("Listeners left out", "Of those who were told, the share that an answer leaves out.")
