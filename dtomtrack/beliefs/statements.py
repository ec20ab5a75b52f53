"""What of a text is a statement, and what of it is claimed as the speaker's own, by the form of its sentences alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from dtomtrack.beliefs.address import holder_meant
from dtomtrack.beliefs.scenario import Topic
from dtomtrack.items.words import REMEMBERED, in_plain_letters, runs

__all__ = ["clauses", "is_disowned", "is_in_first_person", "is_question", "own_statements", "sentences", "statements"]

_ASKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
_STOPS = ".!\N{FULLWIDTH EXCLAMATION MARK}\N{IDEOGRAPHIC FULL STOP}\N{ARABIC FULL STOP}\N{DEVANAGARI DANDA}"
_ENDS = _STOPS + "".join(_ASKS)
_SENTENCE = re.compile(f"[^{_ENDS}]+[{_ENDS}]*")
_CLAUSE = re.compile(r"[^,:;\u2013\u2014]+")
_TURNING = ("but", "though", "although", "whereas", "while")
_NEW_CLAUSE = re.compile(rf"\b(?:{'|'.join(_TURNING)})\b")
_FIRST_PERSON = re.compile(r"\b(?:i|we|let us|let's|(?:i|we)'\w+|for (?:me|us)|please)\b")
_DISOWNING_WORDS = """
said say says told tell tells heard hear hears thought believed wanted felt knew was were had could might may maybe
perhaps if whether than over apparently supposedly everyone everybody somebody someone people others they he she who
thinks believes wants feels knows claim claims maintain maintains insist insists swear swears friend friends sister
brother colleague cousin neighbor neighbour fellow
"""
_DISOWNING = frozenset(_DISOWNING_WORDS.split())
"""Signs that a value is named as what was, might be or is another's, or only to be compared."""
_DISOWNING_PHRASE = re.compile(
    r"\b(?:used to|would be|would have|(?<!\bi )(?<!\bwe )would|wonder\w*|rumou?r\w*)\b|'d have\b"
)
_IN_PHRASES = ("used", "would", "wonder", "rumo", "'d have")
"""In every such phrase there is one of them, which is quickly seen."""


@lru_cache(maxsize=REMEMBERED)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, each with the signs that end it."""
    return tuple(_SENTENCE.findall(text))


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    return sentence.rstrip().rstrip(_STOPS).endswith(_ASKS)


@lru_cache(maxsize=REMEMBERED)
def statements(text: str) -> str:
    """The sentences of a text that are no questions."""
    return " ".join(one.strip() for one in sentences(text) if not is_question(one))


def own_statements(topic: Topic, speaker: str, text: str, *, unclear: bool = False) -> str:
    """The sentences of a text that are no questions and don't speak of another holder of the topic.

    Args:
        unclear: with those that may be about either.
    """
    meant = {speaker, None} if unclear else {speaker}
    return " ".join(one.strip() for one in sentences(statements(text)) if holder_meant(topic, speaker, one) in meant)


def clauses(sentence: str) -> Iterator[str]:
    """The clauses of a sentence, as far as punctuation and words such as "though" part them."""
    turns = any(map(sentence.__contains__, _TURNING))
    for one in _CLAUSE.findall(sentence):
        yield from filter(str.strip, _NEW_CLAUSE.split(one) if turns else (one,))


def is_in_first_person(clause: str) -> bool:
    """Whether somebody speaks of themselves in it."""
    return bool(_FIRST_PERSON.search(in_plain_letters(clause)))


def is_disowned(value: str, clause: str) -> bool:
    """Whether a clause has signs, which the value itself hasn't, that it is not said of oneself and now."""
    return not _disowning(clause) <= _disowning(value)


@lru_cache(maxsize=REMEMBERED)
def _disowning(text: str) -> frozenset[str]:
    plain = in_plain_letters(text)
    signs = _DISOWNING.intersection(runs(plain.replace("'", " ")))
    return signs.union(_DISOWNING_PHRASE.findall(plain)) if any(map(plain.__contains__, _IN_PHRASES)) else signs
