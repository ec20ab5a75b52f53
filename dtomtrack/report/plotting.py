"""The pieces that figures of accuracies are made of: axes with the chance line, points with their intervals, keys."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING

from dtomtrack.evaluation.records import Group, Interval
from dtomtrack.evaluation.statistics import mean
from dtomtrack.report.drawing import INK, MOST_SERIES, PAPER
from dtomtrack.report.evaluations import Evaluation, compared

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "INTERVALS",
    "draw_points",
    "draw_whiskers",
    "groups_named",
    "key",
    "left_out",
    "mean_interval",
    "series",
    "share_axis",
]

INTERVALS = "Lines are 95\u00a0% intervals clustered by dialogue; the dashed line is chance."
"""The end of the caption of a figure of accuracies."""
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def share_axis(axes: Axes, chances: Sequence[float] = (), *, upright: bool = False, label: str = "accuracy") -> None:
    """An axis from 0 to 100 % with the chance line at the mean of the chances, if there are any.

    Args:
        label: of the axis; the files of figures have no other words about it.
    """
    labels = [f"{tick:.0%}" for tick in _TICKS]
    if upright:
        axes.set_ylim(0, 1.02)
        axes.set_yticks(_TICKS, labels)
        axes.set_ylabel(label)
        axes.grid(visible=False, axis="x")
    else:
        axes.set_xlim(0, 1.02)
        axes.set_xticks(_TICKS, labels)
        axes.set_xlabel(label)
        axes.grid(visible=False, axis="y")
    chance = mean(chances)
    if chance is not None:
        draw = axes.axhline if upright else axes.axvline
        draw(chance, color=INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=3)


def draw_points(
    axes: Axes,
    points: Sequence[tuple[Interval, float]],
    colour: str,
    marker: str,
    *,
    upright: bool = False,
    joined: bool = False,
) -> None:
    """The estimates of one series with their intervals, each at its place; as few lines as they can be drawn with.

    Args:
        joined: a line leads from each to the next.
    """
    ends, places = [interval.value or 0.0 for interval, _ in points], [place for _, place in points]
    xs, ys = (places, ends) if upright else (ends, places)
    if joined:
        axes.plot(xs, ys, color=colour, linewidth=1.1)
    draw_whiskers(axes, points, colour, upright=upright)
    axes.plot(
        xs,
        ys,
        color=colour,
        zorder=5,
        linestyle="none",
        marker=marker,
        markersize=5.5,
        markeredgecolor=PAPER,
        markeredgewidth=0.6,
    )


def draw_whiskers(axes: Axes, points: Sequence[tuple[Interval, float]], colour: str, *, upright: bool = False) -> None:
    """Intervals, each at its place, where there is one: one line with gaps."""
    known = [(one.low, one.high, place) for one, place in points if one.low is not None and one.high is not None]
    ends = [end for low, high, _ in known for end in (low, high, nan)]
    places = [there for _, _, place in known for there in (place, place, nan)]
    if known:
        axes.plot(*((places, ends) if upright else (ends, places)), color=colour, linewidth=1.3, zorder=4)


def key(axes: Axes, entries: Sequence[tuple[str, str, str]], title: str = "") -> None:
    """A legend above the figure: label, colour, marker; with a title where the labels need one."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=6, label=label)
        for label, colour, marker in entries
    ]
    longest = max(len(label) for label, _, _ in entries)
    columns = min(len(entries), MOST_SERIES if longest < 4 else 4 if longest < 14 else 3 if longest < 20 else 2)
    figure = axes.figure
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=columns,
        handletextpad=0.2,
        columnspacing=1.2,
        title=title or None,
        title_fontsize=8.5,
        alignment="left",
    )


def series(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """The evaluations that are compared, as many as can be told apart."""
    return compared(evaluations)[:MOST_SERIES]


def left_out(drawable: int, shown: int) -> str:
    """A sentence on how many of the evaluations that a figure could show it does not; empty if it shows all."""
    left = drawable - shown
    return f" {left} more, with lower accuracy, {'is' if left == 1 else 'are'} in the table." if left else ""


def groups_named(evaluations: Sequence[Evaluation], grouping: str, name: str) -> list[Group]:
    """The groups of this name that have answers, of those evaluations that have one."""
    return [group for one in evaluations if (group := one.group(grouping, name))]


def mean_interval(intervals: Sequence[Interval]) -> Interval:
    """The mean of estimates; its interval is the mean of theirs: no mean has a larger error, however they correlate."""
    return Interval(
        value=_average([one.value for one in intervals]),
        low=_average([one.low for one in intervals]),
        high=_average([one.high for one in intervals]),
    )


def _average(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if len(known) == len(values) else None
