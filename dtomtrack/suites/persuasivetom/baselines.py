"""Baselines of PersuasiveToM beside the common ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from dtomtrack.evaluation.benchmark import Rule, RuleMaker
from dtomtrack.evaluation.rules import best, plain
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem

__all__ = ["RULES"]

_Key = tuple[str, str, str]
"""Type, round and text of a right option."""


class _ByRound:
    """The option that is right most often in items of the type and the round; counted in the other dialogues."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._all: Counter[_Key] = Counter()
        self._own: dict[str, Counter[_Key]] = {}
        for item in items:
            for position in item.gold:
                key = _key(item, item.options[position])
                self._all[key] += 1
                self._own.setdefault(item.cluster, Counter())[key] += 1

    def __call__(self, shown: PresentedItem) -> frozenset[int]:
        own = self._own[shown.item.cluster]
        keys = {letter: _key(shown.item, text) for letter, text in shown.shown.items()}
        return shown.meant(best(shown, {letter: float(self._all[key] - own[key]) for letter, key in keys.items()}))


def _key(item: Item, text: str) -> _Key:
    return item.groups.get("type", ""), item.groups.get("round", ""), text


def _by_round(items: Callable[[], Iterable[Item]]) -> Rule:
    return _ByRound(items())


def _no_then_yes(shown: PresentedItem) -> str:
    """No in the first round and Yes in all others; the first option where there is no such one."""
    wanted = "no" if shown.item.turn == 0 else "yes"
    texts = {letter: text.strip().lower() for letter, text in shown.shown.items()}
    return next((letter for letter, text in texts.items() if text == wanted), min(texts))


RULES: Mapping[str, RuleMaker] = {"by-round": _by_round, "no-then-yes": plain(_no_then_yes)}
"""The makers of the suite's own baselines, by name."""
