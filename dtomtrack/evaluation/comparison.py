"""Two subjects on the same items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dtomtrack.evaluation.records import Answer, Interval
from dtomtrack.evaluation.scored import ScoredAnswer, Scorer
from dtomtrack.evaluation.statistics import check_packages, difference, exact_mcnemar
from dtomtrack.items.item import Item

__all__ = ["Comparison", "Paired", "compare"]

_Both: TypeAlias = tuple[ScoredAnswer, ScoredAnswer]
"""The answers of one subject and the other to the same question under the same rotation."""


@dataclass(frozen=True)
class Paired:
    """Accuracy of one subject minus that of another, on the same items.

    Attributes:
        one, other: their accuracies on these items; None where there are no items.
        difference: one minus other, with an interval clustered by dialogue. ``p_value`` goes with it.
        only_one, only_other: items that one gets right and the other does not: McNemar's counts.
        mcnemar: exact p value from these counts, as if all items were independent, which those of a dialogue are not.
    """

    items: int
    dialogues: int
    one: float | None
    other: float | None
    difference: Interval
    p_value: float | None
    only_one: int
    only_other: int
    mcnemar: float | None


@dataclass(frozen=True)
class Comparison:
    """Two subjects on the items that both answered.

    Attributes:
        types: by question type.
        left_out: answers of either without one of the other, and pairs of which a call failed.
    """

    overall: Paired
    types: Mapping[str, Paired]
    left_out: int


def compare(one: Sequence[Answer], other: Sequence[Answer], items: Iterable[Item]) -> Comparison:
    """How much better one subject is than the other, on the same questions under the same rotations.

    Raises:
        DatasetError: an answer is to none of the questions, is there twice, or does not go with its question.
        InputError: an extra is missing.
    """
    check_packages()
    scorer = Scorer(items)
    ones, others = _by_place(scorer, one), _by_place(scorer, other)
    shared = [(ones[key], others[key]) for key in sorted(ones.keys() & others.keys())]
    both = [pair for pair in shared if all(one.outcome != "error" for one in pair)]
    types: dict[str, list[_Both]] = {}
    for pair in both:
        types.setdefault(pair[0].asked.group("type") or "", []).append(pair)
    return Comparison(
        overall=_paired(both),
        types={name: _paired(pairs) for name, pairs in types.items()},
        left_out=len(ones.keys() ^ others.keys()) + len(shared) - len(both),
    )


def _by_place(scorer: Scorer, answers: Iterable[Answer]) -> dict[tuple[int, int, int], ScoredAnswer]:
    return {(one.asked.number, one.rotation, one.repeat): one for one in scorer.score(answers)}


def _paired(both: Sequence[_Both]) -> Paired:
    result = difference((one.asked.dialogue, other.right, one.right) for one, other in both)
    only_one = sum(one.right and not other.right for one, other in both)
    only_other = sum(other.right and not one.right for one, other in both)
    return Paired(
        items=result.pairs,
        dialogues=result.dialogues,
        one=result.second,
        other=result.first,
        difference=result.difference,
        p_value=result.p_value,
        only_one=only_one,
        only_other=only_other,
        mcnemar=exact_mcnemar(only_one, only_other) if both else None,
    )
