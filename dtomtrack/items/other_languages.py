"""Words of other languages in which models state answers, said in English, so that one set of rules reads them all.

Only the words that matter to the rules are replaced; what is not in the tables stays. A reply and the texts of the
options go the same way, so that a text is still found in a reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dtomtrack.items.latin_words import (
    DUTCH_AND_NORDIC,
    DUTCH_AND_NORDIC_SIGNS,
    FRENCH,
    FRENCH_SIGNS,
    GERMAN,
    GERMAN_SIGNS,
    ITALIAN_AND_PORTUGUESE,
    ITALIAN_AND_PORTUGUESE_SIGNS,
    POLISH,
    POLISH_SIGNS,
    SPANISH,
    SPANISH_SIGNS,
    VIETNAMESE_AND_INDONESIAN,
    VIETNAMESE_AND_INDONESIAN_SIGNS,
)
from dtomtrack.items.script_words import (
    ARABIC,
    CHINESE_AND_JAPANESE,
    HINDI,
    KOREAN,
    RUSSIAN,
    RUSSIAN_SIGNS,
)

__all__ = ["Language", "language_of"]


@dataclass(frozen=True)
class Language:
    """A language's words for answering.

    Attributes:
        signs: words or letters of which one is in every reply of this language, as it stands or in lower case.
        pattern: finds the signs where they are whole words.
        words: pairs of a pattern and the English words for it, applied in this order.
    """

    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    words: Sequence[tuple[re.Pattern[str], str]]

    def is_in(self, text: str, lowered: str) -> bool:
        """Whether a reply seems to be in this language."""
        return any(sign in lowered or sign in text for sign in self.signs) and self.pattern.search(text) is not None

    def in_english(self, text: str) -> str:
        """The text with the words of the table in English."""
        for pattern, english in self.words:
            text = pattern.sub(english, text)
        return re.sub(r" +(?=[,.:;!?)\n]|$)", "", re.sub(r" {2,}", " ", text)).strip(" ")


def language_of(text: str) -> Language | None:
    """The language, other than English, in which a reply seems to state its answer."""
    if not text.isascii():
        for script, language in _OWN_SCRIPTS:
            if script.search(text):
                return language
    lowered = text.lower()
    return next((language for language in _LATIN if language.is_in(text, lowered)), None)


def _spaced(signs: str, words: Mapping[str, str]) -> Language:
    named = tuple(signs.split("|"))
    pattern = "|".join(sign if sign.islower() else rf"(?-i:{sign})" for sign in named)
    table = [(re.compile(rf"(?<!\w)(?:{word})(?!\w)", re.IGNORECASE), english) for word, english in words.items()]
    return Language(named, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), table)


def _unspaced(words: Mapping[str, str]) -> Language:
    return Language((), re.compile(""), [(re.compile(word), f" {english} ") for word, english in words.items()])


_GERMAN = _spaced(GERMAN_SIGNS, GERMAN)
_FRENCH = _spaced(FRENCH_SIGNS, FRENCH)
_SPANISH = _spaced(SPANISH_SIGNS, SPANISH)
_ITALIAN_AND_PORTUGUESE = _spaced(ITALIAN_AND_PORTUGUESE_SIGNS, ITALIAN_AND_PORTUGUESE)
_RUSSIAN = _spaced(RUSSIAN_SIGNS, RUSSIAN)
_CHINESE_AND_JAPANESE = _unspaced(CHINESE_AND_JAPANESE)
_KOREAN = _unspaced(KOREAN)
_DUTCH_AND_NORDIC = _spaced(DUTCH_AND_NORDIC_SIGNS, DUTCH_AND_NORDIC)
_POLISH = _spaced(POLISH_SIGNS, POLISH)
_VIETNAMESE_AND_INDONESIAN = _spaced(VIETNAMESE_AND_INDONESIAN_SIGNS, VIETNAMESE_AND_INDONESIAN)
_HINDI = _unspaced(HINDI)
_ARABIC = _unspaced(ARABIC)
_OWN_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"), _CHINESE_AND_JAPANESE),
    (re.compile(r"[\uac00-\ud7af]"), _KOREAN),
    (re.compile(r"[\u0400-\u04ff]"), _RUSSIAN),
    (re.compile(r"[\u0900-\u097f]"), _HINDI),
    (re.compile(r"[\u0600-\u06ff]"), _ARABIC),
)
_LATIN = (
    _DUTCH_AND_NORDIC,
    _POLISH,
    _VIETNAMESE_AND_INDONESIAN,
    _GERMAN,
    _FRENCH,
    _SPANISH,
    _ITALIAN_AND_PORTUGUESE,
)
