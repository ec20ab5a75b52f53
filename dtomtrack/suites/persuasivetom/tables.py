"""Tables laid out as the paper's: accuracy by kind (Table 5) and consistency (Table 6), beside what it reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.evaluation.records import Measure
from dtomtrack.report.cells import Cell
from dtomtrack.report.evaluations import Evaluation
from dtomtrack.report.paper_tables import PaperRow, PaperTable, TableMaker
from dtomtrack.report.printed import NOTHING, percent, percent_range
from dtomtrack.suites.persuasivetom.kinds import KINDS
from dtomtrack.suites.persuasivetom.measures import EXCESS, consistency_name
from dtomtrack.suites.persuasivetom.paper import reported, reported_accuracy

__all__ = ["TABLES", "accuracy_table", "confusion_table", "consistency_table"]

_PERSUADEE = ("desire_ee", "belief_ee", "intention_ee")


def accuracy_table(evaluations: Sequence[Evaluation]) -> PaperTable | None:
    """Table 5: accuracy (%) by kind of question; reported rows are mean and standard deviation over three samples."""
    kinds = list(KINDS)
    rows = [
        PaperRow("Random guess", tuple(Cell(percent(1 / KINDS[kind].options)) for kind in kinds)),
        *(
            PaperRow(model, tuple(_reported(found[kind].root) for kind in kinds), reported=True)
            for model, found in reported().accuracy.items()
        ),
        *(PaperRow(one.label, tuple(_accuracy(one, kind) for kind in kinds)) for one in evaluations),
    ]
    return PaperTable(
        name="table-5-accuracy",
        title="Accuracy, as in Table 5 of the paper",
        caption="Accuracy in percent; er is the persuader, ee the persuadee. Rows marked reported are the paper's own "
        "(mean and standard deviation of three samples, published files); the others were measured here.",
        columns=tuple(KINDS[kind].column for kind in kinds),
        rows=tuple(rows),
    )


def _reported(figures: Sequence[float]) -> Cell:
    return Cell(f"{figures[0]:.1f}", notes=(f"sd {figures[1]:.1f}",) if len(figures) > 1 else ())


def _accuracy(one: Evaluation, kind: str) -> Cell:
    group = one.group("type", kind)
    if group is None:
        return Cell(NOTHING)
    notes = [f"n = {group.items:,}", f"chance {percent(group.chance)}"]
    notes += [f"{percent(group.unparsed)} % unread"] if group.unparsed else []
    notes += [f"{group.errors} failed"] if group.errors else []
    return Cell(percent(group.accuracy.value), percent_range(group.accuracy), tuple(notes))


def consistency_table(evaluations: Sequence[Evaluation]) -> PaperTable | None:
    """Table 6: dialogues right as a whole (%), beside what independent errors would give."""
    if not any(one.metrics.measure(consistency_name(kind)) for one in evaluations for kind in _PERSUADEE):
        return None
    rows = [
        *(
            PaperRow(model, tuple(_reported_consistency(model, kind, found[kind]) for kind in _PERSUADEE), True)
            for model, found in reported().consistency.items()
        ),
        *(PaperRow(one.label, tuple(_consistency(one, kind) for kind in _PERSUADEE)) for one in evaluations),
    ]
    return PaperTable(
        name="table-6-consistency",
        title="Consistency, as in Table 6 of the paper",
        caption="Dialogues of which all questions of a kind are right, in percent, beside what independent errors of "
        "the same accuracy would give; beside reported rows stands the accuracy that Table 5 reports.",
        columns=tuple(KINDS[kind].column for kind in _PERSUADEE),
        rows=tuple(rows),
    )


def _reported_consistency(model: str, kind: str, figure: float) -> Cell:
    accuracy = reported_accuracy(model, kind)
    return Cell(f"{figure:.1f}", notes=() if accuracy is None else (f"accuracy {100 * accuracy:.1f}",))


def _consistency(one: Evaluation, kind: str) -> Cell:
    found = one.metrics.measure(consistency_name(kind))
    if found is None:
        return Cell(NOTHING)
    return Cell(percent(found.estimate.value), percent_range(found.estimate), tuple(_beside(found)))


def _beside(found: Measure) -> Iterator[str]:
    yield f"{found.count} of {found.items} dialogues"
    if found.reference is not None:
        yield f"independent errors {percent(found.reference.value)}"
    excess, low, high = (found.parts.get(name) for name in (EXCESS, f"{EXCESS}, low", f"{EXCESS}, high"))
    if excess is not None:
        ends = "" if low is None else f" ({percent(low, sign=True)} to {percent(high, sign=True)})"
        yield f"excess {percent(excess, sign=True)}{ends}"


def confusion_table(evaluations: Sequence[Evaluation]) -> PaperTable | None:
    """Of each evaluation, what was chosen (%) where each desire or principle is right."""
    rows = [row for one in evaluations for row in _confusions(one)]
    columns = dict.fromkeys(part for one in evaluations for found in _chosen(one) for part in found.parts)
    if not rows:
        return None
    return PaperTable(
        name="confusions",
        title="What was chosen, by what is right",
        caption="In percent of the answers; each row is a right option, each column one that was chosen.",
        columns=tuple(columns),
        rows=tuple(
            PaperRow(name, tuple(Cell(percent(parts.get(column))) for column in columns)) for name, parts in rows
        ),
        corner="Model and right option",
    )


def _chosen(one: Evaluation) -> list[Measure]:
    return [found for found in one.metrics.further if found.name.startswith("chosen_")]


def _confusions(one: Evaluation) -> Iterator[tuple[str, dict[str, float | None]]]:
    for found in _chosen(one):
        yield f"{one.short}: {found.label} ({found.items})", found.parts


TABLES: Sequence[TableMaker] = (accuracy_table, consistency_table, confusion_table)
"""The makers of the tables."""
