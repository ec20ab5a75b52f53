"""A reliability diagram: how often answers of some confidence are right (Guo et al., 2017, Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dtomtrack.report.drawing import INK, PAPER, Drawing, look, sheet
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.plotting import key, series, share_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dtomtrack.evaluation.records import CalibrationFigures

__all__ = ["reliability"]

_LARGEST = 9.0
_SMALLEST = 3.0


def reliability(evaluations: Sequence[Evaluation]) -> Drawing | None:
    """Accuracy against confidence, a point a bin; None where nobody's answers have probabilities."""
    sure = [one for one in series(evaluations) if one.metrics.calibration is not None]
    if not sure:
        return None
    with sheet("reliability", 4.2) as (figure, save):
        axes = figure.subplots()
        share_axis(axes, upright=True)
        share_axis(axes)
        axes.grid(visible=True)
        axes.plot([0, 1], [0, 1], color=INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        for place, one in enumerate(sure):
            if one.metrics.calibration is not None:
                _bins(axes, one.metrics.calibration, *look(place))
        axes.set_xlabel("confidence: the probability of the likeliest option")
        axes.set_ylabel("right")
        key(axes, [(one.short, *look(place)) for place, one in enumerate(sure)])
    caption = (
        "How often answers were right, by how sure the subject was of them; larger points stand for more answers. On "
        "the dashed line confidence can be believed; below it a subject is too sure of itself."
    )
    return save("Reliability", caption)


def _bins(axes: Axes, figures: CalibrationFigures, colour: str, marker: str) -> None:
    points = figures.bins
    axes.plot([one.confidence for one in points], [one.accuracy for one in points], color=colour, linewidth=1.1)
    for one in points:
        size = _SMALLEST + (_LARGEST - _SMALLEST) * (one.items / figures.items) ** 0.5
        axes.plot(
            [one.confidence], [one.accuracy], marker, color=colour, markersize=size, markeredgecolor=PAPER, zorder=5
        )
