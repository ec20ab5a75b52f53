"""Telling words: those by which a value of a topic is known, and which talk about nothing had better leave alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from dtomtrack.beliefs.reading import distinctive_words
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.pack import PackTopic

__all__ = ["harmless", "is_harmless", "telling_words"]

_REMEMBERED = 4096


def telling_words(topics: Iterable[PackTopic]) -> frozenset[str]:
    """The words that tell one value of these topics from the others of its topic."""
    return frozenset[str]().union(*(_of_values(topic.clauses) for topic in topics))


@lru_cache(maxsize=_REMEMBERED)
def _of_values(clauses: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*distinctive_words(clauses).values())


def is_harmless(line: str, telling: frozenset[str]) -> bool:
    """Whether a line has none of these words."""
    return telling.isdisjoint(_words(line))


_words = lru_cache(maxsize=_REMEMBERED)(content_words)


def harmless(lines: Sequence[str], telling: frozenset[str], turned: int = 0) -> Sequence[str]:
    """The lines that have none of these words; all of them, if there is none.

    Args:
        turned: by which their order is turned round, so that other lines come one after another.
    """
    of_all = tuple(lines)
    return _harmless(of_all, telling & _words_of(of_all), turned % len(_STEPS))


_STEPS = (1, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)


@lru_cache(maxsize=_REMEMBERED)
def _words_of(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*map(_words, lines))


@lru_cache(maxsize=_REMEMBERED)
def _harmless(lines: tuple[str, ...], telling: frozenset[str], turned: int) -> tuple[str, ...]:
    fitting = tuple(line for line in lines if telling.isdisjoint(_words(line))) or lines
    count, step = len(fitting), _STEPS[turned]
    step = step if count % step else 1
    return tuple(fitting[at * step % count] for at in range(count))
