"""Reading utterances: what is said about whose state, from the words alone.

Nothing here sees inner speech or a plan. Two readers share one protocol: `dtomtrack.beliefs.form_reader.FormReader`
knows the forms of words of a domain pack and reads exactly; `DistinctiveWordReader` knows topics and their values only,
and reads any conversation by the words that tell a value from the others of its topic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from dtomtrack.beliefs.address import has_second_person, holder_meant, is_addressed, is_told_of
from dtomtrack.beliefs.denials import denials, without_denied_clauses
from dtomtrack.beliefs.scenario import Topic
from dtomtrack.beliefs.statements import is_question, sentences
from dtomtrack.items.words import content_words, words_in_order

__all__ = [
    "STATED",
    "Act",
    "DistinctiveWordReader",
    "Reader",
    "Reading",
    "distinctive_words",
    "read_all",
]


class Act(StrEnum):
    """The use that an utterance makes of a value of a topic."""

    STATE = "state"
    """The holder says to hold it."""
    PRESUME = "presume"
    """Somebody else takes for granted that the holder holds it, to their face or behind their back."""
    TELL = "tell"
    """Somebody else tells others that the holder holds it."""
    CONFIDE = "confide"
    """The speaker lets on that somebody is to hear something else of it: that, where it is named, is the content."""
    ARGUE = "argue"
    """Somebody else gives a reason for it or against it."""
    ASK = "ask"
    """Somebody else asks about it."""
    MENTION = "mention"
    """The speaker names it as what somebody holds, says or once held who is not there, or as a rumor."""
    SLIP = "slip"
    """The speaker claims to hold it, with another thought on the topic or none."""


STATED = frozenset({Act.STATE, Act.TELL, Act.PRESUME})
"""By these somebody says that the holder holds it."""


@dataclass(frozen=True)
class Reading:
    """One thing that was said.

    Attributes:
        kept_from: of what is said in confidence, the name of the one who is to hear something else.
    """

    turn: int
    speaker: str
    act: Act
    holder: str
    topic: str
    content: str
    kept_from: str = ""


class Reader(Protocol):
    """Reads one utterance at a time."""

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        ...


def read_all(reader: Reader, transcript: Iterable[tuple[str, str]]) -> list[Reading]:
    """Read a transcript of (speaker, utterance) pairs, turns counted from 0."""
    return [one for turn, (speaker, text) in enumerate(transcript) for one in reader.read(turn, speaker, text)]


_PART = re.compile(r"[^;\uff1b]+[;\uff1b]?")
"""What stands between semicolons."""


def distinctive_words(
    contents: Sequence[str], words_of: Callable[[str], frozenset[str]] = content_words
) -> dict[str, frozenset[str]]:
    """For each content, the words that no other of them has."""
    words = {content: words_of(content) for content in contents}
    return {
        content: own.difference(*(theirs for other, theirs in words.items() if other != content))
        for content, own in words.items()
    }


class DistinctiveWordReader:
    """Reads any conversation by the words that tell the values of a topic apart.

    A sentence in which at least half of a value's distinctive words occur, and more than of any other value's, is about
    that value. Said by the holder it states it; said by anybody else it tells it if the holder is spoken of by name,
    presumes it if the holder is addressed, else argues; a question asks. In what is stated, presumed and told, clauses
    that deny more than the value itself don't count, nor does what comes after "instead of". A sentence that may be
    about the speaker's state or the other's says nothing.

    Args:
        names: of those who take part and hold none of the topics. Among three or more, "you" is who is called by name.
    """

    def __init__(self, topics: Iterable[Topic], names: Iterable[str] = ()) -> None:
        self._topics = [(topic, distinctive_words(topic.values)) for topic in topics]
        holders = (name for topic, _ in self._topics for name in topic.holders)
        self._people = frozenset((*holders, *names))

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        readings = []
        for sentence in (part for one in sentences(utterance) for part in _PART.findall(one)):
            words = frozenset(words_in_order(sentence))
            for topic, values in self._topics:
                holder = holder_meant(topic, speaker, sentence)
                if holder is None:
                    continue
                act = self._act(speaker, holder, sentence, utterance)
                content = _granted(values, sentence, words) if act in STATED else _best(values, words)
                if content is None and act is Act.PRESUME:
                    act, content = Act.ARGUE, _best(values, words)
                if content is not None and act is not None:
                    readings.append(Reading(turn, speaker, act, holder, topic.id, content))
        return readings

    def _act(self, speaker: str, holder: str, sentence: str, utterance: str) -> Act | None:
        if is_question(sentence):
            return None if speaker == holder else Act.ASK
        if speaker == holder:
            return Act.STATE
        if is_told_of(holder, sentence):
            return Act.TELL
        to_them = has_second_person(sentence) and self._is_said_to(holder, speaker, sentence, utterance)
        return Act.PRESUME if to_them else Act.ARGUE

    def _is_said_to(self, holder: str, speaker: str, sentence: str, utterance: str) -> bool:
        """Whether a sentence is said to somebody: by name, there or in the utterance, or as nobody else is there."""
        others = self._people - {speaker}
        called = [text for text in (sentence, utterance) if any(is_addressed(name, text) for name in others)]
        return is_addressed(holder, called[0]) if called else others == {holder}


def _granted(values: Mapping[str, frozenset[str]], sentence: str, words: frozenset[str]) -> str | None:
    """The value that a sentence says is so; one that denies something ("a room with no view") may be what it denies."""
    denied = denials(sentence)
    if not denied:
        return _best(values, words)
    denying = {content: own for content, own in values.items() if denials(content) == denied}
    return _best(denying, words) or _best(values, frozenset(words_in_order(without_denied_clauses(sentence))))


def _best(values: Mapping[str, frozenset[str]], words: frozenset[str]) -> str | None:
    scores = {content: len(own & words) / len(own) for content, own in values.items() if own}
    highest = max(scores.values(), default=0.0)
    best = [content for content, score in scores.items() if score == highest]
    return best[0] if highest >= 0.5 and len(best) == 1 else None
