"""What is denied in a message: by a word before it in its clause, or by saying that one won't say it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

__all__ = ["OTHERS", "TOKEN", "denial_data", "denials"]

TOKEN = re.compile(r"[a-z0-9]+(?:['-][a-z0-9]+)*|%")
"""A word of normalised text."""
OTHERS = frozenset({"you", "your", "yours", "yourself", "you'd", "you've", "you're"})
"""Words for who is spoken to."""
_OWN = frozenset({"i", "i'm", "i've", "we", "we're", "we've"})
"""Words for who speaks."""
_WINDOW = 4
"""The number of words that a denial reaches whatever they are; others it reaches in its clause up to a conjunction."""
_LONGEST_NEGATION, _LONGEST_DISCLAIMER = 2, 6
"""In words."""
_CLAUSE = re.compile(r"[:,()\u2013\u2014]|(?=\b(?:but|however|and yet)\b)")
"""What no denial reaches over."""
_JOINING = frozenset({"and", "because", "since", "so", "while", "when", "though", "although"})
"""Words that a denial from farther away does not reach over."""


@dataclass(frozen=True)
class _Lists:
    """The lists of ``denials.yaml``; ``beginning`` are the words that negations and disclaimers begin with."""

    negations: frozenset[str]
    not_negations: frozenset[str]
    disclaimers: frozenset[str]
    gives_way: Mapping[str, frozenset[str]]
    faults: frozenset[str]
    beginning: frozenset[str]


@cache
def _lists() -> _Lists:
    text = (resources.files("dtomtrack.suites.rhetbench") / "denials.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    return _Lists(
        frozenset(data["negations"]),
        frozenset(data["not_negations"]),
        frozenset(data["disclaimers"]),
        {who: frozenset(words) for who, words in data["gives_way"].items()},
        frozenset(data["faults"]),
        frozenset(one.split()[0] for kind in ("negations", "disclaimers") for one in data[kind]),
    )


def denial_data() -> Mapping[str, object]:
    """The lists for a classifier elsewhere."""
    listed = _lists()
    return {
        "own": sorted(_OWN),
        "negations": sorted(listed.negations),
        "not_negations": sorted(listed.not_negations),
        "disclaimers": sorted(listed.disclaimers),
        "gives_way": {who: sorted(words) for who, words in listed.gives_way.items()},
        "faults": sorted(listed.faults),
        "joining": sorted(_JOINING),
    }


def denials(sentence: str, tokens: Sequence[str]) -> frozenset[int]:
    """The places of the words that are denied: by one of the words before them in the same clause.

    And of disclaimers that admit nothing ("I won't pretend you are right").
    """
    listed = _lists()
    if listed.beginning.isdisjoint(tokens):
        return frozenset()
    denied, first = set[int](), 0
    for clause in _CLAUSE.split(sentence):
        end = min(first + len(TOKEN.findall(clause)), len(tokens))
        denied.update(_negated(tokens, first, end, listed))
        denied.update(_disclaimed(tokens, first, end, listed))
        first = end
    return frozenset(denied)


def _negated(tokens: Sequence[str], start: int, end: int, listed: _Lists) -> Iterator[int]:
    """The places of words of a clause that stand behind a negation."""
    place = start
    while place < end:
        size = _words_at(tokens[place:end], listed.negations) if tokens[place] in listed.beginning else 0
        idle = _words_at(tokens[place + size : end], listed.not_negations) if size else 0
        if size and not idle:
            yield from _reach(tokens, place + size, end)
        place += max(1, size + idle)


def _disclaimed(tokens: Sequence[str], start: int, end: int, listed: _Lists) -> Iterator[int]:
    """The places of words of a clause that stand behind a disclaimer, and where one begins that admits nothing."""
    for place in range(start, end):
        size = (
            _words_at(tokens[place:end], listed.disclaimers, _LONGEST_DISCLAIMER)
            if tokens[place] in listed.beginning
            else 0
        )
        if size:
            reach = _reach(tokens, place + size, end)
            yield from reach
            if _gives_way(tokens, reach, listed):
                yield place


def _reach(tokens: Sequence[str], start: int, end: int) -> range:
    """The words that a denial before them reaches: those near it, and the others up to a conjunction."""
    joined = next((place for place in range(start, end) if tokens[place] in _JOINING), end)
    return range(start, min(end, max(joined, start + _WINDOW)))


def _gives_way(tokens: Sequence[str], reach: range, listed: _Lists) -> bool:
    """Whether what is disclaimed is that the other is right, or oneself wrong; "you don't have a point" is neither."""
    if any(_words_at(tokens[place : reach.stop], listed.negations) for place in reach):
        return False
    blames = not listed.faults.isdisjoint(tokens[reach.start : reach.stop])
    for place in reach:
        before = reversed(tokens[max(reach.start, place - _WINDOW) : place])
        person = next((one for one in before if one in OTHERS or one in _OWN), "")
        if person in OTHERS and not blames and tokens[place] in listed.gives_way["other"]:
            return True
        if person in _OWN and tokens[place] in listed.gives_way["own"]:
            return True
    return False


def _words_at(tokens: Sequence[str], listed: frozenset[str], most: int = _LONGEST_NEGATION) -> int:
    """How many words, of so many at most, one of the list has that stands first, the longest; 0 if none does."""
    sizes = range(min(most, len(tokens)), 0, -1)
    return next((size for size in sizes if " ".join(tokens[:size]) in listed), 0)
