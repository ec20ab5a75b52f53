"""A baseline that knows what items are grouped by, and nothing else of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from dtomtrack.evaluation.benchmark import Rule, RuleMaker
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem

__all__ = ["most_frequent_by"]


def most_frequent_by(*names: str) -> RuleMaker:
    """The option that is right most often in items of the same groups, the first of several.

    It counts the golds of all items, that of the item asked about, too: the most that these groups can tell.
    """

    def make(items: Callable[[], Iterable[Item]]) -> Rule:
        golds = Counter((_key(item, names), item.options[position]) for item in items() for position in item.gold)

        def choose(shown: PresentedItem) -> frozenset[int]:
            item = shown.item
            counts = [golds[_key(item, names), option] for option in item.options]
            return frozenset((counts.index(max(counts)),))

        return choose

    return make


def _key(item: Item, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(item.groups.get(name, "") for name in names)
