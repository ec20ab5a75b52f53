"""The tables of effects on the page: what states are worth, and what each part of the design does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from dtomtrack.evaluation.bounded import Estimate
from dtomtrack.evaluation.equivalence import MARGIN
from dtomtrack.evaluation.statistics import holm
from dtomtrack.report.cells import Cell
from dtomtrack.report.paper_tables import PaperRow, PaperTable
from dtomtrack.scenarios.route.terms import PERSONAS, ROUTES
from dtomtrack.suites.tomelp.contrasts import COMPARED, FIDELITY
from dtomtrack.suites.tomelp.metrics import AblationEffect, Contrast, PlayMetrics
from dtomtrack.suites.tomelp.tables import VARIANT_LABELS, interval_text, value_text

__all__ = ["VERDICTS", "ablation_table", "cell_of", "fidelity_table", "together", "worth_table"]

VERDICTS = {"equivalent": "no change", "different": "a change", "undecided": "can't be told"}
"""What an equivalence says, in words."""


def cell_of(one: Estimate, *notes: str) -> Cell:
    """An estimate as a cell, with notes where there is anything to note."""
    ends = interval_text(one).strip("[]")
    return Cell(value_text(one), ends, notes if one.interval.value is not None else ())


def worth_table(found: Sequence[PlayMetrics]) -> PaperTable:
    """Contrasts of attitude and alignment, and the interaction with the route."""
    rows: list[tuple[str, list[Estimate]]] = []
    for metrics in found:
        for variant, minus in COMPARED:
            attitude = metrics.contrast("attitude", variant, minus)
            alignment = metrics.contrast("alignment", variant, minus)
            if attitude is None or alignment is None:
                continue
            name = f"{metrics.subject}, {VARIANT_LABELS[variant]} - {VARIANT_LABELS[minus]}"
            rows.append((name, [attitude.estimate, attitude.interaction or Estimate(), alignment.estimate]))
    return PaperTable(
        name="tomelp-infer-apply",
        title="What mental states are worth",
        caption=(
            "Differences on the same states, listeners and routes. tom gold - tom_aware is the price of inference, "
            "tom_aware - tom shuffled the use of what was inferred: any block would do as well if it is nought. "
            "The interaction is the gain by the central route minus that by the peripheral one. p values hold for all "
            "of the table together (Holm)."
        ),
        columns=("Attitude", "Interaction with the route", "ToM alignment"),
        rows=tuple(_with_p(rows)),
        corner="Subject, contrast",
    )


def fidelity_table(found: Sequence[PlayMetrics]) -> PaperTable:
    """Whether mental states change how the route is kept to."""
    rows = [
        PaperRow(f"{metrics.subject}, {VARIANT_LABELS[variant]} - {VARIANT_LABELS[minus]}", cells)
        for metrics in found
        for variant, minus in COMPARED
        if (cells := tuple(_unchanged(metrics.contrast(score, variant, minus)) for score in FIDELITY)) != _NOTHING
    ]
    return PaperTable(
        name="tomelp-fidelity",
        title="Is the route kept to as before?",
        caption=(
            "Differences on the same states, listeners and routes, with 90 % intervals. No change is said where the "
            f"whole interval lies within {MARGIN:.2f} of nought (two one-sided tests at 5 %), a change where it lies "
            "beyond; that no difference was found would not do. Substitution is of central replies."
        ),
        columns=("Route fit", "Route, read blind", "Substitution"),
        rows=tuple(rows),
        corner="Subject, contrast",
    )


_NOTHING = (Cell("-"),) * len(FIDELITY)


def _unchanged(contrast: Contrast | None) -> Cell:
    one = None if contrast is None else contrast.equivalence
    if one is None:
        return Cell("-")
    value = Estimate(interval=one.interval)
    return cell_of(value, VERDICTS[one.verdict])


def ablation_table(found: Sequence[PlayMetrics]) -> PaperTable:
    """What changes where a part of the design is taken away."""
    cells = tuple(product(PERSONAS, ROUTES))
    effects = [named for metrics in found for named in _by_ablation(metrics).items()]
    scores = {"attitude": "Attitude", "evidence": "Evidence", "predicted": "Route, read blind", "alignment": "ToM"}
    return PaperTable(
        name="tomelp-ablations",
        title="What each part of the design does",
        caption=(
            "Scores with the part taken away minus those of the whole design, on the same states, listeners and "
            "routes; a dash where nothing can change. tags-shown: the blind judge sees the tags of central replies; "
            "tags-stripped: no judge does. unwarned: the prompt doesn't say what to do about the disturbance. "
            "elaboration-swapped: the judge rules takes either listener for the other. no-counterpoints: the writer "
            "has facts alone. p values hold for all of the table together (Holm)."
        ),
        columns=(*scores.values(), *(f"Attitude, {persona}, {route}" for persona, route in cells)),
        rows=tuple(
            replace(row, cells=(*row.cells, *_by_cell(own)))
            for row, (_, own) in zip(
                _with_p([(name, _effects(own, scores)) for name, own in effects]), effects, strict=True
            )
        ),
        corner="Subject, variant, taken away",
    )


def _by_ablation(metrics: PlayMetrics) -> dict[str, dict[str, AblationEffect]]:
    """Effects by what was taken away of which variant, then by score."""
    found: dict[str, dict[str, AblationEffect]] = {}
    for one in metrics.ablations:
        under = "" if one.disturbance == "clean" else f", {one.disturbance}"
        name = f"{metrics.subject}, {VARIANT_LABELS[one.variant]}, {one.ablation}{under}"
        found.setdefault(name, {})[one.score] = one
    return found


def _effects(effects: Mapping[str, AblationEffect], scores: Iterable[str]) -> list[Estimate]:
    return [effects[score].estimate if score in effects else Estimate() for score in scores]


def _by_cell(effects: Mapping[str, AblationEffect]) -> Iterator[Cell]:
    for persona, route in product(PERSONAS, ROUTES):
        yield cell_of(effects["attitude"].of(persona, route) if "attitude" in effects else Estimate())


def _with_p(rows: Sequence[tuple[str, Sequence[Estimate]]]) -> Iterator[PaperRow]:
    """Rows of a table with p values that hold for all of it together."""
    corrected = iter(together([one.p_value for _, own in rows for one in own]))
    for name, own in rows:
        told = ((one, next(corrected)) for one in own)
        yield PaperRow(name, tuple(cell_of(one, *(() if p is None else (f"p {p:.2g}",))) for one, p in told))


def together(p_values: Sequence[float | None]) -> list[float | None]:
    """p values as they hold for all that are shown together, by Holm's method; None where there is none."""
    corrected = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(corrected) for p in p_values]
