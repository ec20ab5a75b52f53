"""Figures on the prose of dialogues: lines said twice, variety, and sentences that come back in other dialogues."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from dataset_quality import TOKENS, words

from dtomtrack.beliefs.dialogue import Dialogue

__all__ = ["distinct", "recurring", "repeated", "sentences"]

_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_SHORTEST = 4
"""Sentences of fewer words ("Good.") are said by everybody."""


def sentences(text: str) -> list[str]:
    """The sentences of some length, in lower-case words."""
    found = (tuple(words(one)) for one in _SENTENCE.findall(text))
    return [" ".join(one) for one in found if len(one) >= _SHORTEST]


def repeated(dialogues: Iterable[Dialogue]) -> tuple[int, int, int]:
    """How many sentences were said before in their dialogue, how many there are, and in how many dialogues one was."""
    again = of = having = 0
    for dialogue in dialogues:
        said = [one for turn in dialogue.turns for one in sentences(turn.utterance)]
        here = len(said) - len(set(said))
        again, of, having = again + here, of + len(said), having + (here > 0)
    return again, of, having


def distinct(dialogues: Sequence[Dialogue], size: int) -> float:
    """The share of different n-grams among those of some tokens, of utterances drawn from all dialogues."""
    utterances = [turn.utterance for dialogue in dialogues for turn in dialogue.turns]
    Random(0).shuffle(utterances)
    tokens = [token for utterance in utterances for token in words(utterance)][:TOKENS]
    grams = list(zip(*(tokens[start:] for start in range(size)), strict=False))
    return len(set(grams)) / len(grams) if grams else 0.0


def recurring(dialogues: Iterable[Dialogue]) -> float:
    """The share of sentences that are said in another dialogue, too."""
    said: Counter[str] = Counter()
    in_dialogues: Counter[str] = Counter()
    for dialogue in dialogues:
        own = Counter(one for turn in dialogue.turns for one in sentences(turn.utterance))
        said.update(own)
        in_dialogues.update(own.keys())
    total = sum(said.values())
    return sum(count for one, count in said.items() if in_dialogues[one] > 1) / total if total else 0.0
