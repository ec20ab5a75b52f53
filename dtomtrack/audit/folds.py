"""Cross-validation: what is learnt on some clusters is tried on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.audit.surface import Solver

__all__ = ["Learner", "cross_validated", "folds", "sampled"]

FOLDS = 5

Learner = Callable[[Sequence[AuditItem]], Solver]


def folds(items: Sequence[AuditItem], seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Positions of items to learn from and to try on, five times; the items of one cluster stay together.

    Items of a single cluster are dealt out one by one.
    """
    clusters = list(dict.fromkeys(item.cluster for item in items))
    single = len(clusters) == 1
    dealt = [str(place) for place in range(len(items))] if single else clusters
    Random(seed).shuffle(dealt)  # noqa: S311
    fold_of = {name: place % FOLDS for place, name in enumerate(dealt)}
    own = [fold_of[str(place) if single else item.cluster] for place, item in enumerate(items)]
    for fold in range(min(FOLDS, len(dealt))):
        yield (
            [place for place, its in enumerate(own) if its != fold],
            [place for place, its in enumerate(own) if its == fold],
        )


def cross_validated(items: Sequence[AuditItem], learn: Learner, seed: int) -> list[Choice]:
    """The choices of a learnt rule, each learnt without the item's cluster."""
    choices: list[Choice] = [()] * len(items)
    for train, test in folds(items, seed):
        if train:
            solve = learn([items[place] for place in train])
            for place in test:
                choices[place] = solve(items[place])
    return choices


def sampled(items: Sequence[AuditItem], most: int, seed: int) -> Sequence[AuditItem]:
    """At most so many items, whole clusters as far as they fit, in their order."""
    if len(items) <= most:
        return items
    sizes: dict[str, int] = {}
    for item in items:
        sizes[item.cluster] = sizes.get(item.cluster, 0) + 1
    drawn = list(sizes)
    Random(seed).shuffle(drawn)  # noqa: S311
    kept: set[str] = set()
    room = most
    for cluster in drawn:
        if sizes[cluster] <= room:
            kept.add(cluster)
            room -= sizes[cluster]
    return [item for item in items if item.cluster in kept] or items[:most]
