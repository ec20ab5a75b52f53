"""The paper's Tables 4 and 5 with measured rows below those that the paper reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.report.cells import Cell
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.paper_tables import PaperRow, PaperTable, TableMaker
from dtomtrack.report.printed import NOTHING, percent, percent_range
from dtomtrack.report.rivals import one_of_each
from dtomtrack.suites.rectom.kinds import BY_TYPE, REBUILT
from dtomtrack.suites.rectom.labels import Role
from dtomtrack.suites.rectom.presentation import type_label
from dtomtrack.suites.rectom.reported import reported

__all__ = ["TABLES"]

_SEVERAL = "\N{DAGGER}"
_JUDGED: dict[Role, str] = {"recommender": "judgement_rec", "seeker": "judgement_seeker"}
_BIAS = ("prediction_bias", "false_positive_rate", "recall_no")


def table_4(evaluations: Sequence[Evaluation]) -> PaperTable | None:
    """Accuracy (%) by type, in the paper's order of columns; None where no such items were answered."""
    columns = [_column(name, evaluations) for name in reported().columns]
    if not any(one.group(TYPE, name) for one in evaluations for name in columns):
        return None
    return PaperTable(
        name="rectom-table-4",
        title="Accuracy by type, as in the paper's Table 4",
        caption=(
            f"Accuracy in percent with 95 % intervals, clustered by dialogue. {_SEVERAL} One or several options may be "
            "right, and the very set counts. Reported rows are the paper's own figures, of one run. The mean of models "
            "is of one evaluation each, of the same questions and in the same context."
        ),
        columns=tuple(_heading(name) for name in columns),
        rows=(*_reported_accuracy(), *(_measured(one, columns) for one in evaluations), *_mean(evaluations, columns)),
    )


def _column(name: str, evaluations: Sequence[Evaluation]) -> str:
    """The type of a column: where the published file is missing, the items that were built anew."""
    there = any(one.group(TYPE, name) for one in evaluations)
    rebuilt = any(one.group(TYPE, REBUILT) for one in evaluations)
    return REBUILT if name == "fine_intention_seeker" and rebuilt and not there else name


def _heading(name: str) -> str:
    several = name == REBUILT or BY_TYPE[name].select == "any"
    return f"{type_label(name)} {_SEVERAL}" if several else type_label(name)


def _reported_accuracy() -> Iterator[PaperRow]:
    for name, figures in reported().accuracy.items():
        yield PaperRow(name, tuple(Cell(f"{figure:.2f}") for figure in figures), reported=True)


def _measured(one: Evaluation, columns: Sequence[str]) -> PaperRow:
    return PaperRow(one.label, tuple(_accuracy(one, name) for name in columns))


def _accuracy(one: Evaluation, name: str) -> Cell:
    group = one.group(TYPE, name)
    if group is None:
        return Cell(NOTHING)
    notes = (f"{percent(group.unparsed)} % unread",) if group.unparsed else ()
    return Cell(percent(group.accuracy.value), percent_range(group.accuracy), notes)


def _mean(evaluations: Sequence[Evaluation], columns: Sequence[str]) -> Iterator[PaperRow]:
    """The mean of models that were asked alike, where there are several."""
    models = one_of_each(evaluations)
    if len(models) > 1:
        yield PaperRow("Mean of models", tuple(_mean_cell(models, name) for name in columns))


def _mean_cell(models: Sequence[Evaluation], name: str) -> Cell:
    groups = [group for one in models if (group := one.group(TYPE, name)) is not None]
    values = [group.accuracy.value for group in groups if group.accuracy.value is not None]
    return Cell(percent(sum(values) / len(values))) if values else Cell(NOTHING)


def table_5(evaluations: Sequence[Evaluation]) -> PaperTable | None:
    """The bias of judgements (%), by role; None where nothing was judged."""
    if not any(one.metrics.measure(f"{_BIAS[0]}_{kind}") for one in evaluations for kind in _JUDGED.values()):
        return None
    rows = [row for role, kind in _JUDGED.items() for row in _bias_rows(role, kind, evaluations)]
    return PaperTable(
        name="rectom-table-5",
        title="How far judgements lean towards yes, as in the paper's Table 5",
        caption=(
            "In percent, of the answers that could be read. The reported false positive rate of Gemini 2.5 Flash-Lite "
            "(recommender) and its recall of no add up to 110 %: 97.23 has to be 87.23."
        ),
        columns=("Prediction bias", "False positive rate", "Recall of no"),
        rows=tuple(rows),
    )


def _bias_rows(role: Role, kind: str, evaluations: Sequence[Evaluation]) -> Iterator[PaperRow]:
    for name, figures in reported().bias[role].items():
        yield PaperRow(f"{name}, {role}", tuple(Cell(f"{figure:.2f}") for figure in figures), reported=True)
    for one in evaluations:
        if one.metrics.measure(f"{_BIAS[0]}_{kind}"):
            yield PaperRow(f"{one.label}, {role}", tuple(_bias_cell(one, f"{name}_{kind}") for name in _BIAS))


def _bias_cell(one: Evaluation, name: str) -> Cell:
    measure = one.metrics.measure(name)
    if measure is None:
        return Cell(NOTHING)
    return Cell(percent(measure.estimate.value), percent_range(measure.estimate))


TABLES: Sequence[TableMaker] = (table_4, table_5)
