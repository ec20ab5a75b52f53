"""Baselines for any items: rules that answer without a model, and always answer.

random, first-letter, longest and frequent-gold never see the context: what they reach is what an item gives away by
itself. first-mention, most-mentioned and overlap read the words of the context. None of them looks at what is right,
but that frequent-gold counts it in the items of other clusters. Where any set of options may be right, random draws a
set, frequent-gold takes the set that is right most often, and the others choose one option.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping

from dtomtrack.evaluation.benchmark import Rule, RuleMaker
from dtomtrack.evaluation.said import HALF, distinctive_words, mentions
from dtomtrack.items.item import Item
from dtomtrack.items.presented import PresentedItem
from dtomtrack.items.words import stems

__all__ = [
    "COMMON_RULES",
    "PREFIX",
    "Scores",
    "best",
    "drawn",
    "first_expressed",
    "most_overlap",
    "plain",
    "reads_records",
    "turns_named",
]

PREFIX = "baseline/"
"""The beginning of the names of baselines, where models and baselines are named alike."""
_READ_RECORDS = frozenset({"oracle", "actual"})
"""What suites call their rules that are told what was written down while the data was made."""
_FOLDS = 10
_TURN = re.compile(r"\bturn (\d+)\b", re.IGNORECASE)

Scores = Mapping[str, float]
"""A figure for each option, by its letter as shown."""


def reads_records(subject: str) -> bool:
    """Whether a subject is a baseline that reads the records: it shows what can be reached, and is nobody's rival."""
    return subject.startswith(PREFIX) and subject.removeprefix(PREFIX) in _READ_RECORDS


def plain(choose: Callable[[PresentedItem], str]) -> RuleMaker:
    """A rule that learns nothing and chooses one option, by its letter as shown."""
    return lambda items: lambda shown: shown.meant(choose(shown))


def drawn(shown: PresentedItem, among: Collection[str]) -> str:
    """One of these letters, drawn by the item's own id and by how its options stand."""
    letters = sorted(among)
    return letters[_number(shown) % len(letters)]


def best(shown: PresentedItem, scores: Scores) -> str:
    """The letter with the highest score; among several, one is drawn."""
    most = max(scores.values())
    return drawn(shown, [letter for letter, score in scores.items() if score == most])


def _number(shown: PresentedItem) -> int:
    told = f"{shown.item.id}/{shown.rotation}".encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8], "big")


# -- rules that never see the context --------------------------------------------------------------------------------


def _random(items: Callable[[], Iterable[Item]]) -> Rule:
    return _drawn_options


def _drawn_options(shown: PresentedItem) -> frozenset[int]:
    size = len(shown.item.options)
    if shown.item.select == "one":
        return shown.meant(drawn(shown, shown.shown))
    mask = 1 + _number(shown) % (2**size - 1)
    return frozenset(position for position in range(size) if mask >> position & 1)


def _first_letter(shown: PresentedItem) -> str:
    return "A"


def _longest(shown: PresentedItem) -> str:
    return best(shown, {letter: float(len(text)) for letter, text in shown.shown.items()})


_Gold = tuple[str, frozenset[str]]
"""The type of an item, and the texts of its right options."""


class _FrequentGold:
    """The option, or set of them, that is right most often in items of its type; counted in the other folds."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._all: Counter[_Gold] = Counter()
        self._folds: list[Counter[_Gold]] = [Counter() for _ in range(_FOLDS)]
        self._with: dict[str, set[_Gold]] = {}
        for item in items:
            gold = item.groups.get("type", ""), frozenset(item.options[position] for position in item.gold)
            self._all[gold] += 1
            self._folds[_fold(item)][gold] += 1
            for text in gold[1]:
                self._with.setdefault(text, set()).add(gold)

    def __call__(self, shown: PresentedItem) -> frozenset[int]:
        if shown.item.select == "one":
            texts = {letter: frozenset((text,)) for letter, text in shown.shown.items()}
            scores = {letter: float(self._count(shown.item, text)) for letter, text in texts.items()}
            return shown.meant(best(shown, scores))
        return self._best_set(shown)

    def _count(self, item: Item, texts: frozenset[str]) -> int:
        key = item.groups.get("type", ""), texts
        return self._all[key] - self._folds[_fold(item)][key]

    def _best_set(self, shown: PresentedItem) -> frozenset[int]:
        item = shown.item
        offered, kind = set(item.options), item.groups.get("type", "")
        known = {
            texts for text in offered for own, texts in self._with.get(text, ()) if own == kind and texts <= offered
        }
        ranked = max(known, key=lambda texts: (self._count(item, texts), sorted(texts)), default=frozenset[str]())
        if not self._count(item, ranked):
            return _drawn_options(shown)
        return frozenset(position for position, text in enumerate(item.options) if text in ranked)


def _fold(item: Item) -> int:
    return hashlib.sha256(item.cluster.encode()).digest()[0] % _FOLDS


# -- rules that read the words of the context ------------------------------------------------------------------------


def _first_mention(shown: PresentedItem) -> str:
    """The option that anybody mentions first; of turns, the first."""
    turns = turns_named(shown)
    if turns:
        return best(shown, {letter: -turn for letter, turn in turns.items()})
    said = _said(shown)
    return first_expressed(shown, said) or most_overlap(shown, said)


def _most_mentioned(shown: PresentedItem) -> str:
    """The option that is said in the most lines; turns are guessed."""
    if turns_named(shown):
        return drawn(shown, shown.shown)
    said = _said(shown)
    counts = Counter(mentions(shown.shown, said))
    return best(shown, counts) if counts else most_overlap(shown, said)


def _overlap(shown: PresentedItem) -> str:
    """The option most of whose words occur in the context."""
    return most_overlap(shown, _said(shown))


def _said(shown: PresentedItem) -> list[str]:
    context = shown.item.context
    return [] if context is None else [line.text for line in context.lines]


def turns_named(shown: PresentedItem) -> dict[str, float]:
    """The turn that each option names, where two or more do."""
    found = {letter: _TURN.search(text) for letter, text in shown.shown.items()}
    turns = {letter: float(match[1]) for letter, match in found.items() if match is not None}
    return turns if len(turns) > 1 else {}


def first_expressed(shown: PresentedItem, texts: Iterable[str]) -> str | None:
    """The option that the first text to express one expresses: most of the words that tell it from the others."""
    distinctive = dict(zip(shown.shown, distinctive_words(tuple(shown.shown.values())), strict=True))
    for text in texts:
        said = stems(text)
        shares = {letter: len(own & said) / len(own) for letter, own in distinctive.items() if own}
        if max(shares.values(), default=0.0) >= HALF:
            return best(shown, shares)
    return None


def most_overlap(shown: PresentedItem, texts: Iterable[str]) -> str:
    """The option most of whose words occur in these texts."""
    said = frozenset[str]().union(*map(stems, texts))
    words = {letter: stems(text) for letter, text in shown.shown.items()}
    return best(shown, {letter: len(own & said) / max(1, len(own)) for letter, own in words.items()})


COMMON_RULES: Mapping[str, RuleMaker] = {
    "random": _random,
    "first-letter": plain(_first_letter),
    "longest": plain(_longest),
    "frequent-gold": lambda items: _FrequentGold(items()),
    "first-mention": plain(_first_mention),
    "most-mentioned": plain(_most_mentioned),
    "overlap": plain(_overlap),
}
"""The makers of the common baselines, by name."""
