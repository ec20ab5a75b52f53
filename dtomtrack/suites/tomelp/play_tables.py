"""The tables of plays on the page: Table 2 with the paper's own figures, what states are worth, retention, audits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import get_args

from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.report.cells import Cell
from dtomtrack.report.paper_tables import PaperRow, PaperTable
from dtomtrack.scenarios.route.state import MIND_FIELDS
from dtomtrack.scenarios.route.terms import DISTURBANCES, Role
from dtomtrack.suites.tomelp.effect_tables import ablation_table, cell_of, fidelity_table, worth_table
from dtomtrack.suites.tomelp.learned_judge import LearnedRoutes
from dtomtrack.suites.tomelp.metrics import PlayMetrics, Retention, VariantFigures
from dtomtrack.suites.tomelp.printed import NO_TOM, TOM_AWARE, PrintedRow
from dtomtrack.suites.tomelp.tables import COLUMNS, VARIANT_LABELS, table_rows, value_text

__all__ = ["play_tables"]

_AUDITS = {
    "anchored": "Route, judge told it",
    "contradiction": "Judge contradicts itself",
    "substitution": "Substitution",
    "precision": "Citations that bear on the doubt",
    "recall": "What bears on it, cited",
    "phantom": "Replies with made-up ids",
    "misattributed": "Tags with nothing behind them",
    "copied": "Words copied",
    "unsupported": "Unsupported urgency, authority, consensus",
    "words": "Words",
}


def play_tables(found: Sequence[PlayMetrics]) -> tuple[PaperTable, ...]:
    """The tables of plays."""
    made = (
        _table_2(found),
        worth_table(found),
        fidelity_table(found),
        _retention(found),
        ablation_table(found),
        _audits(found),
        _blind(found),
        _inference(found),
        _failures(found),
    )
    return tuple(table for table in made if table.rows)


def _names(metrics: PlayMetrics, figures: VariantFigures) -> str:
    return f"{metrics.subject}, {VARIANT_LABELS[figures.variant]}"


def _table_2(found: Sequence[PlayMetrics]) -> PaperTable:
    rows = [PaperRow(row.name, tuple(map(cell_of, row.estimates))) for row in table_rows(found)]
    for label, printed in (("no_tom", NO_TOM), ("tom_aware", TOM_AWARE)):
        rows += [PaperRow(f"{name}, {label}", _printed(row), reported=True) for name, row in printed.items()]
    return PaperTable(
        name="tomelp-table-2",
        title="Persuasion by two routes (paper, Table 2)",
        caption=(
            "Attitude change is judged, not observed. Route predictions are those of a judge that is told no route and "
            "sees no tags; the paper's judge was told and saw them, and its failures count as 0 in its figures."
        ),
        columns=tuple(column.label for column in COLUMNS),
        rows=tuple(rows),
        corner="Subject, variant",
    )


def _printed(row: PrintedRow) -> tuple[Cell, ...]:
    figures = (
        row.persona_tom,
        row.strategy,
        row.attitude,
        row.route_fit,
        row.predicted,
        row.evidence,
        row.alignment,
        row.robust,
    )
    return tuple(Cell(f"{one:.2f}") for one in figures)


def _retention(found: Sequence[PlayMetrics]) -> PaperTable:
    rows = []
    for metrics in found:
        for figures in metrics.variants:
            kept = {one.disturbance: one for one in figures.retention}
            if kept:
                rows.append(PaperRow(_names(metrics, figures), tuple(_kept(kept.get(one)) for one in _UNDER)))
    return PaperTable(
        name="tomelp-retention",
        title="Retention, and its null",
        caption=(
            "Equation 6 over instances with a clean change; beside it what is left beyond a mere redraw, and the mean "
            "change of attitude over all instances. Retention falls by itself: compare it with the redraw."
        ),
        columns=_UNDER,
        rows=tuple(rows),
        corner="Subject, variant",
    )


_UNDER = (*DISTURBANCES, "redraw")


def _kept(one: Retention | None) -> Cell:
    if one is None:
        return Cell("-")
    notes = [f"change {value_text(one.change)}"]
    if one.beyond_null is not None:
        notes.append(f"beyond redraw {value_text(one.beyond_null)}")
    return cell_of(one.retained, *notes)


def _audits(found: Sequence[PlayMetrics]) -> PaperTable:
    rows = [
        PaperRow(_names(metrics, figures), tuple(cell_of(figures.scores.get(name, Estimate())) for name in _AUDITS))
        for metrics in found
        for figures in metrics.variants
    ]
    return PaperTable(
        name="tomelp-audits",
        title="Audits of judge, citations and means",
        caption=(
            "Citations and copied words are of central replies. The judge's anchoring is the difference between the "
            "route that it reads when told and when not. Rules find unsupported cues by their words."
        ),
        columns=tuple(_AUDITS.values()),
        rows=tuple(rows),
        corner="Subject, variant",
    )


def _blind(found: Sequence[PlayMetrics]) -> PaperTable:
    rows = [
        PaperRow(_names(metrics, figures), tuple(_blind_cells(figures, learned)))
        for metrics in found
        for figures in metrics.variants
        if (learned := metrics.learned_of(figures.variant)) is not None
    ]
    return PaperTable(
        name="tomelp-blind",
        title="The route, read blind",
        caption=(
            "Shares of clean replies that are taken for the route that they were to follow: by the judge, which sees "
            "no route and no tags, and by a bag of words that was learnt on the replies to other topics. Where "
            "that gets one half, words don't tell the routes apart."
        ),
        columns=("Judge", "Learnt", "Same", "Kappa"),
        rows=tuple(rows),
        corner="Subject, variant",
    )


def _blind_cells(figures: VariantFigures, learned: LearnedRoutes) -> Iterator[Cell]:
    yield cell_of(figures.scores.get("predicted", Estimate()))
    yield cell_of(learned.predicted)
    for value in (learned.agreement.same, learned.agreement.kappa):
        yield Cell("-" if value is None else f"{value:.2f}")


def _inference(found: Sequence[PlayMetrics]) -> PaperTable:
    fields = [name for name in _FIELDS if any(name in metrics.states_right for metrics in found)]
    rows = [PaperRow(metrics.subject, tuple(map(cell_of, _inferred(metrics, fields)))) for metrics in found]
    return PaperTable(
        name="tomelp-inference",
        title="Before a word is written",
        caption=(
            "Strategies by the label of effectiveness, how often another listener gets another strategy, and how often "
            "an inferred state stands for the gold one: by the label that it has most content words in common with, "
            "or, of imported states, by the option of the published question that the subject holds nearest to it."
        ),
        columns=(
            "Strategy, effective",
            "Strategy, ineffective",
            "Changes with the listener",
            *(_FIELDS[name] for name in fields),
        ),
        rows=tuple(rows),
        corner="Subject",
    )


_FIELDS = {f"{role} {field}": f"{role.capitalize()}'s {field}" for role, field in product(get_args(Role), MIND_FIELDS)}


def _inferred(metrics: PlayMetrics, fields: Sequence[str]) -> Iterator[Estimate]:
    for label in ("effective", "ineffective"):
        yield metrics.strategy_by_label.get(label, Estimate())
    yield metrics.persona_shift
    for name in fields:
        yield metrics.states_right.get(name, Estimate())


def _failures(found: Sequence[PlayMetrics]) -> PaperTable:
    rows = [PaperRow(metrics.subject, tuple(_failed(metrics))) for metrics in found]
    return PaperTable(
        name="tomelp-failures",
        title="What failed, and what it took",
        caption=(
            "Outputs of a subject that can't be used score 0; verdicts that could not be had are in no mean. The paper "
            "books both as 0: the last column is its attitude shift for tom_aware, or no_tom where that was not "
            "played; dtomtrack rescore --paper-defaults has all figures so. Where no gold states are known, nothing "
            "is written with them, and nothing counted."
        ),
        columns=(
            "Judge",
            "Unusable",
            "Unjudged",
            "States without gold",
            "Calls",
            "Tokens",
            "US dollars",
            "Att. shift by the paper's defaults",
        ),
        rows=tuple(rows),
        corner="Subject",
    )


def _failed(metrics: PlayMetrics) -> Iterator[Cell]:
    yield Cell(metrics.judge)
    for counts in (metrics.invalid, metrics.unjudged):
        yield Cell(str(sum(counts.values())), notes=tuple(f"{name} {count}" for name, count in counts.items() if count))
    yield Cell(str(metrics.without_gold))
    yield Cell(f"{metrics.calls:,}")
    yield Cell(f"{metrics.tokens:,}")
    yield Cell(f"{metrics.cost:.4f}")
    figures = metrics.figures("inferred") or metrics.figures("no_tom")
    yield Cell("-" if figures is None else f"{figures.by_default.get('attitude', 0.0):.2f}")
