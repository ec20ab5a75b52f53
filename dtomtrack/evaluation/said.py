"""Which options of an item its context says: by the words that tell an option from the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dtomtrack.items.item import Item
from dtomtrack.items.words import stems, stems_in_order

__all__ = ["HALF", "Lines", "distinctive_words", "mentions", "said_options", "words_of_lines"]

HALF = 0.5
"""A text says an option if it has this share of the words that tell the option from the others."""

_AT_HAND = 256
"""Sets of options in memory: items that ask for labels share theirs."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The words of the lines of a context: of each, and of all."""

    each: Sequence[frozenset[str]] = ()
    together: frozenset[str] = frozenset()


@lru_cache(maxsize=_AT_HAND)
def distinctive_words(options: tuple[str, ...]) -> Sequence[frozenset[str]]:
    """The words of each option that no other option has; all its words where it has none of its own."""
    words = [stems(option) for option in options]
    own = [
        one.difference(*(theirs for other, theirs in enumerate(words) if other != place))
        for place, one in enumerate(words)
    ]
    return [one or all_of for one, all_of in zip(own, words, strict=True)]


def words_of_lines(item: Item) -> Lines:
    """The words of each line of an item's context."""
    if item.context is None:
        return Lines()
    each = [stems(line.text) for line in item.context.lines]
    return Lines(each, frozenset().union(*each))


def said_options(item: Item, lines: Lines) -> frozenset[int]:
    """The positions of the options that a line of the context says."""
    return frozenset(
        position for position, words in enumerate(distinctive_words(item.options)) if words and _is_said(words, lines)
    )


def _is_said(words: frozenset[str], lines: Lines) -> bool:
    """Whether a line says an option of these words."""
    least = HALF * len(words)
    # most are not said at all, which is found out at once
    return len(words & lines.together) >= least and any(len(words & line) >= least for line in lines.each)


def mentions(options: Mapping[str, str], texts: Iterable[str]) -> Iterator[str]:
    """The letters of the options that the texts say, one for each time, in the order of the options' last words."""
    distinctive = dict(zip(options, distinctive_words(tuple(options.values())), strict=True))
    for text in texts:
        said = stems_in_order(text)
        places = {word: place for place, word in enumerate(said)}
        ends = {
            letter: max(places[word] for word in own & places.keys())
            for letter, own in distinctive.items()
            if own and len(own & places.keys()) >= HALF * len(own)
        }
        yield from sorted(ends, key=lambda letter: ends[letter])
