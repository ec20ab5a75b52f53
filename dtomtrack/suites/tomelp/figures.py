"""The paper's six figures, from our plays: same form, our data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.report.drawing import GRID, INK, WHOLE_WIDTH, Drawing, hue, look, sheet
from dtomtrack.report.plotting import draw_points, draw_whiskers, key
from dtomtrack.scenarios.route.terms import DISTURBANCES, EVIDENCE_DIMENSIONS, PERSONAS, ROUTES, Variant
from dtomtrack.suites.tomelp.metrics import GroupedEstimate, PlayMetrics
from dtomtrack.suites.tomelp.tables import VARIANT_LABELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FIGURES", "draw_plays"]

_Made = Drawing | None
_CLUSTERED = "Lines are 95\u00a0% intervals clustered by scene."
_LONGEST = 24


def draw_plays(found: Sequence[PlayMetrics]) -> tuple[Drawing, ...]:
    """The figures that there is anything to draw for."""
    return tuple(drawing for make in FIGURES if (drawing := make(found)) is not None)


def _short(metrics: PlayMetrics) -> str:
    name = metrics.subject.rpartition("/")[2]
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}\u2026"


def _known(one: Estimate) -> bool:
    return one.interval.value is not None


def _changes(found: Sequence[PlayMetrics]) -> _Made:
    """Figure 2."""
    bars = [
        (f"{_short(metrics)}, {cell.route}", cell)
        for metrics in found
        if (contrast := metrics.contrast("attitude", "inferred", "no_tom")) is not None
        for cell in contrast.cells
        if _known(cell.estimate)
    ]
    if not bars:
        return None
    rows = list(dict.fromkeys(label for label, _ in bars))
    with sheet("attitude-gain", 0.9 + 0.42 * len(rows)) as (figure, save):
        axes = figure.subplots()
        for label, cell in bars:
            _bar(axes, cell, len(rows) - 1 - rows.index(label), PERSONAS.index(cell.persona or "high_cog"))
        axes.set_yticks(range(len(rows)), list(reversed(rows)))
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("attitude, tom_aware minus no_tom")
        key(axes, [(persona, look(place)[0], "s") for place, persona in enumerate(PERSONAS)])
    return save("What the inferred states change (paper, Figure 2)", f"By route and listener. {_CLUSTERED}")


def _bar(axes: Axes, cell: GroupedEstimate, row: int, place: int) -> None:
    shift = 0.19 - 0.38 * place
    axes.barh(row + shift, cell.estimate.interval.value or 0.0, height=0.34, color=look(place)[0], linewidth=0)
    draw_whiskers(axes, [(cell.estimate.interval, row + shift)], INK)


def _dimensions(found: Sequence[PlayMetrics]) -> _Made:
    """Figure 3."""
    shown = [
        (f"{_short(metrics)}, {VARIANT_LABELS[one.variant]}", one.scores)
        for metrics in found
        for one in metrics.variants
        if one.variant in {"no_tom", "inferred"} and _known(one.scores.get("relevance", Estimate()))
    ]
    if not shown:
        return None
    with sheet("evidence", 2.6 + 0.11 * len(shown)) as (figure, save):
        axes = figure.subplots()
        for place, (_, scores) in enumerate(shown):
            shift = ((len(shown) - 1) / 2 - place) * -0.8 / len(shown)
            points = [(scores[name].interval, column + shift) for column, name in enumerate(EVIDENCE_DIMENSIONS)]
            draw_points(axes, points, *look(place), upright=True)
        axes.set_xticks(range(len(EVIDENCE_DIMENSIONS)), EVIDENCE_DIMENSIONS)
        axes.set_ylim(-0.05, 2.05)
        axes.grid(visible=False, axis="x")
        key(axes, [(label, *look(place)) for place, (label, _) in enumerate(shown)])
    return save("Evidence by the central route (paper, Figure 3)", f"Five dimensions, 0 to 2. {_CLUSTERED}")


def _retention(found: Sequence[PlayMetrics]) -> _Made:
    """Figure 4."""
    rows = [
        (
            f"{_short(metrics)}, {VARIANT_LABELS[one.variant]}",
            {str(kept.disturbance): kept.retained for kept in one.retention},
        )
        for metrics in found
        for one in metrics.variants
        if one.retention
    ]
    columns = [name for name in (*DISTURBANCES, "redraw") if any(name in kept for _, kept in rows)]
    if not rows or not columns:
        return None
    with sheet("retention", 0.9 + 0.3 * len(rows)) as (figure, save):
        axes = figure.subplots()
        values = [[_value(kept, name) for name in columns] for _, kept in rows]
        # not an image: a page lets none in
        axes.pcolormesh(values, vmin=0.0, vmax=1.0, cmap="Blues", edgecolors=GRID, linewidth=0.5)
        axes.invert_yaxis()
        for row, own in enumerate(values):
            for column, value in enumerate(own):
                ink = INK if value != value or value < 0.6 else "#fdfdfd"
                axes.text(
                    column + 0.5,
                    row + 0.5,
                    "-" if value != value else f"{value:.2f}",
                    ha="center",
                    va="center",
                    color=ink,
                )
        axes.set_xticks([column + 0.5 for column in range(len(columns))], columns)
        axes.set_yticks([row + 0.5 for row in range(len(rows))], [label for label, _ in rows])
        axes.grid(visible=False)
    note = " A redraw is the null: written and judged anew without any disturbance." if "redraw" in columns else ""
    return save("Retention under disturbance (paper, Figure 4)", f"Equation 6, mean over valid instances.{note}")


def _value(kept: dict[str, Estimate], name: str) -> float:
    value = kept[name].interval.value if name in kept else None
    return float("nan") if value is None else value


def _consistency(found: Sequence[PlayMetrics]) -> _Made:
    """Figure 5."""
    rows = [
        (f"{_short(metrics)}, {persona}", shares)
        for metrics in found
        for persona, shares in metrics.consistency_shares.items()
    ]
    if not rows:
        return None
    with sheet("consistency", 0.9 + 0.3 * len(rows)) as (figure, save):
        axes = figure.subplots()
        for row, (_, shares) in enumerate(reversed(rows)):
            left = 0.0
            for level, share in reversed(list(enumerate(shares))):
                colour, hatch = hue(2 - level)
                axes.barh(row, share, left=left, height=0.7, color=colour, hatch=hatch, edgecolor=GRID, linewidth=0.5)
                left += share
        axes.set_yticks(range(len(rows)), [label for label, _ in reversed(rows)])
        axes.set_xlim(0, 1)
        axes.set_xlabel("share of inferred states")
        axes.grid(visible=False, axis="y")
        key(axes, [(f"scored {level}", hue(2 - level)[0], "s") for level in (2, 1, 0)])
    return save("Inferred states against dialogue and persona (paper, Figure 5)", "2: they follow, 1: in part, 0: not.")


def _alignment(found: Sequence[PlayMetrics]) -> _Made:
    """Figure 6."""
    lines = [(metrics, _ends(metrics)) for metrics in found]
    lines = [(metrics, ends) for metrics, ends in lines if ends]
    if not lines:
        return None
    with sheet("alignment-and-substitution", 3.0) as (figure, save):
        axes = figure.subplots()
        for place, (_, ends) in enumerate(lines):
            colour, marker = look(place)
            axes.plot([x for _, x, _ in ends], [y for _, _, y in ends], color=colour, linewidth=1.1)
            for variant, x, y in ends:
                filled = colour if variant == "inferred" else "none"
                axes.plot([x], [y], marker, color=colour, markerfacecolor=filled, markersize=6)
        axes.set_xlabel("ToM alignment, 0 to 2")
        axes.set_ylabel("substitution rate")
        axes.set_xlim(-0.05, 2.05)
        axes.set_ylim(-0.03, 1.03)
        key(axes, [(_short(metrics), *look(place)) for place, (metrics, _) in enumerate(lines)])
    return save(
        "Alignment and substitution (paper, Figure 6)",
        "Open: no_tom, filled: tom_aware. Substitution: central replies that are read as peripheral.",
    )


def _ends(metrics: PlayMetrics) -> list[tuple[Variant, float, float]]:
    found: list[tuple[Variant, float, float]] = []
    for one in metrics.variants:
        x, y = (one.scores.get(name, Estimate()).interval.value for name in ("alignment", "substitution"))
        if one.variant in {"no_tom", "inferred"} and x is not None and y is not None:
            found.append((one.variant, x, y))
    return found


def _gaps(found: Sequence[PlayMetrics]) -> _Made:
    """Figure 7."""
    shown = [
        (metrics, [gap for one in metrics.variants for gap in one.persona_gap if _known(gap.estimate)])
        for metrics in found
    ]
    columns: list[tuple[str, str]] = [(route, variant) for route in ROUTES for variant in VARIANT_LABELS]
    columns = [one for one in columns if any((gap.route, gap.variant) == one for _, gaps in shown for gap in gaps)]
    if not columns:
        return None
    with sheet("persona-gap", 3.0, WHOLE_WIDTH) as (figure, save):
        axes = figure.subplots()
        for place, (_, gaps) in enumerate(shown):
            shift = ((len(shown) - 1) / 2 - place) * -0.7 / len(shown)
            at = [columns.index((gap.route or "", gap.variant or "")) + shift for gap in gaps]
            points = [(gap.estimate.interval, there) for gap, there in zip(gaps, at, strict=True)]
            draw_points(axes, points, *look(place), upright=True)
        axes.set_xticks(range(len(columns)), [f"{route}\n{VARIANT_LABELS[variant]}" for route, variant in columns])
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.grid(visible=False, axis="x")
        axes.set_ylabel("attitude, high_cog minus low_cog")
        key(axes, [(_short(metrics), *look(place)) for place, (metrics, _) in enumerate(shown)])
    return save("Persona gap (paper, Figure 7)", f"By route and variant. {_CLUSTERED}", wide=True)


FIGURES: tuple[Callable[[Sequence[PlayMetrics]], _Made], ...] = (
    _changes,
    _dimensions,
    _retention,
    _consistency,
    _alignment,
    _gaps,
)
