"""Rules that look at the outside of options and learn nothing: position, length, punctuation, words in common.

Where any set of options may be right, a rule chooses all the options that it would draw from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.items.letters import letter_of

__all__ = ["Solver", "surface_rules"]

Solver = Callable[[AuditItem], Choice]
"""The choice of a rule."""
Measure = Callable[[AuditItem, int], float]
"""A figure for an option of an item: the rule takes the option where it is largest."""


def surface_rules(items: Sequence[AuditItem]) -> Iterator[tuple[str, Solver]]:
    """The rules that can be tried on these items, by name."""
    sizes = {len(item.options) for item in items}
    for position in range(max(sizes, default=0)):
        yield f"always {letter_of(position)}", partial(_at, position)
    if len(sizes) > 1:
        yield "always the last option", lambda item: _at(len(item.options) - 1, item)
    if any(item.is_set for item in items):
        yield "always all options", lambda item: range(len(item.options)) if item.is_set else ()
    for name, measure in _MEASURES.items():
        yield name, partial(_largest, measure)


def _at(position: int, item: AuditItem) -> Choice:
    return (position,) if position < len(item.options) else ()


def _largest(measure: Measure, item: AuditItem) -> Choice:
    figures = [measure(item, position) for position in range(len(item.options))]
    best = max(figures)
    if min(figures) == best:
        return ()
    return [position for position, figure in enumerate(figures) if figure == best]


def _length(item: AuditItem, position: int) -> float:
    return len(item.options[position])


def _punctuation(item: AuditItem, position: int) -> float:
    return sum(not character.isalnum() and not character.isspace() for character in item.options[position])


def _stops(item: AuditItem, position: int) -> float:
    return item.options[position].rstrip().endswith((".", "。"))


def _capital(item: AuditItem, position: int) -> float:
    return item.options[position].lstrip("\"'\u201c\u2018( ")[:1].isupper()


def _like_question(item: AuditItem, position: int) -> float:
    return len(set(item.question_words).intersection(item.option_words[position]))


def _like_others(item: AuditItem, position: int) -> float:
    others = [word for other, words in enumerate(item.option_words) if other != position for word in words]
    own = item.option_words[position]
    return sum(word in own for word in others) / len(own) if own else 0.0


def _minus(measure: Measure) -> Measure:
    return lambda item, position: -measure(item, position)


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
