"""What texts of a dossier have in common with other texts: telling stems, and runs of six words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from dtomtrack.items.words import stems, words_in_order

__all__ = ["RUN", "copied_share", "runs_of", "telling_stems", "words_of"]

RUN = 6
"""Words in a row that count as copied."""
_MOST_TEXTS = 2


def telling_stems(texts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The stems of each text that at most one other of them has, too."""
    return dict(_telling(tuple(texts.items())))


@lru_cache(maxsize=512)
def _telling(texts: tuple[tuple[str, str], ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    counts = Counter(stem for _, text in texts for stem in stems(text))
    return tuple((name, frozenset(stem for stem in stems(text) if counts[stem] <= _MOST_TEXTS)) for name, text in texts)


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, in order."""
    return words_in_order(text)


@lru_cache(maxsize=4096)
def runs_of(text: str) -> frozenset[tuple[str, ...]]:
    """All runs of six words of a text."""
    words = words_of(text)
    return frozenset(tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def copied_share(text: str, sources: Sequence[str]) -> float:
    """The share of a text's words that stand in a run of six words from one of the sources; 0 of an empty text."""
    words = words_of(text)
    known = frozenset[tuple[str, ...]]().union(*map(runs_of, sources))
    copied = set[int]()
    for start in range(len(words) - RUN + 1):
        if tuple(words[start : start + RUN]) in known:
            copied.update(range(start, start + RUN))
    return len(copied) / len(words) if words else 0.0
