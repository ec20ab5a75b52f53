"""An item as the rules of an audit look at it: its words and turns, found once, and what a choice is worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

from dtomtrack.audit.words import words_of
from dtomtrack.items.item import Item
from dtomtrack.items.texts import as_written, normalized, turn_in

__all__ = ["AuditItem", "Choice", "expected_overlap"]

Choice = Sequence[int]
"""Positions of options: where one is to be selected, those among which one is drawn; else the set that is chosen.
An empty one leaves it to guessing."""


@dataclass(frozen=True)
class AuditItem:
    """A question with its options, without what it is about.

    Attributes:
        gold: positions of the right options.
        group: what it is reported with, if anything.
        turn: the turn that is known without the context.
        option_words: the distinct words of each option, in order.
        overlapping: the options of which the largest share of words occurs in the context; None where there is none.
    """

    id: str
    question: str
    options: tuple[str, ...]
    option_words: tuple[tuple[str, ...], ...]
    gold: frozenset[int]
    is_set: bool
    group: str | None
    cluster: str
    turn: int | None
    chance: float
    overlapping: Choice | None

    @staticmethod
    def of(item: Item, group: str | None, context: str | None) -> AuditItem:
        """An item of a benchmark; its context is read here, and forgotten."""
        words = tuple(map(words_of, item.options))
        return AuditItem(
            id=item.id,
            question=item.question,
            options=item.options,
            option_words=words,
            gold=item.gold,
            is_set=item.select == "any",
            group=group,
            cluster=item.cluster,
            turn=_turn_asked(item),
            chance=item.chance,
            overlapping=None if context is None else _overlapping(words, context),
        )

    @cached_property
    def question_words(self) -> tuple[str, ...]:
        """The distinct words of the question, in order."""
        return words_of(self.question)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The options without what doesn't tell them apart."""
        texts = tuple(map(normalized, self.options))
        return texts if len(set(texts)) == len(texts) else tuple(map(as_written, self.options))

    @cached_property
    def option_turns(self) -> tuple[int | None, ...]:
        """The turn that each option names."""
        return tuple(map(turn_in, self.options))

    @cached_property
    def worth_of_words(self) -> Mapping[str, tuple[float, float] | None]:
        """The words of the options; of each what the options with it score, and what those without, beyond guessing.

        None of a word that all options have: it chooses none.
        """
        holders: dict[str, list[int]] = defaultdict(list)
        for position, words in enumerate(self.option_words):
            for word in words:
                holders[word].append(position)
        return {word: self._worth(own) for word, own in holders.items()}

    def _worth(self, chosen: Sequence[int]) -> tuple[float, float] | None:
        """As `score` less chance, of these options and of all others."""
        others = len(self.options) - len(chosen)
        hits = sum(position in self.gold for position in chosen)
        return _worth(len(self.gold), len(chosen), hits, others, self.chance, self.is_set) if others else None

    def score(self, choice: Choice) -> float:
        """How likely a choice is right; of a set, only the very set is."""
        if not choice:
            return self.chance
        if self.is_set:
            return float(self.gold == frozenset(choice))
        return len(self.gold.intersection(choice)) / len(choice)

    def overlap(self, choice: Choice) -> float:
        """The Jaccard index of a chosen set and the right one."""
        if not choice:
            return expected_overlap(len(self.options), len(self.gold))
        return len(self.gold.intersection(choice)) / len(self.gold.union(choice))


def _turn_asked(item: Item) -> int | None:
    """The turn that the question names, or the item's own; where options name turns, its own may be the answer."""
    named = turn_in(item.question)
    return named if named is not None or any(turn_in(option) is not None for option in item.options) else item.turn


@lru_cache(maxsize=1024)
def _worth(right: int, chosen: int, hits: int, others: int, chance: float, is_set: bool) -> tuple[float, float]:
    if is_set:
        return float(hits == right == chosen) - chance, float(hits == 0 and right == others) - chance
    return hits / chosen - chance, (right - hits) / others - chance


@lru_cache(maxsize=1024)
def expected_overlap(options: int, right: int) -> float:
    """The mean Jaccard index of the right options and any set of at least one option, each set as likely as another."""
    wrong = options - right
    total = sum(
        comb(right, hits) * comb(wrong, misses) * hits / (right + misses)
        for hits in range(right + 1)
        for misses in range(wrong + 1)
    )
    return float(total / (2**options - 1))


def _overlapping(words: Sequence[Sequence[str]], context: str) -> Choice:
    said = _said(context)
    shares = [sum(word in said for word in own) / len(own) if own else 0.0 for own in words]
    best = max(shares)
    return () if min(shares) == best else tuple(position for position, share in enumerate(shares) if share == best)


@lru_cache(maxsize=16)
def _said(context: str) -> frozenset[str]:
    return frozenset(words_of(context))
