"""Matching: which value of a topic free words express.

Actors of packs say and think their values word for word; a language model puts them into words of its own. What tells
the values of a topic apart are the words that no other value of it has: a text expresses the value of whose distinctive
words it has at least half, and more than of any other. Fuzzy ratios over whole sentences are of no use here: one shared
word makes them find any value. Numbers have to be the same: "an hour" is not "two hours".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from dtomtrack.beliefs.address import has_second_person, holder_meant, is_told_of
from dtomtrack.beliefs.confidences import confidence
from dtomtrack.beliefs.denials import asserted_words
from dtomtrack.beliefs.dialogue import InnerSpeech, Turn
from dtomtrack.beliefs.inner_speech import PREFIXES
from dtomtrack.beliefs.markers import without_markers
from dtomtrack.beliefs.quantities import said_words
from dtomtrack.beliefs.reading import Act, Reading
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.beliefs.statements import (
    clauses,
    is_disowned,
    is_in_first_person,
    is_question,
    own_statements,
    sentences,
)
from dtomtrack.beliefs.topic_values import topic_values

__all__ = ["StateMatcher", "ThoughtGuidedReader", "ThoughtfulListener", "listener_of"]

_OF_THE_WORLD = frozenset({MentalState.BELIEF, MentalState.KNOWLEDGE})
_JOINED = re.compile(r"\b(?:and|or)\b")


_MOST_REMEMBERED = 2_000
"""More than what is found in the longest dialogue."""

Found = TypeVar("Found")


class _Memory(dict[tuple[object, ...], Found], Generic[Found]):
    """What was found before: all of it is forgotten when it gets much, for who listens to many dialogues, too."""

    def keep(self, key: tuple[object, ...], found: Found) -> Found:
        """Remember it."""
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[key] = found
        return found


class StateMatcher:
    """Finds the values of these topics in free words; it remembers what it found, and lives as long as a dialogue."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = {topic.id: topic for topic in topics}
        self._values = {topic.id: topic_values(topic.label, topic.values) for topic in self._topics.values()}
        self._held: dict[tuple[str, MentalState], list[str]] = {}
        self._own: dict[str, tuple[str, ...]] = {}
        for topic in self._topics.values():
            for holder in topic.holders:
                self._held.setdefault((holder, topic.mental_state), []).append(topic.id)
                self._own[holder] = (*self._own.get(holder, ()), topic.id)
        self._mentioned = _Memory[tuple[str, ...]]()
        self._claimed = _Memory[tuple[str, ...]]()

    def value(self, topic: str, text: str) -> str | None:
        """The value of a topic that a text expresses; None if it is none or more than one.

        What a text says is *not* so doesn't count, unless that is the value: "cannot eat eggs".
        """
        values = self._values[topic]
        asserted = asserted_words(text)
        if found := values.best(asserted) or values.exact(text):
            return found
        denied = [
            one for one in values.denying if self.asserts(topic, one, text) and not values.mentions(one, asserted)
        ]
        return denied[0] if len(denied) == 1 else None

    def holder(self, topic: str) -> str:
        """Name of the first agent whose state a topic is."""
        return self._topics[topic].holder

    def label(self, topic: str) -> str:
        """What a topic is called."""
        return self._topics[topic].label

    def named(self, topic: str, text: str) -> str | None:
        """The value of a topic that a text expresses, where nobody has said that the text is about the topic.

        One word that tells a value is a coincidence: a second word of the value or of the topic's label makes sure.
        """
        value = self.value(topic, text)
        sure = value is not None and self._values[topic].is_named(value, said_words(text))
        return value if sure else None

    def mentions(self, topic: str, value: str, text: str) -> bool:
        """Whether a text has at least half of the words that tell a value, whatever else it says.

        Where it is one word of several, a second one of the value or of the topic's label has to make sure.
        """
        return self._values[topic].mentions(value, said_words(text))

    def mentioned(self, topic: str, text: str) -> tuple[str, ...]:
        """The values of a topic that a text mentions."""
        found = self._mentioned.get((topic, text))
        if found is None:
            found = self._mentioned.keep((topic, text), tuple(self._values[topic].mentioned(said_words(text))))
        return found

    def asserted(self, topic: str, text: str) -> tuple[str, ...]:
        """The values of a topic that a text mentions, and not only to say that they are not so."""
        return tuple(value for value in self.mentioned(topic, text) if self.asserts(topic, value, text))

    def asserts(self, topic: str, value: str, text: str) -> bool:
        """Whether a text mentions a value, and not only to say that it is not so.

        A value that is itself a denial ("cannot eat eggs") has to be denied as often as it does that itself.
        """
        values = self._values[topic]
        return values.mentions(value, asserted_words(text, values.denials(value)))

    def own_topics(self, speaker: str) -> tuple[str, ...]:
        """Ids of the topics that somebody may hold a state on."""
        return self._own.get(speaker, ())

    def claimed(self, topic: str, speaker: str, text: str) -> tuple[str, ...]:
        """The values of a topic that a text claims as what the speaker now holds, in the order in which it does.

        What is asked, denied, said of others, of the past or as hearsay is no claim, nor is what the words of a marker
        give up. Where nobody else holds the topic, a bare sentence claims what it says is so.
        """
        found = self._claimed.get((topic, speaker, text))
        if found is None:
            claims = tuple(dict.fromkeys(self._claims(topic, speaker, text)))
            found = self._claimed.keep((topic, speaker, text), claims)
        return found

    def _claims(self, topic: str, speaker: str, text: str) -> Iterator[str]:
        if self.mentioned(topic, text):
            for one in sentences(own_statements(self._topics[topic], speaker, without_markers(text))):
                yield from self._claimed_in(topic, one)

    def _claimed_in(self, topic: str, sentence: str) -> Iterator[str]:
        found = self.asserted(topic, sentence)
        for clause in (sentence,) if len(found) == 1 else clauses(sentence):
            values = self.asserted(topic, clause) if len(found) > 1 else found
            if len(values) > 1 and not _JOINED.search(clause):
                continue
            yield from (value for value in values if self._is_claim(topic, value, clause))

    def _is_claim(self, topic: str, value: str, clause: str) -> bool:
        about = self._topics[topic]
        if f"{PREFIXES[about.mental_state]} {value}".casefold() in clause.casefold():
            return True
        if is_disowned(value, clause):
            return False
        values, words = self._values[topic], said_words(clause)
        if is_in_first_person(clause) and values.is_named(value, words):
            return True
        return about.mental_state in _OF_THE_WORLD and not about.co_holders and values.is_said(value, words)

    def thought(self, holder: str, state: MentalState, text: str) -> tuple[str, str] | None:
        """(topic, value) that a thought about a state of ``holder`` expresses; of several, the one with most words."""
        found = [
            (topic, value)
            for topic in self._held.get((holder, state), ())
            if (value := self.named(topic, text)) is not None
        ]
        if len(found) < 2:
            return found[0] if found else None
        words = said_words(text)
        return max(found, key=lambda one: self._values[one[0]].in_common(one[1], words))


class ThoughtfulListener:
    """Hears what the words of a turn say with its thoughts in mind: a thought that is said, too, is a statement.

    It sees inner speech only to know what to listen for. What an utterance names of others' topics it presumes or tells
    if the speaker thinks that of them, asks if it is a question, and else argues. What it claims of the speaker with no
    thought that says so is a slip.

    Attributes:
        matcher: of the topics.
    """

    def __init__(self, topics: Collection[Topic], matcher: StateMatcher | None = None) -> None:
        self._topics = {topic.id: topic for topic in topics}
        self._names = {name for topic in topics for name in topic.holders}
        self.matcher = matcher or StateMatcher(topics)
        self._heard = _Memory[tuple[Reading, ...]]()

    def hear(
        self, turn: int, speaker: str, utterance: str, thoughts: Sequence[InnerSpeech], audience: Sequence[str]
    ) -> list[Reading]:
        """What is said, in the order in which it is thought; what was heard before is remembered.

        Args:
            audience: names of those who hear it; empty where that is everybody.
        """
        key = turn, speaker, utterance, tuple(thoughts), tuple(audience)
        found = self._heard.get(key)
        if found is None:
            found = self._heard.keep(key, tuple(self._hear(turn, speaker, utterance, thoughts, audience)))
        return list(found)

    def _hear(
        self, turn: int, speaker: str, utterance: str, thoughts: Sequence[InnerSpeech], audience: Sequence[str]
    ) -> list[Reading]:
        readings = [
            Reading(turn, speaker, Act.STATE, speaker, one.topic, said)
            for one in thoughts
            if one.topic is not None
            and one.order == 1
            and (said := self._said(one.topic, one.content, speaker, utterance, audience))
        ]
        if readings:
            readings = [*self._confided(turn, speaker, utterance, readings, audience), *readings]
        own = {(one.topic, one.content) for one in readings}
        for topic in self._topics.values():
            if (topic.co_holders or topic.holder != speaker) and self.matcher.mentioned(topic.id, utterance):
                of_others = self._of_others(speaker, utterance, topic, thoughts)
                readings += (
                    Reading(turn, speaker, act, holder, topic.id, value) for value, (act, holder) in of_others.items()
                )
        return readings + [
            Reading(turn, speaker, Act.SLIP, speaker, topic, value)
            for topic in self.matcher.own_topics(speaker)
            for value in self.matcher.claimed(topic, speaker, utterance)
            if (topic, value) not in own
        ]

    def _said(self, topic: str, thought: str, speaker: str, utterance: str, audience: Sequence[str]) -> str | None:
        """The value that is stated: what is thought, if it is said.

        Else, where somebody is not to hear it, it may be an untruth: the one other value that is said as one's own.
        """
        if self.matcher.asserts(topic, thought, own_statements(self._topics[topic], speaker, utterance, unclear=True)):
            return thought
        if not audience:
            return None
        own = own_statements(self._topics[topic], speaker, utterance)
        plain = " ".join(one for one in sentences(own) if not has_second_person(one))
        others = self.matcher.asserted(topic, plain)
        return others[0] if len(others) == 1 else None

    def _confided(
        self, turn: int, speaker: str, utterance: str, stated: Sequence[Reading], audience: Sequence[str]
    ) -> Iterator[Reading]:
        """That somebody who does not hear it is to hear something else, and what, where that is named."""
        found = confidence(utterance, self._names.difference(audience) if audience else ())
        if found is None:
            return
        other = next(
            (
                (one.topic, value)
                for one in stated
                for value in self.matcher.mentioned(one.topic, found.instead)
                if value != one.content
            ),
            ("", ""),
        )
        if all(other) or found.secret:
            yield Reading(turn, speaker, Act.CONFIDE, speaker, *other, found.kept_from)

    def _of_others(
        self, speaker: str, utterance: str, topic: Topic, thoughts: Sequence[InnerSpeech]
    ) -> dict[str, tuple[Act, str]]:
        """What is said of others' states about a topic: by value, the use made of it, and whose state is meant."""
        acts: dict[str, tuple[Act, str]] = {}
        thought = {(one.about, one.content) for one in thoughts if one.topic == topic.id}
        one_by_one = sentences(utterance)
        named = {value for sentence in one_by_one for value in self.matcher.mentioned(topic.id, sentence)}
        passages = [(sentence, frozenset[str]()) for sentence in one_by_one] + [(utterance, frozenset(named))]
        for passage, read in passages:
            holder = holder_meant(topic, speaker, passage)
            if holder is None or holder == speaker:
                continue
            for value in self.matcher.mentioned(topic.id, passage):
                if value not in acts and value not in read:
                    granted = (holder, value) in thought and self.matcher.asserts(topic.id, value, passage)
                    acts[value] = _act(passage, holder, thought=granted), holder
        return acts


_LISTENERS: WeakValueDictionary[tuple[Topic, ...], ThoughtfulListener] = WeakValueDictionary()


def listener_of(topics: Iterable[Topic]) -> ThoughtfulListener:
    """The one listener of all who hear a dialogue about these topics: what an actor has heard, no verifier reads again.

    It lives as long as any of them.
    """
    key = tuple(topics)
    listener = _LISTENERS.get(key)
    if listener is None:
        listener = _LISTENERS[key] = ThoughtfulListener(key)
    return listener


class ThoughtGuidedReader:
    """Reads what is said in model-made dialogues: it listens to each turn with its inner speech in mind."""

    def __init__(self, turns: Sequence[Turn] | Mapping[int, Turn], topics: Iterable[Topic]) -> None:
        self._turns = turns
        self._listener = listener_of(topics)

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is thought."""
        now = self._turns[turn]
        return self._listener.hear(turn, speaker, utterance, now.inner_speech, now.audience)


def _act(sentence: str, holder: str, *, thought: bool) -> Act:
    if is_question(sentence):
        return Act.ASK
    if thought and is_told_of(holder, sentence):
        return Act.TELL
    return Act.PRESUME if thought and has_second_person(sentence) else Act.ARGUE
