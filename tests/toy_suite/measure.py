"""The toy suite's own figure: of those who heard, how many an answer leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer

__all__ = ["LEFT_OUT", "measures"]

LEFT_OUT = "left_out"


def measures(answers: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
    """The mean share of right options that are missing in answers that could be read."""
    sets = [one for one in answers if one.asked.select == "any" and one.chosen is not None]
    shares = [(one.asked.dialogue, _left_out(one)) for one in sets]
    left_out = mean_score(shares, Range()).interval
    return (Measure(name=LEFT_OUT, label="Listeners left out", estimate=left_out, items=len(sets)),)


def _left_out(answer: ScoredAnswer) -> float:
    return len(answer.asked.gold - (answer.chosen or frozenset())) / len(answer.asked.gold)
