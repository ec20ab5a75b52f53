"""Reading the tone of a reply from its words, as a persuader has to who can't see the mind behind it.

Naive Bayes over words and pairs of words (Manning, Raghavan, Schütze, "Introduction to Information Retrieval", 13.2),
learnt from the lines of other characters: what the reader knows of this one is nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache

from dtomtrack.scenarios.persuasion_npc.arguments import APPEALS, Tone
from dtomtrack.scenarios.persuasion_npc.pack import PersuasionPack
from dtomtrack.scenarios.persuasion_npc.pack_files import builtin_packs
from dtomtrack.scenarios.persuasion_npc.pools import shared_lines

__all__ = ["ToneReader", "reader_without"]

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[?!]")
_PLACEHOLDER = re.compile(r"\{\w+\}|\u201c[^\u201d]*\u201d")
_SMOOTHING = 0.5


class ToneReader:
    """Learns from lines of known tone."""

    def __init__(self, lines: Mapping[Tone, list[str]]) -> None:
        counts = {tone: Counter(feature for line in of for feature in _features(line)) for tone, of in lines.items()}
        vocabulary = {feature for counter in counts.values() for feature in counter}
        self._weights = {
            tone: {
                feature: math.log((counter[feature] + _SMOOTHING) / (counter.total() + _SMOOTHING * len(vocabulary)))
                for feature in vocabulary
            }
            for tone, counter in counts.items()
        }

    def read(self, reply: str) -> Tone:
        """The likeliest tone; neutral where the words say nothing."""
        features = [*_features(reply)]
        scores = {tone: sum(of.get(one, 0.0) for one in features) for tone, of in self._weights.items()}
        best = max(scores.values())
        return Tone.NEUTRAL if scores[Tone.NEUTRAL] == best else max(scores, key=lambda tone: scores[tone])


@cache
def reader_without(pack_id: str) -> ToneReader:
    """A reader who has met all built-in characters but this one."""
    lines: dict[Tone, list[str]] = {tone: [*shared_lines().openers.of(tone)] * 2 for tone in Tone}
    for heard in APPEALS:
        for tone in Tone:
            lines[tone] += shared_lines().replies[heard].of(tone)
    for tone in Tone:
        lines[tone] += shared_lines().generic.of(tone)
    for pack in builtin_packs(controls=True):
        if pack.id != pack_id:
            for tone, line in _own_lines(pack):
                lines[tone].append(line)
    return ToneReader(lines)


def _own_lines(pack: PersuasionPack) -> Iterator[tuple[Tone, str]]:
    for lines in pack.replies.values():
        for tone in Tone:
            for line in lines.of(tone):
                yield tone, line


def _features(line: str) -> Iterator[str]:
    words = _WORD.findall(_PLACEHOLDER.sub(" ", line.replace("\u2019", "'")).lower())
    yield from words
    for first, second in zip(words, words[1:], strict=False):
        yield f"{first} {second}"
