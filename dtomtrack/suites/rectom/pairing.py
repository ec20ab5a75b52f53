"""Answers of one subject put together: those of a type, and those to questions about the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dtomtrack.evaluation.metrics import TYPE
from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded

__all__ = ["by_type", "labels_chosen", "labels_right", "paired", "plainly", "type_of"]


def type_of(answer: ScoredAnswer) -> str:
    """The type of the item that is answered."""
    return answer.asked.group(TYPE) or ""


def by_type(given: Iterable[ScoredAnswer]) -> dict[str, list[ScoredAnswer]]:
    """Answers by the type of their items."""
    found: dict[str, list[ScoredAnswer]] = {}
    for one in given:
        found.setdefault(type_of(one), []).append(one)
    return found


def labels_chosen(answer: ScoredAnswer) -> frozenset[str] | None:
    """The labels of the chosen options; None where nothing could be read."""
    return None if answer.chosen is None else frozenset(answer.roles)


def labels_right(answer: ScoredAnswer) -> frozenset[str]:
    """The labels of the right options."""
    return frozenset(answer.asked.roles[position] for position in answer.asked.gold)


def paired(
    firsts: Sequence[ScoredAnswer], seconds: Sequence[ScoredAnswer], kind: str
) -> Iterator[tuple[ScoredAnswer, ScoredAnswer]]:
    """Answers about the same thing, in the same sample, whose options stood in their own order; both could be read."""
    known = {(_joint(one, kind), one.repeat): one for one in seconds if _counts(one)}
    for one in firsts:
        other = known.get((_joint(one, kind), one.repeat)) if _counts(one) and _joint(one, kind) is not None else None
        if other is not None:
            yield one, other


def _counts(answer: ScoredAnswer) -> bool:
    return answer.rotation == 0 and answer.chosen is not None and bool(answer.asked.roles)


def _joint(answer: ScoredAnswer, kind: str) -> int | None:
    return next((number for own, number in answer.asked.joint if own == kind), None)


def plainly(values: Sequence[float]) -> Interval:
    """A mean without an interval: something to hold a figure against."""
    return Interval(value=rounded(mean(values)), low=None, high=None)
