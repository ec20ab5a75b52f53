"""The figures of DToM-Track: the kin of the paper's Figures 3a to 3c, and what is left of a mind as turns go by."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.evaluation.records import Group
from dtomtrack.report.drawing import BLUE, GRID, INK, ORANGE, Drawing, sheet
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.figures import accuracy_by
from dtomtrack.report.groupings import Grouping
from dtomtrack.report.plotting import (
    INTERVALS,
    draw_points,
    draw_whiskers,
    groups_named,
    key,
    mean_interval,
    share_axis,
)
from dtomtrack.report.presentation import FigureMaker
from dtomtrack.report.rivals import one_of_each
from dtomtrack.suites.dtom.presentation import LABELS

__all__ = ["FIGURES"]

_CHANGE = (QuestionType.UPDATE_DETECTION.value, QuestionType.POST_UPDATE.value, QuestionType.PRE_UPDATE.value)
"""The types that are about change (paper, Table 2, in bold)."""
_STANDARD = (QuestionType.TEMPORAL.value, QuestionType.SECOND_ORDER.value, QuestionType.FALSE_BELIEF.value)
_KINDS = (("about change", BLUE, "s"), ("standard", ORANGE, "s"))
_TYPES = LABELS["type"]


def _difficulty(evaluations: Sequence[Evaluation]) -> Drawing | None:
    # baselines and the oracle say nothing of how hard questions are
    shown = one_of_each(evaluations)
    by_type = {kind: groups for kind in _TYPES if (groups := groups_named(shown, "type", kind))}
    means = {kind: mean_interval([group.accuracy for group in groups]) for kind, groups in by_type.items()}
    kinds = sorted(means, key=lambda kind: means[kind].value or 0.0)
    if not kinds:
        return None
    with sheet("difficulty", 0.55 + 0.36 * len(kinds)) as (figure, save):
        axes = figure.subplots()
        for row, kind in enumerate(kinds):
            colour = BLUE if kind in _CHANGE else ORANGE
            axes.barh(row, means[kind].value or 0.0, height=0.62, color=colour, alpha=0.8, linewidth=0)
            if len(shown) > 1:
                dots = [group.accuracy.value or 0.0 for group in by_type[kind]]
                axes.plot(dots, [row - 0.2] * len(dots), "o", color=INK, markersize=2.4, alpha=0.7)
        draw_whiskers(axes, [(means[kind], row) for row, kind in enumerate(kinds)], INK)
        axes.set_yticks(range(len(kinds)), [_TYPES[kind] for kind in kinds])
        share_axis(axes, [group.chance for groups in by_type.values() for group in groups])
        key(axes, _KINDS)
    what = f"mean of {len(shown)} models (dots: each of them)" if len(shown) > 1 else shown[0].label
    return save("Difficulty by question type", f"Accuracy by question type, {what}. {INTERVALS}")


def _before_and_after(evaluations: Sequence[Evaluation]) -> Drawing | None:
    rows = [
        (one, before, after)
        for one in reversed(evaluations)
        if (before := one.group("type", "pre_update")) and (after := one.group("type", "post_update"))
    ]
    if not rows:
        return None
    with sheet("before-and-after", 0.75 + 0.36 * len(rows)) as (figure, save):
        axes = figure.subplots()
        for row, (_, before, after) in enumerate(rows):
            ends = [before.accuracy.value or 0.0, after.accuracy.value or 0.0]
            axes.plot(ends, [row, row], color=GRID, linewidth=3.5, solid_capstyle="round", zorder=1)
        draw_points(axes, [(before.accuracy, row + 0.11) for row, (_, before, _) in enumerate(rows)], ORANGE, "o")
        draw_points(axes, [(after.accuracy, row - 0.11) for row, (_, _, after) in enumerate(rows)], BLUE, "D")
        axes.set_yticks(range(len(rows)), [one.short for one, _, _ in rows])
        axes.set_ylim(-0.5, len(rows) - 0.5)
        share_axis(axes, [group.chance for row in rows for group in row[1:]])
        key(axes, [("before the update", ORANGE, "o"), ("after it", BLUE, "D")])
    return save("Before and after an update", f"What was held before a change of mind, and after it. {INTERVALS}")


def _temporal_and_standard(evaluations: Sequence[Evaluation]) -> Drawing | None:
    rows = [
        (one, change, standard)
        for one in reversed(evaluations)
        if (change := _of_types(one, _CHANGE)) and (standard := _of_types(one, _STANDARD))
    ]
    if not rows:
        return None
    with sheet("temporal-and-standard", 0.75 + 0.42 * len(rows)) as (figure, save):
        axes = figure.subplots()
        for row, (_, change, standard) in enumerate(rows):
            for position, groups, colour in ((0.18, change, BLUE), (-0.18, standard, ORANGE)):
                mean = mean_interval([group.accuracy for group in groups])
                axes.barh(row + position, mean.value or 0.0, height=0.32, color=colour, alpha=0.8, linewidth=0)
                draw_whiskers(axes, [(mean, row + position)], INK)
        axes.set_yticks(range(len(rows)), [one.short for one, _, _ in rows])
        share_axis(axes, [group.chance for row in rows for groups in row[1:] for group in groups])
        key(axes, _KINDS)
    caption = (
        "Mean of the three types about change (before, after, when) and of the three standard ones. Lines are "
        "95\u00a0% intervals, at most a little too long: the mean of the types' own; the dashed line is chance."
    )
    return save("Change against standard questions", caption)


def _by_state(evaluations: Sequence[Evaluation]) -> Drawing | None:
    names = {state.value: LABELS["mental_state"][state.value] for state in MentalState}
    return accuracy_by(Grouping("mental_state", "Mental state", names), evaluations)


def _of_types(one: Evaluation, kinds: Sequence[str]) -> list[Group]:
    """The groups of these types, if all are there."""
    groups = [group for kind in kinds if (group := one.group("type", kind))]
    return groups if len(groups) == len(kinds) else []


FIGURES: tuple[FigureMaker, ...] = (_difficulty, _before_and_after, _temporal_and_standard, _by_state)
