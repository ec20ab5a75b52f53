"""The closed loop on the page: one table of what subjects reached, one of what states are worth, and two figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.report.cells import Cell
from dtomtrack.report.drawing import INK, Drawing, look, sheet
from dtomtrack.report.paper_tables import PaperRow, PaperTable
from dtomtrack.report.plotting import draw_points, key
from dtomtrack.suites.tomelp.contrasts import COMPARED
from dtomtrack.suites.tomelp.loop.metrics import LoopFigures, LoopMetrics
from dtomtrack.suites.tomelp.tables import VARIANT_LABELS, interval_text, value_text

__all__ = ["loop_figures", "loop_tables"]

_LONGEST = 24
_RULES = (
    "The listener follows rules, and its attitude (-1 to 1) is observed, not judged; no human data stand behind it."
)


def loop_tables(found: Sequence[LoopMetrics]) -> tuple[PaperTable, ...]:
    """The tables, where there is anything in them."""
    return tuple(table for table in (_reached(found), _worth(found)) if table.rows)


def loop_figures(found: Sequence[LoopMetrics]) -> tuple[Drawing, ...]:
    """The course of attitude, and its change by need for cognition."""
    shown = list(_series(found))
    return (_courses(shown), _by_need(shown)) if shown else ()


def _cell(one: Estimate) -> Cell:
    return Cell(value_text(one), interval_text(one).strip("[]"))


def _reached(found: Sequence[LoopMetrics]) -> PaperTable:
    rows = [
        PaperRow(f"{metrics.subject}, {VARIANT_LABELS[one.variant]}", tuple(map(_cell, _figures(one))))
        for metrics in found
        for one in metrics.variants
    ]
    return PaperTable(
        name="tomelp-closed-loop",
        title="The closed loop",
        caption=(
            f"{_RULES} How it listens is hidden. Messages by its route are over listeners who listen one way; turns "
            f"are over conversations that end in agreement.{_flagged(found)}{_settings(found)}"
        ),
        columns=(
            "Change of attitude",
            "Agreed",
            "Turns to agree",
            "Messages by its route",
            "Last message by its route",
            "Changes over after a miss",
            "Inferred how it listens",
        ),
        rows=tuple(rows),
        corner="Subject, variant",
    )


def _flagged(found: Sequence[LoopMetrics]) -> str:
    """Whose messages came from replies that did not end by themselves, if anybody's did."""
    told = [
        f"{metrics.subject}: {metrics.flagged[0]} cut at the most tokens, {metrics.flagged[1]} refused or filtered"
        for metrics in found
        if any(metrics.flagged)
    ]
    return f" Messages that count as they stand: {'; '.join(told)}." if told else ""


def _settings(found: Sequence[LoopMetrics]) -> str:
    """Under which settings each subject talked, where these are not the same for all."""
    settings = {metrics.subject: _setting(metrics) for metrics in found if metrics.variants}
    if len(set(settings.values())) < 2:
        return ""
    each = "; ".join(f"{subject}: {setting}" for subject, setting in settings.items())
    return f" Subjects talked under other settings, so that their figures can't be compared: {each}."


def _setting(metrics: LoopMetrics) -> str:
    first = metrics.variants[0]
    needs = ", ".join(f"{one.need:g}" for one in first.by_need)
    return f"scenes {metrics.scenes}, needs {needs}, turns {len(first.course) - 1}, seed {metrics.seed}"


def _figures(one: LoopFigures) -> tuple[Estimate, ...]:
    return one.change, one.agreed, one.turns_to_agree, one.fit, one.fit_last, one.changed_over, one.need_right


def _worth(found: Sequence[LoopMetrics]) -> PaperTable:
    rows = [
        PaperRow(
            f"{metrics.subject}, {VARIANT_LABELS[variant]} - {VARIANT_LABELS[minus]}",
            (_cell(contrast.estimate), Cell("-" if (p := contrast.estimate.p_value) is None else f"{p:.2g}")),
        )
        for metrics in found
        for variant, minus in COMPARED
        if (contrast := metrics.contrast(variant, minus)) is not None
    ]
    return PaperTable(
        name="tomelp-closed-loop-states",
        title="What mental states are worth in the closed loop",
        caption="Differences of the change of attitude, with the same scenes and listeners.",
        columns=("Change of attitude", "p"),
        rows=tuple(rows),
        corner="Subject, contrast",
    )


def _series(found: Sequence[LoopMetrics]) -> Iterator[tuple[str, LoopFigures]]:
    for metrics in found:
        name = metrics.subject.rpartition("/")[2]
        for one in metrics.variants:
            if one.variant in {"no_tom", "inferred"}:
                yield f"{name[:_LONGEST]}, {VARIANT_LABELS[one.variant]}", one


def _courses(shown: Sequence[tuple[str, LoopFigures]]) -> Drawing:
    with sheet("loop-attitude", 2.6 + 0.11 * len(shown)) as (figure, save):
        axes = figure.subplots()
        for place, (_, one) in enumerate(shown):
            colour, marker = look(place)
            axes.plot(range(len(one.course)), one.course, marker=marker, color=colour, markersize=4, linewidth=1.2)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xlabel("messages")
        axes.set_ylabel("attitude")
        key(axes, [(label, *look(place)) for place, (label, _) in enumerate(shown)])
    return save("Attitude over the closed loop", f"Means over all listeners; who has agreed keeps to it. {_RULES}")


def _by_need(shown: Sequence[tuple[str, LoopFigures]]) -> Drawing:
    with sheet("loop-need", 2.6 + 0.11 * len(shown)) as (figure, save):
        axes = figure.subplots()
        for place, (_, one) in enumerate(shown):
            shift = (place - (len(shown) - 1) / 2) * 0.02
            points = [(level.change.interval, level.need + shift) for level in one.by_need]
            draw_points(axes, points, *look(place), upright=True)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xlabel("need for cognition of the listener")
        axes.set_ylabel("change of attitude")
        key(axes, [(label, *look(place)) for place, (label, _) in enumerate(shown)])
    return save("Change by need for cognition", "Lines are 95\u00a0% intervals clustered by scene.")
