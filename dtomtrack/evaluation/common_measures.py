"""Figures beside the accuracies that mean something for the items of any suite."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import stdev
from typing import NamedTuple

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.evaluation.products import product_of_shares
from dtomtrack.evaluation.records import AskConfig, Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import macro_share, mean, rounded, share
from dtomtrack.evaluation.together import in_joint_groups

__all__ = ["TOPIC", "JointGroup", "common_measures", "joint_groups", "whole_groups"]

TOPIC = "topic"
"""The grouping whose groups may have more in common than dialogues show: a suite that has topics names them so."""


def common_measures(given: Sequence[ScoredAnswer], config: AskConfig) -> Iterator[Measure]:
    """Measures that apply: agreement of sets, all rotations right, spread over samples, accuracy clustered by topic."""
    sets = [one for one in given if one.asked.select == "any"]
    if sets:
        yield _agreement(sets)
    if config.permutations > 1:
        yield _under_all_rotations(given, config.permutations)
    if config.repeats > 1:
        yield _over_samples(given)
    topics = {topic for one in given if (topic := one.asked.group(TOPIC)) is not None}
    if len(topics) > 1:
        yield _by_topic(given, sorted(topics))


def _agreement(sets: Sequence[ScoredAnswer]) -> Measure:
    """The mean Jaccard index of chosen and right sets, beside the best that one fixed set gets."""
    return Measure(
        name="jaccard",
        label="Agreement of sets (Jaccard)",
        estimate=mean_score(((one.asked.dialogue, one.overlap) for one in sets), Range()).interval,
        items=len(sets),
        over="answers to items with any number of right options",
        dialogues=len({one.asked.dialogue for one in sets}),
        reference=Interval(value=rounded(_best_agreement(sets)), low=None, high=None),
        reference_label="best constant set",
    )


def _best_agreement(sets: Iterable[ScoredAnswer]) -> float:
    """The highest mean agreement of a fixed set, among those that are right somewhere and all options together."""
    by_size: dict[int, Counter[frozenset[int]]] = {}
    for one in sets:
        by_size.setdefault(one.asked.options, Counter())[one.asked.gold] += 1
    best = [
        max(_agreement_with(fixed, golds) for fixed in {*golds, frozenset(range(size))})
        for size, golds in by_size.items()
    ]
    return sum(best) / sum(golds.total() for golds in by_size.values())


def _agreement_with(fixed: frozenset[int], golds: Mapping[frozenset[int], int]) -> float:
    """The sum of Jaccard indices of a set and right sets, of each as often as it is right."""
    return math.fsum(times * len(fixed & gold) / len(fixed | gold) for gold, times in golds.items())


def _under_all_rotations(given: Sequence[ScoredAnswer], permutations: int) -> Measure:
    """The share of items that are right under every rotation, of those that have an answer under every one."""
    asked: dict[tuple[int, int], list[ScoredAnswer]] = {}
    for one in given:
        asked.setdefault((one.asked.number, one.repeat), []).append(one)
    whole = [own for own in asked.values() if len(own) == min(permutations, own[0].asked.options)]
    right = [(own[0].asked.dialogue, all(one.right for one in own)) for own in whole]
    return Measure(
        name="balanced",
        label="Right under all rotations",
        estimate=share(right),
        items=len(right),
        over="items",
        dialogues=len({dialogue for dialogue, _ in right}),
        count=sum(one for _, one in right),
    )


def _over_samples(given: Sequence[ScoredAnswer]) -> Measure:
    """The mean accuracy of whole samples and how they spread: what sampling adds, beside which items were drawn."""
    samples: dict[int, list[tuple[int, bool]]] = {}
    for one in given:
        samples.setdefault(one.repeat, []).append((one.asked.dialogue, one.right))
    shares = [sum(right for _, right in own) / len(own) for own in samples.values()]
    return Measure(
        name="samples",
        label="Accuracy over samples",
        estimate=macro_share(samples.values()),
        items=len(shares),
        over="samples of all items",
        parts={
            "standard deviation": rounded(stdev(shares)) if len(shares) > 1 else None,
            "lowest": rounded(min(shares, default=None)),
            "highest": rounded(max(shares, default=None)),
        },
    )


def _by_topic(given: Sequence[ScoredAnswer], topics: Sequence[str]) -> Measure:
    """Accuracy again, as if topics were drawn and not dialogues."""
    number = {topic: place for place, topic in enumerate(topics)}
    right = [(number[topic], one.right) for one in given if (topic := one.asked.group(TOPIC)) is not None]
    return Measure(
        name="by_topic",
        label="Accuracy, clustered by topic",
        estimate=share(right),
        items=len(right),
        over=f"answers on {len(topics)} topics",
        count=sum(one for _, one in right),
    )


class JointGroup(NamedTuple):
    """Items that are to be right together, as answered under one rotation in one sample: by part, whether all are."""

    dialogue: int
    right: dict[str, bool]


def joint_groups(
    given: Iterable[ScoredAnswer], kind: str, types: Sequence[str] = (), part: str = "type"
) -> list[JointGroup]:
    """The joint groups of a kind with items of all these types, or of any two parts if none is given; all answered.

    Args:
        part: the grouping that tells the items of a joint group apart.
    """
    whole = (one.answers for one in in_joint_groups(given, kind) if one.is_whole(part, types))
    found = [JointGroup(own[0].asked.dialogue, _by_part(own, part)) for own in whole]
    return [one for one in found if types or len(one.right) > 1]


def _by_part(answers: Iterable[ScoredAnswer], part: str) -> dict[str, bool]:
    right: dict[str, bool] = {}
    for one in answers:
        name = one.asked.group(part) or ""
        right[name] = right.get(name, True) and one.right
    return right


def whole_groups(
    groups: Sequence[JointGroup], types: Sequence[str] = (), *, name: str, label: str, over: str
) -> Measure:
    """How many groups are right as a whole, beside what independent errors would give.

    Independence multiplies the accuracies of a group's parts, over these very groups.

    Args:
        types: the parts that count; all that a group has, if none is given.
    """
    counted = [(one.dialogue, {kind: one.right[kind] for kind in types or one.right}) for one in groups]
    whole = [(dialogue, all(right.values())) for dialogue, right in counted]
    parts = types or sorted({kind for _, right in counted for kind in right})
    return Measure(
        name=name,
        label=label,
        estimate=share(whole),
        items=len(whole),
        over=over,
        dialogues=len({dialogue for dialogue, _ in whole}),
        count=sum(right for _, right in whole),
        reference=product_of_shares(counted) if whole else None,
        reference_label="independent errors",
        parts={kind: rounded(mean([right[kind] for _, right in counted if kind in right])) for kind in parts},
    )
