"""The best of several rules for each type of item, chosen where it is not scored."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from dtomtrack.evaluation.benchmark import Rule, RuleMaker
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem

__all__ = ["BestRule", "best_of"]

_HALVES = 2


class BestRule:
    """Answers as the rule does that is right most often on items of the same type in the other half of the clusters.

    So every item has an answer, and none helps to choose the rule that answers it. Halves go by the clusters' names.

    Args:
        rules: by name; among equals the first is taken.
        items: of the whole dataset, each read once.
    """

    def __init__(self, rules: Mapping[str, Rule], items: Iterable[Item]) -> None:
        self._rules = rules
        self._right: dict[tuple[str, int], Counter[str]] = {}
        for item in items:
            counts = self._right.setdefault((_type(item), _half(item)), Counter())
            shown = PresentedItem(item)
            counts.update(name for name, rule in rules.items() if rule(shown) == item.gold)

    def __call__(self, shown: PresentedItem) -> frozenset[int]:
        return self._rules[self.chosen(_type(shown.item), _half(shown.item))](shown)

    def chosen(self, kind: str, half: int) -> str:
        """The name of the rule that answers items of a type in one half (0 or 1)."""
        counts = self._right.get((kind, 1 - half), Counter[str]())
        return max(self._rules, key=lambda name: counts[name])


def best_of(rules: Mapping[str, RuleMaker]) -> RuleMaker:
    """A rule that is, for each type, the best of these."""

    def make(items: Callable[[], Iterable[Item]]) -> Rule:
        return BestRule({name: maker(items) for name, maker in rules.items()}, items())

    return make


def _type(item: Item) -> str:
    return item.groups.get("type", "")


def _half(item: Item) -> int:
    return hashlib.sha256(item.cluster.encode()).digest()[0] % _HALVES
