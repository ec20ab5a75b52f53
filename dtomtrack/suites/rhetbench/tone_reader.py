"""Reading the tone of a reply from its words, as a persuader has to who can't see the mind behind it.

Naive Bayes over words and pairs of words (Manning, Raghavan, Schütze, "Introduction to Information Retrieval", 13.2),
learnt from the lines of other characters: what the reader knows of this one is nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, Tone
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.scenarios.persuasion_npc.pools import shared_lines

__all__ = ["ToneReader", "reader_without"]

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[?!]")
_PLACEHOLDER = re.compile(r"\{\w+\}|\u201c[^\u201d]*\u201d")
_SMOOTHING = 0.5


class ToneReader:
    """Reads by how often each word and pair of words stood in lines of each tone."""

    def __init__(self, counts: Mapping[Tone, Counter[str]]) -> None:
        self._counts = counts
        self._known = frozenset(feature for counter in counts.values() for feature in counter)
        smoothing = _SMOOTHING * len(self._known)
        self._totals = {tone: math.log(counter.total() + smoothing) for tone, counter in counts.items()}

    def read(self, reply: str) -> Tone:
        """The likeliest tone; neutral where the words say nothing."""
        features = [one for one in _features(reply) if one in self._known]
        scores = {tone: self._score(tone, features) for tone in Tone}
        best = max(scores.values())
        return Tone.NEUTRAL if scores[Tone.NEUTRAL] == best else max(scores, key=lambda tone: scores[tone])

    def _score(self, tone: Tone, features: Sequence[str]) -> float:
        counts = self._counts[tone]
        seen = math.fsum(math.log(counts.get(one, 0) + _SMOOTHING) for one in features)
        return seen - len(features) * self._totals[tone]


@cache
def reader_without(pack_id: str) -> ToneReader:
    """A reader who has met all built-in characters but this one."""
    counts = {tone: Counter(counter) for tone, counter in _shared_counts().items()}
    for other, theirs in _own_counts().items():
        if other != pack_id:
            for tone in Tone:
                counts[tone].update(theirs[tone])
    return ToneReader(counts)


@cache
def _shared_counts() -> Mapping[Tone, Counter[str]]:
    shared = shared_lines()
    pools = [shared.openers, shared.openers, shared.generic, *(shared.replies[heard] for heard in APPEALS)]
    return {tone: _count(line for pool in pools for line in pool.of(tone)) for tone in Tone}


@cache
def _own_counts() -> Mapping[str, Mapping[Tone, Counter[str]]]:
    return {
        pack.id: {tone: _count(line for pool in pack.replies.values() for line in pool.of(tone)) for tone in Tone}
        for pack in builtin_packs(controls=True)
    }


def _count(lines: Iterable[str]) -> Counter[str]:
    return Counter(feature for line in lines for feature in _features(line))


def _features(line: str) -> Iterator[str]:
    words = _WORD.findall(_PLACEHOLDER.sub(" ", line.replace("\u2019", "'")).lower())
    yield from words
    for first, second in pairwise(words):
        yield f"{first} {second}"
