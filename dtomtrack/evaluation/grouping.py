"""Answers put together by what their items are grouped by, and the accuracy of each group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from dtomtrack.evaluation.records import Group
from dtomtrack.evaluation.scored import Groups, ScoredAnswer
from dtomtrack.evaluation.statistics import rounded, share

__all__ = ["group_of", "groups_of", "in_order", "rights", "split"]

_NUMBER = re.compile(r"\d+")


def split(answers: Iterable[ScoredAnswer], by: str) -> dict[str, list[ScoredAnswer]]:
    """The answers by the group of their items, those whose items have none left out."""
    groups: dict[str, list[ScoredAnswer]] = {}
    # many items have the very same groups, which are looked through once
    own: dict[Groups, str | None] = {}
    for one in answers:
        asked = one.asked
        if asked.groups not in own:
            own[asked.groups] = asked.group(by)
        name = own[asked.groups]
        if name is not None:
            groups.setdefault(name, []).append(one)
    return groups


def in_order(names: Collection[str], order: Sequence[str]) -> list[str]:
    """Names of groups: those with a known order first, others by the numbers in them."""
    others = sorted(set(names) - set(order), key=lambda name: (_numbers(name), name))
    return [name for name in (*order, *others) if name in names]


def _numbers(name: str) -> list[int]:
    return [int(one) for one in _NUMBER.findall(name)]


def groups_of(by: str, answers: Iterable[ScoredAnswer], order: Sequence[str]) -> tuple[Group, ...]:
    """The groups that have answers, in order."""
    groups = split(answers, by)
    return tuple(group_of(name, groups[name]) for name in in_order(groups, order))


def group_of(name: str, answers: Sequence[ScoredAnswer]) -> Group:
    """The accuracy over a group of answers; those that failed are counted apart."""
    given = [one for one in answers if one.outcome != "error"]
    outcomes = Counter(one.outcome for one in given)
    count = len(given)
    return Group(
        name=name,
        items=count,
        dialogues=len({one.asked.dialogue for one in given}),
        correct=outcomes["correct"],
        accuracy=share(rights(given)),
        unparsed=round(outcomes["unparsed"] / count, 6) if count else 0.0,
        errors=len(answers) - count,
        chance=rounded(sum(one.asked.chance for one in given) / count) or 0.0 if count else 0.0,
        best_constant=_best_constant(given),
    )


def rights(answers: Iterable[ScoredAnswer]) -> Iterator[tuple[int, bool]]:
    """Of each answer the number of its dialogue, and whether it is right."""
    return ((one.asked.dialogue, one.right) for one in answers)


def _best_constant(given: Sequence[ScoredAnswer]) -> float | None:
    """The share of the gold set, as positions, that is the most frequent."""
    golds = Counter(one.asked.gold for one in given)
    return rounded(golds.most_common(1)[0][1] / len(given)) if given else None
