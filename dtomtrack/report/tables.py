"""The tables of a report: accuracy by group and subject (paper, Table 4), and the figures beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from dtomtrack.evaluation.records import Group, Interval, Measure
from dtomtrack.report.cells import Cell
from dtomtrack.report.evaluations import Evaluation, plain
from dtomtrack.report.groupings import Grouping
from dtomtrack.report.printed import NOTHING, p_value_text, percent, percent_range
from dtomtrack.report.rivals import rivals

__all__ = ["Row", "asked_rows", "cut_words", "further_rows", "group_rows", "headline_rows", "part_rows"]

_MOST_ROWS = 200
"""Rows of one table; there may be a group for every item."""


@dataclass(frozen=True)
class Row:
    """A line of a table: what guessing gets, where that applies, and a cell for each evaluation."""

    name: str
    cells: tuple[Cell, ...]
    chance: Cell | None = None
    total: bool = False


def headline_rows(evaluations: Sequence[Evaluation], types: Grouping | None) -> list[Row]:
    """Accuracy (%) overall, then by question type; the best and second best of those asked the same are marked."""
    by_type = group_rows(evaluations, types) if types else []
    overall = _ranked(
        evaluations,
        "Overall",
        lambda one: _accuracy(one.metrics.micro.accuracy, one.metrics.micro.unparsed),
        _chance([one.metrics.micro for one in evaluations]),
    )
    overall = replace(overall, total=True)
    if len(by_type) < 2:
        return [overall, *by_type]
    largest = max(evaluations, key=lambda one: one.metrics.micro.items)
    chance = Cell(percent(largest.metrics.macro_chance))
    mean = _ranked(evaluations, "Mean of types", lambda one: _accuracy(one.metrics.macro, 0.0), chance)
    return [overall, mean, *by_type]


def group_rows(evaluations: Sequence[Evaluation], grouping: Grouping) -> list[Row]:
    """Accuracy (%) by the groups of a grouping."""
    rows = []
    for name, label in list(grouping.groups.items())[:_MOST_ROWS]:
        known = [group for one in evaluations if (group := one.group(grouping.name, name))]
        rows.append(_ranked(evaluations, label, partial(_group_cell, grouping.name, name), _chance(known)))
    return rows


def cut_words(grouping: Grouping) -> str:
    """The sentence on how many groups of a grouping its table shows; empty where it shows all of them."""
    groups = len(grouping.groups)
    return f"The first {_MOST_ROWS} of {groups:,} groups." if groups > _MOST_ROWS else ""


def further_rows(evaluations: Sequence[Evaluation]) -> list[Row]:
    """The rows beside the accuracies: what was read, and every measure."""
    rows = [
        _row(evaluations, "Answers", lambda one: Cell(f"{one.metrics.answers:,}")),
        _row(evaluations, "Not readable", lambda one: Cell(percent(one.metrics.micro.unparsed))),
        _row(evaluations, "Failed calls", lambda one: Cell(f"{one.metrics.outcomes.get('error', 0):,}")),
    ]
    if any(one.metrics.calibration for one in evaluations):
        rows.append(_row(evaluations, "Calibration error (ECE)", _calibration_error))
        rows.append(_row(evaluations, "Brier score", _brier_score))
    if any(one.metrics.debiased for one in evaluations):
        rows.append(_row(evaluations, "Accuracy without bias for letters", _debiased_cell))
    return rows + [_row(evaluations, label, partial(_measure_cell, name)) for name, label in _measures(evaluations)]


def asked_rows(evaluations: Sequence[Evaluation]) -> list[Row]:
    """The rows of how subjects were asked, and of what that took."""
    columns: dict[str, Callable[[Evaluation], Cell]] = {
        "Date": _date,
        "Prompt": lambda one: Cell(plain(one.metrics.config.prompt)),
        "Context": lambda one: Cell(plain(one.metrics.config.context)),
        "Mode": lambda one: Cell(one.metrics.config.mode),
        "Rotations of options": lambda one: Cell(str(one.metrics.config.permutations)),
        "Samples": lambda one: Cell(str(one.metrics.config.repeats)),
        "Temperature": lambda one: Cell(f"{one.metrics.config.temperature:g}"),
        "Calls": lambda one: Cell(f"{one.metrics.calls:,}"),
        "Tokens": lambda one: Cell(f"{one.metrics.tokens:,}"),
        "US dollars": _cost,
    }
    return [_row(evaluations, name, cell) for name, cell in columns.items()]


def _debiased_cell(evaluation: Evaluation) -> Cell:
    found = evaluation.metrics.debiased
    return Cell(NOTHING) if found is None else _accuracy(found.micro.accuracy, 0.0)


def part_rows(evaluations: Sequence[Evaluation]) -> list[Row]:
    """The rows of the parts that the measures are made from."""
    return [
        _row(evaluations, f"{label}: {plain(part)}", partial(_part_cell, name, part))
        for name, label in _measures(evaluations)
        for part in _parts(evaluations, name)
    ]


# -- rows ------------------------------------------------------------------------------------------------------------


def _row(evaluations: Sequence[Evaluation], name: str, cell: Callable[[Evaluation], Cell]) -> Row:
    return Row(name, tuple(cell(one) for one in evaluations))


def _ranked(
    evaluations: Sequence[Evaluation], name: str, cell: Callable[[Evaluation], Cell], chance: Cell | None = None
) -> Row:
    """A row in which the best figures and those after them, as printed, are marked; ties share a place."""
    cells = [cell(one) for one in evaluations]
    among = {one.label for one in rivals(evaluations)}
    rival = [one.label in among and given.text != NOTHING for one, given in zip(evaluations, cells, strict=True)]
    values = sorted({float(given.text) for given, counts in zip(cells, rival, strict=True) if counts}, reverse=True)
    places: dict[float, Literal["best", "second"]] = {}
    if sum(rival) > 1:
        places.update(zip(values, ("best", "second"), strict=False))
    marked = (
        replace(given, rank=places.get(float(given.text))) if counts else given
        for given, counts in zip(cells, rival, strict=True)
    )
    return Row(name, tuple(marked), chance)


def _measures(evaluations: Sequence[Evaluation]) -> list[tuple[str, str]]:
    """The names of all measures, each with what it is called."""
    found = {measure.name: plain(measure.label) for one in evaluations for measure in one.metrics.further}
    return list(found.items())


def _parts(evaluations: Sequence[Evaluation], name: str) -> list[str]:
    known = (measure for one in evaluations if (measure := one.metrics.measure(name)))
    return list(dict.fromkeys(part for measure in known for part in measure.parts))


# -- cells -----------------------------------------------------------------------------------------------------------


def _group_cell(grouping: str, name: str, one: Evaluation) -> Cell:
    group = one.group(grouping, name)
    return Cell(NOTHING) if group is None else _accuracy(group.accuracy, group.unparsed)


def _accuracy(interval: Interval, unparsed: float) -> Cell:
    notes = (f"{percent(unparsed)} % unread",) if unparsed else ()
    return Cell(percent(interval.value), percent_range(interval), notes)


def _chance(groups: Sequence[Group]) -> Cell | None:
    """The accuracies of guessing and of the best fixed answer; of the group with the most items, where they differ."""
    if not groups:
        return None
    largest = max(groups, key=lambda group: group.items)
    constant = largest.best_constant
    return Cell(percent(largest.chance), notes=() if constant is None else (f"constant {percent(constant)}",))


def _date(one: Evaluation) -> Cell:
    """The day, in UTC, on which the last answer came, or of one that was stopped the first."""
    return Cell(NOTHING if one.date is None else plain(one.date[: len("2026-01-31")]))


def _cost(one: Evaluation) -> Cell:
    if one.metrics.cost:
        return Cell(f"{one.metrics.cost:.2f}")
    return Cell(NOTHING, notes=("free, or no known price",) if one.metrics.calls else ())


def _measure_cell(name: str, one: Evaluation) -> Cell:
    measure = one.metrics.measure(name)
    if measure is None:
        return Cell(NOTHING)
    text = percent(measure.estimate.value, sign=measure.unit == "difference")
    return Cell(text, percent_range(measure.estimate), tuple(_notes(measure)))


def _notes(measure: Measure) -> list[str]:
    notes = [f"n = {measure.items:,}"]
    if measure.reference is not None and measure.reference.value is not None:
        label = plain(measure.reference_label) or "reference"
        ends = percent_range(measure.reference)
        notes.append(f"{label} {percent(measure.reference.value)}{f' ({ends})' if ends else ''}")
    if measure.p_value is not None:
        notes.append(f"p {p_value_text(measure.p_value)}")
    return notes


def _part_cell(name: str, part: str, one: Evaluation) -> Cell:
    measure = one.metrics.measure(name)
    return Cell(percent(measure.parts.get(part) if measure else None))


def _calibration_error(one: Evaluation) -> Cell:
    figures = one.metrics.calibration
    return Cell(percent(figures.ece)) if figures else Cell(NOTHING)


def _brier_score(one: Evaluation) -> Cell:
    figures = one.metrics.calibration
    return Cell(f"{figures.brier:.3f}") if figures else Cell(NOTHING)
