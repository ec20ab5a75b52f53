"""The headline table: accuracy by question type and subject (paper, Table 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from dtomtrack.evaluation.records import Interval
from dtomtrack.report.evaluations import TYPE_NAMES, Evaluation, compared
from dtomtrack.report.printed import NOTHING, percent, percent_range

__all__ = ["Cell", "Row", "further_rows", "headline_rows"]


@dataclass(frozen=True)
class Cell:
    """A figure as it is printed.

    Attributes:
        interval: its ends, or empty.
        note: what has to be known beside it: what share could not be read, the chance level.
        rank: the place among those that are compared.
    """

    text: str
    interval: str = ""
    note: str = ""
    rank: Literal["best", "second"] | None = None


@dataclass(frozen=True)
class Row:
    """A line of a table, a cell for each evaluation."""

    name: str
    cells: tuple[Cell, ...]
    total: bool = False


def headline_rows(evaluations: Sequence[Evaluation]) -> list[Row]:
    """Accuracy (%) by question type, then overall; the best and second best of those compared are marked."""
    rows = [
        _ranked(evaluations, name, partial(_type_cell, kind))
        for kind, name in TYPE_NAMES.items()
        if any(one.group("type", kind) for one in evaluations)
    ]
    return [
        *rows,
        _ranked(evaluations, "Overall", lambda one: _accuracy(one.metrics.micro.accuracy, one.metrics.micro.unparsed)),
        _ranked(evaluations, "Mean of types", lambda one: _accuracy(one.metrics.macro, 0.0)),
    ]


def further_rows(evaluations: Sequence[Evaluation]) -> list[Row]:
    """What stands beside the accuracies: what was read, recency, intrusion, trajectories."""
    rows = [
        _row(evaluations, "Answers", lambda one: Cell(f"{one.metrics.answers:,}")),
        _row(evaluations, "Not readable", lambda one: Cell(percent(one.metrics.micro.unparsed))),
        _row(evaluations, "Failed calls", lambda one: Cell(f"{one.metrics.outcomes.get('error', 0):,}")),
        _row(evaluations, "Recency gap", _gap),
        _row(evaluations, "Intrusion", _intrusion),
        _row(evaluations, "Whole trajectory", _trajectory),
    ]
    if any(one.metrics.balanced is not None for one in evaluations):
        rows.append(_row(evaluations, "Under all rotations", _balanced))
    return rows


def _row(evaluations: Sequence[Evaluation], name: str, cell: Callable[[Evaluation], Cell]) -> Row:
    return Row(name, tuple(cell(one) for one in evaluations))


def _ranked(evaluations: Sequence[Evaluation], name: str, cell: Callable[[Evaluation], Cell]) -> Row:
    """A row in which the best figures and those after them, as printed, are marked; ties share a place."""
    cells = [cell(one) for one in evaluations]
    among = {one.label for one in compared(evaluations)}
    rival = [one.label in among and given.text != NOTHING for one, given in zip(evaluations, cells, strict=True)]
    values = sorted({float(given.text) for given, counts in zip(cells, rival, strict=True) if counts}, reverse=True)
    places: dict[float, Literal["best", "second"]] = {}
    if sum(rival) > 1:
        places.update(zip(values, ("best", "second"), strict=False))
    marked = (
        replace(given, rank=places.get(float(given.text))) if counts else given
        for given, counts in zip(cells, rival, strict=True)
    )
    return Row(name, tuple(marked), total=name == "Overall")


def _type_cell(kind: str, one: Evaluation) -> Cell:
    group = one.group("type", kind)
    return Cell(NOTHING) if group is None else _accuracy(group.accuracy, group.unparsed)


def _accuracy(interval: Interval, unparsed: float) -> Cell:
    note = f"{percent(unparsed)} % unread" if unparsed else ""
    return Cell(percent(interval.value), percent_range(interval), note)


def _gap(one: Evaluation) -> Cell:
    gap = one.metrics.gap
    note = f"{gap.pairs:,} {'pair' if gap.pairs == 1 else 'pairs'}"
    note += "" if gap.p_value is None else f", p {_p_value(gap.p_value)}"
    return Cell(percent(gap.gap.value, sign=True), percent_range(gap.gap), note if gap.pairs else "")


def _intrusion(one: Evaluation) -> Cell:
    intrusion = one.metrics.intrusion
    note = "" if intrusion.chance is None else f"chance {percent(intrusion.chance)}"
    return Cell(percent(intrusion.rate.value), percent_range(intrusion.rate), note)


def _trajectory(one: Evaluation) -> Cell:
    whole = one.metrics.trajectory
    note = "" if whole.independent is None else f"independent {percent(whole.independent)}"
    return Cell(percent(whole.rate.value), percent_range(whole.rate), note)


def _balanced(one: Evaluation) -> Cell:
    balanced = one.metrics.balanced
    return Cell(NOTHING) if balanced is None else Cell(percent(balanced.value), percent_range(balanced))


def _p_value(p_value: float) -> str:
    return "< 0.001" if p_value < 0.001 else f"= {p_value:.3f}"
