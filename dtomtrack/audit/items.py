"""An item of a benchmark as the audit sees it: a question, its options, which of them is gold."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

__all__ = ["MOST_OPTIONS", "Item", "letter", "normalized", "printable", "turn_in", "words_of"]

MOST_OPTIONS = 26
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_TURN = re.compile(
    r"\b(?:turns?|rounds?|utterances?|lines?|messages?|steps?|sessions?)\s*#?\s*(\d{1,6})\b", re.IGNORECASE
)
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_LONGEST_SHOWN = 60


@dataclass(frozen=True)
class Item:
    """A question with its options.

    Attributes:
        id: how the item is named in examples.
        gold: place of the right option.
        cluster: what items that are not independent share: their dialogue.
        turn: the turn the question is about, where that is known.
    """

    id: str
    question: str
    options: tuple[str, ...]
    gold: int
    group: str | None
    cluster: str
    turn: int | None
    context: str | None

    @cached_property
    def chance(self) -> float:
        """What a guess is worth."""
        return 1 / len(self.options)

    @cached_property
    def question_words(self) -> tuple[str, ...]:
        """The distinct words of the question, in order."""
        return words_of(self.question)

    @cached_property
    def option_words(self) -> tuple[tuple[str, ...], ...]:
        """The distinct words of each option, in order."""
        return tuple(map(words_of, self.options))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The options without what doesn't tell them apart."""
        return tuple(map(normalized, self.options))

    @cached_property
    def option_turns(self) -> tuple[int | None, ...]:
        """The turn that each option names."""
        return tuple(map(turn_in, self.options))

    def credit(self, places: Iterable[int]) -> float:
        """What choosing one of these options at random is worth; a guess where there are none."""
        among = list(places)
        return (self.gold in among) / len(among) if among else self.chance


def words_of(text: str) -> tuple[str, ...]:
    """The distinct words of a text in small letters, in order."""
    return tuple(dict.fromkeys(sys.intern(word) for word in _WORD.findall(text.lower())))


def normalized(text: str) -> str:
    """A text without what makes no other option of it: case, spaces, a final full stop."""
    return sys.intern(" ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(". "))


def turn_in(text: str) -> int | None:
    """The number of the first turn (round, utterance, message ...) that a text names."""
    found = _TURN.search(text)
    return int(found[1]) if found else None


def letter(place: int) -> str:
    """The letter of an option."""
    return chr(ord("A") + place)


def printable(text: str) -> str:
    """A text of somebody else's on one line, fit for a terminal: without control characters, cut if it is long."""
    shown = "".join(
        " " if character.isspace() else "" if unicodedata.category(character) in _UNPRINTABLE else character
        for character in text[: 20 * _LONGEST_SHOWN]
    )
    shown = " ".join(shown.split())
    return shown if len(shown) <= _LONGEST_SHOWN else shown[: _LONGEST_SHOWN - 1] + "…"
