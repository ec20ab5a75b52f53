"""Matching: which value of a topic free words express.

Actors of packs say and think their values word for word; a language model puts them into words of its own. What tells
the values of a topic apart are the words that no other value of it has: a text expresses the value of whose distinctive
words it has at least half, and more than of any other. Fuzzy ratios over whole sentences are of no use here: one shared
word makes them find any value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.reading import Act, Reading, holder_meant, is_told_of
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.items.words import stems

__all__ = ["StateMatcher", "ThoughtGuidedReader"]

_HALF = 0.5
_SURE = 2
_GIVEN_UP = re.compile(
    r"\b(?:instead of|rather than|no longer|not|never|isn't|aren't|wasn't|don't|doesn't|won't|can't|without)\b"
    r"[^,.;:!?]*?(?=[,.;:!?]|\bbut\b|$)"
)
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours|you're|you'd|you'll|you've)\b", re.IGNORECASE)


@lru_cache(maxsize=1024)
def _distinctive(values: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """For each value, the words that no other of them has."""
    own = {value: stems(value) for value in values}
    return {
        value: words.difference(*(theirs for other, theirs in own.items() if other != value))
        for value, words in own.items()
    }


class StateMatcher:
    """Finds the values of these topics in free words."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = {topic.id: topic for topic in topics}
        self._distinctive = {topic.id: _distinctive(topic.values) for topic in self._topics.values()}

    def value(self, topic: str, text: str) -> str | None:
        """The value of a topic that a text expresses; None if it is none or more than one.

        What a text says is *not* so doesn't count, unless nothing else is said.
        """
        lowered = text.casefold()
        return self._best(topic, stems(_GIVEN_UP.sub(" ", lowered))) or self._exact(topic, lowered)

    def _exact(self, topic: str, lowered: str) -> str | None:
        said = [value for value in self._topics[topic].values if value.casefold() in lowered]
        return said[0] if len(said) == 1 else None

    def _best(self, topic: str, words: frozenset[str]) -> str | None:
        shares = self._shares(topic, words)
        best = max(shares, key=lambda value: shares[value], default=None)
        if best is None or shares[best] < _HALF:
            return None
        others = [share for value, share in shares.items() if value != best]
        return best if shares[best] > max(others, default=0.0) else None

    def _shares(self, topic: str, words: frozenset[str]) -> dict[str, float]:
        distinctive = self._distinctive[topic]
        return {value: len(own & words) / len(own) for value, own in distinctive.items() if own}

    def holder(self, topic: str) -> str:
        """Name of the first agent whose state a topic is."""
        return self._topics[topic].holder

    def named(self, topic: str, text: str) -> str | None:
        """The value of a topic that a text expresses, where nobody has said that the text is about the topic.

        One word that tells a value is a coincidence: a second word of the value or of the topic's label makes sure.
        """
        value = self.value(topic, text)
        return value if value is not None and self._is_about(topic, value, text) else None

    def _is_about(self, topic: str, value: str, text: str) -> bool:
        known = stems(f"{self._topics[topic].label} {value}")
        return self._shared(topic, value, text) >= min(_SURE, len(known))

    def _shared(self, topic: str, value: str, text: str) -> int:
        return len(stems(text) & stems(f"{self._topics[topic].label} {value}"))

    def mentions(self, topic: str, value: str, text: str) -> bool:
        """Whether a text has at least half of the words that tell a value, whatever else it says."""
        own = self._distinctive[topic].get(value) or frozenset()
        return bool(own) and len(own & stems(text)) / len(own) >= _HALF

    def thought(self, holder: str, state: MentalState, text: str) -> tuple[str, str] | None:
        """(topic, value) that a thought about a state of ``holder`` expresses; of several, the one with most words."""
        found = [
            (self._shared(topic.id, value, text), topic.id, value)
            for topic in self._topics.values()
            if holder in topic.holders
            and topic.mental_state == state
            and (value := self.named(topic.id, text)) is not None
        ]
        if not found:
            return None
        _, best, value = max(found, key=lambda one: one[0])
        return best, value


class ThoughtGuidedReader:
    """Reads what is said in model-made dialogues: a thought that the utterance says, too, is a statement.

    It sees inner speech only to know what to listen for. What an utterance names of others' topics it presumes or tells
    if the speaker thinks that of them, asks if it is a question, and else argues.
    """

    def __init__(self, turns: Sequence[Turn], topics: Sequence[Topic]) -> None:
        self._turns = turns
        self._topics: Mapping[str, Topic] = {topic.id: topic for topic in topics}
        self._matcher = StateMatcher(topics)
        self._read: dict[int, list[Reading]] = {}

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is thought."""
        if turn not in self._read:
            self._read[turn] = self._listen(turn, speaker, utterance)
        return self._read[turn]

    def _listen(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        readings = [
            Reading(turn, speaker, Act.STATE, speaker, one.topic, one.content)
            for one in self._turns[turn].inner_speech
            if one.topic is not None and one.order == 1 and self._matcher.mentions(one.topic, one.content, utterance)
        ]
        own = {(one.topic, one.content) for one in readings}
        for topic in self._topics.values():
            if topic.holders != (speaker,):
                readings += (one for one in self._about_others(turn, speaker, utterance, topic) if _key(one) not in own)
        return readings

    def _about_others(self, turn: int, speaker: str, utterance: str, topic: Topic) -> list[Reading]:
        acts: dict[str, tuple[Act, str]] = {}
        thoughts = {(one.about, one.content) for one in self._turns[turn].inner_speech if one.topic == topic.id}
        named = [value for value in topic.values if self._matcher.mentions(topic.id, value, utterance)]
        for sentence in (*_SENTENCE.findall(utterance), utterance) if named else ():
            for value in named:
                if value not in acts and self._matcher.mentions(topic.id, value, sentence):
                    holder = holder_meant(topic, speaker, sentence)
                    if holder != speaker:
                        acts[value] = _act(sentence, holder, thought=(holder, value) in thoughts), holder
        return [Reading(turn, speaker, act, holder, topic.id, value) for value, (act, holder) in acts.items()]


def _key(reading: Reading) -> tuple[str, str]:
    return reading.topic, reading.content


def _act(sentence: str, holder: str, *, thought: bool) -> Act:
    if sentence.rstrip().endswith("?"):
        return Act.ASK
    if thought and _SECOND_PERSON.search(sentence):
        return Act.PRESUME
    return Act.TELL if thought and is_told_of(holder, sentence) else Act.ARGUE
