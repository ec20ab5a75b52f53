"""Rules that look at the outside of options and learn nothing: place, length, punctuation, words in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dtomtrack.audit.folds import Solver
from dtomtrack.audit.items import Item, letter, words_of

__all__ = ["overlap_with_context", "surface_rules"]

Measure = Callable[[Item, int], float]
"""A figure for an option of an item: the rule takes the option where it is largest."""


def surface_rules(items: Sequence[Item]) -> Iterator[tuple[str, Solver]]:
    """The rules that can be tried on these items, by name."""
    sizes = {len(item.options) for item in items}
    for place in range(max(sizes, default=0)):
        yield f"always {letter(place)}", partial(_at, place)
    if len(sizes) > 1:
        yield "always the last option", lambda item: _at(len(item.options) - 1, item)
    for name, measure in _MEASURES.items():
        yield name, partial(_largest, measure)


def overlap_with_context(item: Item) -> float:
    """Takes the option of which the largest share of words occurs in the context; this reads, but only words."""
    said = frozenset(words_of(item.context or ""))

    def share(_: Item, place: int) -> float:
        own = item.option_words[place]
        return sum(word in said for word in own) / len(own) if own else 0.0

    return _largest(share, item)


def _at(place: int, item: Item) -> float:
    return item.credit([place] if place < len(item.options) else [])


def _largest(measure: Measure, item: Item) -> float:
    figures = [measure(item, place) for place in range(len(item.options))]
    best = max(figures)
    return item.credit(place for place, figure in enumerate(figures) if figure == best)


def _length(item: Item, place: int) -> float:
    return len(item.options[place])


def _punctuation(item: Item, place: int) -> float:
    return sum(not character.isalnum() and not character.isspace() for character in item.options[place])


def _stops(item: Item, place: int) -> float:
    return item.options[place].rstrip().endswith((".", "。"))


def _capital(item: Item, place: int) -> float:
    return item.options[place].lstrip("\"'\u201c\u2018( ")[:1].isupper()


def _like_question(item: Item, place: int) -> float:
    return len(set(item.question_words).intersection(item.option_words[place]))


def _like_others(item: Item, place: int) -> float:
    others = [word for other, words in enumerate(item.option_words) if other != place for word in words]
    own = item.option_words[place]
    return sum(word in own for word in others) / len(own) if own else 0.0


def _minus(measure: Measure) -> Measure:
    return lambda item, place: -measure(item, place)


_MEASURES: dict[str, Measure] = {
    "longest option": _length,
    "shortest option": _minus(_length),
    "most punctuation": _punctuation,
    "least punctuation": _minus(_punctuation),
    "ends with a full stop": _stops,
    "ends without a full stop": _minus(_stops),
    "begins with a capital": _capital,
    "begins without a capital": _minus(_capital),
    "most words of the question": _like_question,
    "fewest words of the question": _minus(_like_question),
    "most words of the other options": _like_others,
    "fewest words of the other options": _minus(_like_others),
}
