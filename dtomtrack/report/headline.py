"""The headline of a report: in a sentence or two, who is best, by how much, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtomtrack.evaluation.comparison import Comparisons
from dtomtrack.report.differences import LEVEL, difference_of
from dtomtrack.report.evaluations import Evaluation, Kind
from dtomtrack.report.printed import p_value_text, percent, percent_range
from dtomtrack.report.rivals import rivals

__all__ = ["headline"]

_AMONG: Mapping[Kind, str] = {
    "model": "",
    "baseline": "No model has answered; of the baselines, ",
    "reference": "Nobody has answered but who reads the records: ",
}
"""What stands before the name of the best, by what it is the best of."""


def headline(evaluations: Sequence[Evaluation], differences: Comparisons | None) -> str:
    """The sentence; empty where nobody's answers have an accuracy.

    Args:
        differences: of all evaluations by their labels, where there are several.
    """
    known = [one for one in rivals(evaluations) if one.metrics.micro.accuracy.value is not None]
    if not known:
        return ""
    best, *others = sorted(known, key=lambda one: -(one.metrics.micro.accuracy.value or 0.0))
    words = f"{_of_best(best)}; guessing gets {percent(best.metrics.micro.chance)}\u00a0%."
    return words if differences is None or not others else f"{words} {_next(differences, best, others[0])}"


def _of_best(best: Evaluation) -> str:
    whole, questions = best.metrics.micro, best.metrics.questions
    ends = percent_range(whole.accuracy)
    share = f"{percent(whole.accuracy.value)}\u00a0%{f' ({ends})' if ends else ''}"
    who = f"{_AMONG[best.kind]}{best.label}"
    if _asks_once(best):
        return f"{who} answers {share} of {whole.items:,} questions right"
    return f"{who} is right in {share} of {whole.items:,} answers to {questions:,} questions"


def _asks_once(one: Evaluation) -> bool:
    return one.metrics.answers == one.metrics.questions


def _next(differences: Comparisons, best: Evaluation, other: Evaluation) -> str:
    """The sentence on the one behind; on what both answered, where that tells something else than all answers."""
    lead = (best.metrics.micro.accuracy.value or 0.0) - (other.metrics.micro.accuracy.value or 0.0)
    place = "comes next with" if lead else "does as well with"
    value = f"{other.label} {place} {percent(other.metrics.micro.accuracy.value)}\u00a0%"
    pair = next(one for one in differences.pairs if {one.one, one.other} == {best.label, other.label})
    gain = difference_of(pair, best.label).value
    if gain is None or pair.holm is None or lead == gain == 0:
        return f"{value}."
    chance = "a difference beyond chance" if pair.holm < LEVEL else "which chance alone may bring"
    told = f"{chance} (p {p_value_text(pair.holm)}, adjusted for all pairs)."
    if _sign(gain) == _sign(lead):
        return f"{value}, {told}"
    noun = "questions" if _asks_once(best) and _asks_once(other) else "answers"
    common = f"on the {pair.compared.overall.items:,} {noun} that both have given"
    if noun == "questions":
        common = f"on the {pair.compared.overall.items:,} questions that both have answered"
    if gain == 0:
        return f"{value}; {common}, the two are right alike often."
    better = best if gain > 0 else other
    return f"{value}; {common}, {better.label} is {percent(abs(gain))} points better, {told}"


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
