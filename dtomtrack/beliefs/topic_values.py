"""The values of a topic, and the words that tell them apart.

A word that tells a value is in no other value of the topic, so the words of a text lead straight to the values that it
may express: texts that have none of them cost one comparison of sets, however many values there are.
"""

from __future__ import annotations

from functools import lru_cache

from dtomtrack.beliefs.denials import denials, is_denied
from dtomtrack.beliefs.quantities import PLURAL, is_number, number_words, single_things
from dtomtrack.items.words import in_plain_letters, stems

__all__ = ["TopicValues", "topic_values"]

_SURE = 2
"""Words of a value or of its topic's label that make sure that a text is about it."""
_HALF = 0.5
_LIGHT = stems("make take get go come give put let try")
"""Verbs that tell nothing where another word does: they go with anything."""


class TopicValues:
    """The values of a topic and what tells them apart.

    Attributes:
        denying: those that themselves deny something ("cannot eat eggs").
    """

    def __init__(self, label: str, values: tuple[str, ...]) -> None:
        words = {value: number_words(value) for value in values}
        distinctive = {
            value: _telling(own.difference(*(theirs for other, theirs in words.items() if other != value)))
            for value, own in words.items()
        }
        self._distinctive = {value: own for value, own in distinctive.items() if own}
        self._value_of = {word: value for value, own in self._distinctive.items() for word in own}
        self._telling = frozenset(self._value_of)
        self._folded = [(value, in_plain_letters(value)) for value in values]
        self._numbers = {value: frozenset(filter(is_number, own)) for value, own in self._distinctive.items()}
        self._not_several = {value: {f"{PLURAL}{one}" for one in single_things(value)} for value in values}
        self._words = words
        self._known = {value: number_words(f"{label} {value}") for value in values}
        self._denials = {value: denials(value) for value in values}
        self.denying = tuple(value for value in values if self._denials[value])

    def best(self, words: frozenset[str]) -> str | None:
        """The value of whose distinctive words at least half are there, and more than of any other."""
        shares = self._shares(words)
        best = max(shares, key=shares.__getitem__, default=None)
        if best is None or shares[best] < _HALF:
            return None
        return best if list(shares.values()).count(shares[best]) == 1 else None

    def exact(self, text: str) -> str | None:
        """The one value that stands in a text word for word, and isn't denied there."""
        folded = in_plain_letters(text)
        said = [value for value, its in self._folded if its in folded]
        if len(said) != 1 or is_denied(said[0], text):
            return None
        return said[0] if self._numbers.get(said[0], frozenset()) <= number_words(text) else None

    def mentioned(self, words: frozenset[str]) -> list[str]:
        """The values that are mentioned for sure: `mentions` of each."""
        shares = self._shares(words)
        if not shares:
            return []
        return [value for value in self._distinctive if shares.get(value, 0) >= _HALF and self._is_sure(value, words)]

    def mentions(self, value: str, words: frozenset[str]) -> bool:
        """Whether at least half of the words are there that tell this value.

        Where it is one word of several, a second one of the value or of the topic's label has to make sure.
        """
        own = self._distinctive.get(value)
        return (
            own is not None
            and len(own & words) / len(own) >= _HALF
            and self._counts(value, words)
            and self._is_sure(value, words)
        )

    def in_common(self, value: str, words: frozenset[str]) -> int:
        """How many words there are of a value and of its topic's label."""
        return len(words & self._known[value])

    def is_named(self, value: str, words: frozenset[str]) -> bool:
        """Whether a second word makes sure that one that tells the value is no coincidence, if it has several."""
        known = self._known[value]
        return len(words & known) >= min(_SURE, len(known))

    def is_said(self, value: str, words: frozenset[str]) -> bool:
        """Whether more than half of all words of a value are there."""
        own = self._words[value]
        return 2 * len(own & words) > len(own)

    def denials(self, value: str) -> int:
        """How often a value itself denies something ("cannot eat eggs"); 0 of what is no value."""
        return self._denials.get(value, 0)

    def _shares(self, words: frozenset[str]) -> dict[str, float]:
        """How many of the distinctive words are there, by value, of those of which there are any."""
        found: dict[str, int] = {}
        for word in self._telling & words:
            value = self._value_of[word]
            found[value] = found.get(value, 0) + 1
        return {
            value: count / len(self._distinctive[value]) for value, count in found.items() if self._counts(value, words)
        }

    def _counts(self, value: str, words: frozenset[str]) -> bool:
        """Whether the numbers that tell a value are there, and nothing that it has one of is counted as several."""
        return self._numbers[value] <= words and self._not_several[value].isdisjoint(words)

    def _is_sure(self, value: str, words: frozenset[str]) -> bool:
        return self._distinctive[value] <= words or self.in_common(value, words) >= _SURE


def _telling(words: frozenset[str]) -> frozenset[str]:
    """Words that no other value has, without those that go with anything, if others are left."""
    return words - _LIGHT or words


topic_values = lru_cache(maxsize=1024)(TopicValues)
"""The values of a topic, by its label and them; topics of a pack come again in dialogue after dialogue."""
