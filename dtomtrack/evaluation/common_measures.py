"""Figures beside the accuracies that mean something for the items of any suite."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dtomtrack.evaluation.records import AskConfig, Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import bounded_mean, mean, rounded, share

__all__ = ["JointGroup", "common_measures", "joint_groups", "whole_groups"]


def common_measures(given: Sequence[ScoredAnswer], config: AskConfig) -> Iterator[Measure]:
    """Those that apply: agreement of sets, and being right under every rotation."""
    sets = [one for one in given if one.asked.select == "any"]
    if sets:
        yield Measure(
            name="jaccard",
            label="Agreement of sets (Jaccard)",
            estimate=bounded_mean((one.asked.dialogue, one.overlap) for one in sets),
            items=len(sets),
            dialogues=len({one.asked.dialogue for one in sets}),
        )
    if config.permutations > 1:
        yield _under_all_rotations(given, config.permutations)


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
        count=sum(one for _, one in right),
    )


class JointGroup(NamedTuple):
    """Items that are to be right together, as answered under one rotation in one sample: by type, whether all are."""

    dialogue: int
    right: dict[str, bool]


def joint_groups(given: Iterable[ScoredAnswer], kind: str, types: Sequence[str]) -> list[JointGroup]:
    """The joint groups of a kind of which every one of these types was answered."""
    found: dict[tuple[int, int, int], JointGroup] = {}
    for one in given:
        number = next((number for own, number in one.asked.joint if own == kind), None)
        if number is not None:
            key = number, one.rotation, one.repeat
            right = found.setdefault(key, JointGroup(one.asked.dialogue, {})).right
            name = one.asked.group("type") or ""
            right[name] = right.get(name, True) and one.right
    return [one for one in found.values() if all(name in one.right for name in types)]


def whole_groups(groups: Sequence[JointGroup], types: Sequence[str], name: str, label: str) -> Measure:
    """How many groups are right as a whole, beside what independent errors would give.

    Independence multiplies the accuracies of the types, over these very groups; its interval multiplies theirs.
    """
    whole = [(one.dialogue, all(one.right[kind] for kind in types)) for one in groups]
    parts = [share((one.dialogue, one.right[kind]) for one in groups) for kind in types]
    return Measure(
        name=name,
        label=label,
        estimate=share(whole),
        items=len(whole),
        dialogues=len({dialogue for dialogue, _ in whole}),
        count=sum(right for _, right in whole),
        reference=_product(parts) if whole else None,
        reference_label="independent errors",
        parts={kind: rounded(mean([one.right[kind] for one in groups])) for kind in types},
    )


def _product(shares: Sequence[Interval]) -> Interval:
    """The product of shares."""

    def product(ends: Iterable[float | None]) -> float | None:
        known = list(ends)
        return None if any(one is None for one in known) else rounded(math.prod(one or 0.0 for one in known))

    return Interval(
        value=product(one.value for one in shares),
        low=product(one.low for one in shares),
        high=product(one.high for one in shares),
    )
