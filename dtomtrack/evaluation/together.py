"""Answers to items that belong together: under one rotation, in one sample.

Whether a group is right as a whole can be said only where all of its items have an answer. One whose hardest item has
none (its call failed, the evaluation was stopped, it has fewer options and so fewer rotations) would look easier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from dtomtrack.evaluation.scored import Groups, ScoredAnswer

__all__ = ["Together", "in_dialogues", "in_joint_groups"]


class Together(NamedTuple):
    """Answers to items that belong together, and the groups of all these items, answered or not."""

    answers: list[ScoredAnswer]
    members: list[Groups]

    def is_whole(self, by: str, names: Collection[str] = ()) -> bool:
        """Whether every item has an answer.

        Args:
            by: a grouping of the items.
            names: its groups that count, each of which has to be there; all if none is given.
        """
        wanted = Counter(dict(groups).get(by, "") for groups in self.members)
        given = Counter(one.asked.group(by) or "" for one in self.answers)
        return all(0 < wanted[name] == given[name] for name in names or wanted)


def in_joint_groups(given: Iterable[ScoredAnswer], kind: str) -> Iterator[Together]:
    """The answers by joint group of a kind."""
    found: dict[tuple[int, int, int], list[ScoredAnswer]] = {}
    for one in given:
        number = next((number for own, number in one.asked.joint if own == kind), None)
        if number is not None:
            found.setdefault((number, one.rotation, one.repeat), []).append(one)
    return (Together(own, own[0].asked.members.joint[key[0]]) for key, own in found.items())


def in_dialogues(given: Iterable[ScoredAnswer]) -> Iterator[Together]:
    """The answers by dialogue."""
    found: dict[tuple[int, int, int], list[ScoredAnswer]] = {}
    for one in given:
        found.setdefault((one.asked.dialogue, one.rotation, one.repeat), []).append(one)
    return (Together(own, own[0].asked.members.dialogues[key[0]]) for key, own in found.items())
