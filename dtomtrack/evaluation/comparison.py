"""Subjects on the same items: by how much one is better than another, and how sure that is.

Every difference is taken over pairs of answers to the same item under the same rotation in the same sample, with an
interval clustered by dialogue. Among several subjects, p values are corrected for the number of pairs (Holm).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from dtomtrack.evaluation.records import Answer, Interval
from dtomtrack.evaluation.scored import ScoredAnswer, Scorer
from dtomtrack.evaluation.statistics import check_packages, difference, exact_mcnemar, holm
from dtomtrack.items.item import Item
from dtomtrack.records import Count, Record, Text

__all__ = ["Comparison", "Comparisons", "Paired", "SubjectPair", "compare", "compare_all", "compare_scored"]

_Key: TypeAlias = tuple[int, int, int]
_ByKey: TypeAlias = Mapping[_Key, ScoredAnswer]
"""Answers by the number of their item, their rotation and their sample."""
_Both: TypeAlias = tuple[ScoredAnswer, ScoredAnswer]


class Paired(Record):
    """Accuracy of one subject minus that of another, on the same items.

    Attributes:
        one, other: their accuracies on these items; None where there are no items.
        difference: one minus other, with an interval clustered by dialogue. ``p_value`` goes with it.
        only_one, only_other: items that one gets right and the other does not: McNemar's counts.
        mcnemar: exact p value from these counts, as if all items were independent, which those of a dialogue are not.
    """

    items: Count
    dialogues: Count
    one: float | None
    other: float | None
    difference: Interval
    p_value: float | None
    only_one: Count
    only_other: Count
    mcnemar: float | None


class Comparison(Record):
    """Two subjects on the items that both answered.

    Attributes:
        types: by type of item.
        left_out: answers of either without one of the other, and pairs of which a call failed.
    """

    overall: Paired
    types: dict[str, Paired]
    left_out: Count


class SubjectPair(Record):
    """Two of several subjects.

    Attributes:
        holm: the p value of the overall difference, corrected for the number of pairs.
    """

    one: Text
    other: Text
    compared: Comparison
    holm: float | None


class Comparisons(Record):
    """All pairs of several subjects, each pair once, the subjects in their order.

    Attributes:
        stopped: those of the subjects whose evaluation was stopped; what they answered so far counts.
        references: those that read the records of the data: what there is to reach, and no rivals.
    """

    subjects: tuple[Text, ...]
    pairs: tuple[SubjectPair, ...]
    stopped: tuple[Text, ...] = ()
    references: tuple[Text, ...] = ()


def compare(one: Iterable[Answer], other: Iterable[Answer], items: Iterable[Item]) -> Comparison:
    """How much better one subject is than the other.

    Args:
        items: at least those that are answered; each is read once and forgotten.

    Raises:
        DatasetError: an answer is to none of the items, is there twice, or does not go with its item.
        InputError: an extra is missing.
    """
    scorer = Scorer(items)
    return _compared(_by_key(scorer.score(one)), _by_key(scorer.score(other)))


def compare_all(answers: Mapping[str, Iterable[Answer]], items: Iterable[Item]) -> Comparisons:
    """Each subject with each other.

    Args:
        answers: by the names of the subjects.
        items: at least those that are answered; each is read once and forgotten.

    Raises:
        DatasetError: an answer is to none of the items, is there twice, or does not go with its item.
        InputError: an extra is missing.
    """
    scorer = Scorer(items)
    return compare_scored({name: scorer.score(given) for name, given in answers.items()})


def compare_scored(answers: Mapping[str, Iterable[ScoredAnswer]]) -> Comparisons:
    """Each subject with each other, of answers that one `Scorer` scored.

    Raises:
        InputError: an extra is missing.
    """
    check_packages()
    keyed = {name: _by_key(given) for name, given in answers.items()}
    found = [(one, other, _compared(keyed[one], keyed[other])) for one, other in combinations(keyed, 2)]
    tested = [compared.overall.p_value for _, _, compared in found if compared.overall.p_value is not None]
    corrected = iter(holm(tested))
    pairs = [
        SubjectPair(one=one, other=other, compared=own, holm=None if own.overall.p_value is None else next(corrected))
        for one, other, own in found
    ]
    return Comparisons(subjects=tuple(keyed), pairs=tuple(pairs))


def _by_key(answers: Iterable[ScoredAnswer]) -> _ByKey:
    return {(one.asked.number, one.rotation, one.repeat): one for one in answers}


def _compared(ones: _ByKey, others: _ByKey) -> Comparison:
    """The comparison of two subjects on what both answered, in the order of the items."""
    check_packages()
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
