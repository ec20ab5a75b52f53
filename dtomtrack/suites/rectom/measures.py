"""RecToM's figures beside its accuracies: bias, fine to coarse, sets label by label, coherence, desires at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.evaluation.records import AskConfig, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.suites.rectom.coherence import coherence_measures
from dtomtrack.suites.rectom.fine_to_coarse import fine_measures
from dtomtrack.suites.rectom.judging import bias_measures
from dtomtrack.suites.rectom.label_ranking import ranking_measures
from dtomtrack.suites.rectom.label_sets import set_measures
from dtomtrack.suites.rectom.pairing import by_type
from dtomtrack.suites.rectom.presentation import type_label

__all__ = ["measures"]


def measures(given: Sequence[ScoredAnswer], config: AskConfig) -> tuple[Measure, ...]:
    """The suite's own figures from the answers that did not fail."""
    return tuple(_measures(given))


def _measures(given: Sequence[ScoredAnswer]) -> Iterator[Measure]:
    types = by_type(given)
    for kind, answers in types.items():
        if kind.startswith("judgement"):
            yield from bias_measures(kind, type_label(kind), answers)
    for kind, answers in types.items():
        if kind.startswith("fine_intention"):
            coarse = types.get(kind.replace("fine", "coarse").removesuffix("_rebuilt"), ())
            yield from fine_measures(kind, type_label(kind), answers, coarse)
    yield from coherence_measures(types)
    for kind, answers in types.items():
        if answers[0].asked.select == "any":
            yield from set_measures(kind, type_label(kind), answers)
            yield from ranking_measures(kind, type_label(kind), answers)
