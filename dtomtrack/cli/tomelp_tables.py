"""What plays of ToMELP add up to, printed on 80 columns: figures in columns, subjects above their tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.cli.console import Console
from dtomtrack.cli.metrics_table import columns, p_text
from dtomtrack.cli.output import echo
from dtomtrack.evaluation.bounded import LEAST_CLUSTERS, Estimate
from dtomtrack.evaluation.equivalence import Equivalence
from dtomtrack.evaluation.records import Interval
from dtomtrack.suites.tomelp.contrasts import COMPARED, FIDELITY
from dtomtrack.suites.tomelp.effect_tables import VERDICTS, together
from dtomtrack.suites.tomelp.metrics import AblationEffect, PlayMetrics, VariantFigures
from dtomtrack.suites.tomelp.tables import COLUMNS, VARIANT_LABELS, value_text

__all__ = ["show_plays"]

_UNITS = "P-ToM, Att., Evid. and ToM go from 0 to 2, the others from 0 to 1; Pred. is the route, read blind."
_LABELS = {"route_fit": "route fit", "predicted": "route, read blind"}


def show_plays(found: Sequence[PlayMetrics]) -> None:
    """Print Table 2 of the paper for each subject, whether routes are kept to, and what was taken away."""
    for metrics in found:
        echo(f"{metrics.subject}, judged by {metrics.judge}: {metrics.states} states, {metrics.replies} replies")
        _show_scores(metrics)
        _show_changes("Mental states", "90 %", "says", list(_fidelity(metrics)))
        _show_changes("Taken away", "95 %", "p (Holm)", list(_taken_away(metrics)))
        for note in _notes(metrics):
            echo(note)
    if found:
        Console().print(_UNITS, markup=False, highlight=False)


def _show_scores(metrics: PlayMetrics) -> None:
    table = columns("", *(column.short for column in COLUMNS))
    for figures in metrics.variants:
        table.add_row(VARIANT_LABELS[figures.variant], *_values(metrics, figures))
    Console().print(table)


def _values(metrics: PlayMetrics, figures: VariantFigures) -> Iterator[str]:
    for column in COLUMNS:
        yield value_text(column.figure(metrics, figures))


def _show_changes(title: str, level: str, last: str, rows: Sequence[tuple[str, Interval, str]]) -> None:
    """A table of differences, if there are any."""
    if rows:
        table = columns("", "change", level, last)
        table.columns[0].header = title
        for name, interval, said in rows:
            table.add_row(name, _signed(interval.value), _ends(interval), said)
        Console().print(table)


def _fidelity(metrics: PlayMetrics) -> Iterator[tuple[str, Interval, str]]:
    for variant in (one for one, minus in COMPARED if minus == "no_tom"):
        for score in FIDELITY:
            contrast = metrics.contrast(score, variant, "no_tom")
            one: Equivalence | None = None if contrast is None else contrast.equivalence
            if one is not None:
                name = f"{VARIANT_LABELS[variant]} - no_tom, {_LABELS.get(score, score)}"
                yield name, one.interval, VERDICTS[one.verdict]


def _taken_away(metrics: PlayMetrics) -> Iterator[tuple[str, Interval, str]]:
    """Effects, with p values that hold for all that are shown together."""
    effects = [effect for one in metrics.ablations for effect in _effects(one)]
    corrected = together([estimate.p_value for _, estimate in effects])
    for (name, estimate), p_value in zip(effects, corrected, strict=True):
        yield name, estimate.interval, "" if p_value is None else p_text(p_value)


def _effects(one: AblationEffect) -> Iterator[tuple[str, Estimate]]:
    """An effect that says most; of swapped listeners, it is told apart by listener and route."""
    under = "" if one.disturbance == "clean" else f" ({one.disturbance})"
    name = f"{one.ablation}{under}, {VARIANT_LABELS[one.variant]}"
    if one.ablation == "elaboration-swapped":
        for cell in one.cells:
            yield f"{name}: {cell.persona}, {cell.route}", cell.estimate
    elif one.score in {"attitude", "evidence"} or one.ablation == "tags-shown":
        yield f"{name}: {_LABELS.get(one.score, one.score)}", one.estimate


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def _ends(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return "-"
    return f"[{interval.low:+.2f}, {interval.high:+.2f}]"


def _notes(metrics: PlayMetrics) -> Iterator[str]:
    """The failures, the cost, and what can't be had, with the reason."""
    failed = {f"unusable, {name}": count for name, count in metrics.invalid.items()}
    failed |= {f"unjudged, {name}": count for name, count in metrics.unjudged.items()}
    told = [f"{name}: {count}" for name, count in failed.items() if count]
    if metrics.calls:
        told.append(f"{metrics.calls} calls, {metrics.tokens} tokens, ${metrics.cost:.4f}")
    if told:
        yield "; ".join(told)
    unmoved = [one.variant for one in metrics.variants if one.retention and one.robust.interval.value is None]
    if unmoved:
        yield f"{', '.join(unmoved)}: no retention (null), since no clean reply moved anybody"
    if metrics.scenes < LEAST_CLUSTERS:
        yield f"no intervals: they take replies in {LEAST_CLUSTERS} scenes, and there are {metrics.scenes}"
