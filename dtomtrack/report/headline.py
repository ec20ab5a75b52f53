"""The headline of a report: in a sentence or two, who is best, by how much, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.report.evaluations import Evaluation, compared
from dtomtrack.report.printed import percent, percent_range
from dtomtrack.report.tables import Row

__all__ = ["headline"]


def headline(evaluations: Sequence[Evaluation], differences: Sequence[Row]) -> str:
    """The sentence; empty where nobody's answers have an accuracy.

    Args:
        differences: rows and columns in the order of the evaluations, significant ones marked.
    """
    rivals = [one for one in compared(evaluations) if one.metrics.micro.accuracy.value is not None]
    if not rivals:
        return ""
    best, *others = sorted(rivals, key=lambda one: -(one.metrics.micro.accuracy.value or 0.0))
    whole = best.metrics.micro
    ends = percent_range(whole.accuracy)
    share = f"{percent(whole.accuracy.value)}\u00a0%{f' ({ends})' if ends else ''}"
    noun = "" if best.is_model else "No model has answered; of the baselines, "
    words = f"{noun}{best.label} answers {share} of {whole.items:,} questions right; guessing gets "
    words += f"{percent(whole.chance)}\u00a0%."
    return f"{words} {_next(evaluations, differences, best, others[0])}" if others else words


def _next(evaluations: Sequence[Evaluation], differences: Sequence[Row], best: Evaluation, other: Evaluation) -> str:
    """The sentence on the one behind."""
    value = f"{other.label} comes next with {percent(other.metrics.micro.accuracy.value)}\u00a0%"
    places = {one.label: place for place, one in enumerate(evaluations)}
    cell = differences[places[best.label]].cells[places[other.label]]
    p = next((note for note in cell.notes if note.startswith("p ")), "")
    if not p:
        return f"{value}."
    told = "a difference beyond chance" if cell.rank == "best" else "which chance alone may bring"
    return f"{value}, {told} ({p}, adjusted for all pairs)."
