"""Matching: which value of a topic free words express.

Actors of packs say and think their values word for word; a language model puts them into words of its own. What tells
the values of a topic apart are the words that no other value of it has: a text expresses the value of whose distinctive
words it has at least half, and more than of any other. Fuzzy ratios over whole sentences are of no use here: one shared
word makes them find any value. Numbers have to be the same: "an hour" is not "two hours".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from dtomtrack.beliefs.dialogue import Turn
from dtomtrack.beliefs.quantities import PLURAL, is_number, number_words, said_words, single_things
from dtomtrack.beliefs.reading import Act, Reading, holder_meant, is_told_of
from dtomtrack.beliefs.scenario import MentalState, Topic
from dtomtrack.items.words import REMEMBERED, stems

__all__ = ["StateMatcher", "ThoughtGuidedReader"]

_HALF = 0.5
_SURE = 2
_DENIAL = re.compile(r"\b(?:instead of|rather than|no longer|not|never|cannot|\w+n't|without)\b")
_GIVEN_UP = re.compile(
    rf"{_DENIAL.pattern}"
    r"[^,.;:!?]*?(?=[,.;:!?]|\bbut\b|$)"
)
_LIGHT = stems("make take get go come give put let try")
"""Verbs that tell nothing where another word does: they go with anything."""
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours|you're|you'd|you'll|you've)\b", re.IGNORECASE)


class _Values:
    """The values of a topic and what tells them apart."""

    def __init__(self, values: tuple[str, ...]) -> None:
        words = {value: number_words(value) for value in values}
        self._folded = [(value, value.casefold()) for value in values]
        distinctive = {
            value: _telling(own.difference(*(theirs for other, theirs in words.items() if other != value)))
            for value, own in words.items()
        }
        self._distinctive = {value: own for value, own in distinctive.items() if own}
        self._numbers = {value: frozenset(filter(is_number, own)) for value, own in self._distinctive.items()}
        self._not_several = {value: {f"{PLURAL}{one}" for one in single_things(value)} for value in values}
        self._telling = frozenset[str]().union(*self._distinctive.values())

    def best(self, words: frozenset[str]) -> str | None:
        """The value of whose distinctive words at least half are there, and more than of any other."""
        if self._telling.isdisjoint(words):
            return None
        shares = sorted(
            [
                (len(own & words) / len(own) if self._counts(value, words) else 0.0, value)
                for value, own in self._distinctive.items()
            ]
        )
        share, value = shares[-1]
        alone = len(shares) == 1 or shares[-2][0] < share
        return value if alone and share >= _HALF else None

    def exact(self, text: str) -> str | None:
        """The one value that stands in a text word for word."""
        lowered = text.casefold()
        said = [value for value, folded in self._folded if folded in lowered]
        return said[0] if len(said) == 1 else None

    def mentioned(self, words: frozenset[str]) -> list[str]:
        """The values of whose distinctive words at least half are there."""
        if self._telling.isdisjoint(words):
            return []
        return [
            value for value, own in self._distinctive.items() if _has_half(own, words) and self._counts(value, words)
        ]

    def mentions(self, value: str, words: frozenset[str]) -> bool:
        """Whether at least half of the words are there that tell this value."""
        own = self._distinctive.get(value)
        return own is not None and _has_half(own, words) and self._counts(value, words)

    def tells(self, value: str, words: frozenset[str]) -> bool:
        """Whether all words are there that tell this value."""
        return self._distinctive[value] <= words

    def _counts(self, value: str, words: frozenset[str]) -> bool:
        """Whether the numbers that tell a value are there, and nothing that it has one of is counted as several."""
        return self._numbers[value] <= words and self._not_several[value].isdisjoint(words)


def _telling(words: frozenset[str]) -> frozenset[str]:
    """Words that no other value has, without those that go with anything, if others are left."""
    return words - _LIGHT or words


def _has_half(own: frozenset[str], words: frozenset[str]) -> bool:
    return len(own & words) / len(own) >= _HALF


_values = lru_cache(maxsize=1024)(_Values)


@lru_cache(maxsize=REMEMBERED)
def _asserted(text: str) -> frozenset[str]:
    """The stems of a text without what it says is not so."""
    return said_words(_without_denials(text))


def _without_denials(text: str) -> str:
    return _GIVEN_UP.sub(" ", text.casefold())


class StateMatcher:
    """Finds the values of these topics in free words; it remembers what it found, and lives as long as a dialogue."""

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = {topic.id: topic for topic in topics}
        self._values = {topic.id: _values(topic.values) for topic in self._topics.values()}
        self._mentioned: dict[tuple[str, str], tuple[str, ...]] = {}

    def value(self, topic: str, text: str) -> str | None:
        """The value of a topic that a text expresses; None if it is none or more than one.

        What a text says is *not* so doesn't count, unless nothing else is said.
        """
        values = self._values[topic]
        return values.best(_asserted(text)) or values.exact(text)

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
        return value if value is not None and self._is_about(topic, value, text) else None

    def _is_about(self, topic: str, value: str, text: str) -> bool:
        known = self._known(topic, value)
        return len(said_words(text) & known) >= min(_SURE, len(known))

    def _known(self, topic: str, value: str) -> frozenset[str]:
        """The words of a value and of its topic."""
        return number_words(f"{self._topics[topic].label} {value}")

    def mentions(self, topic: str, value: str, text: str) -> bool:
        """Whether a text has at least half of the words that tell a value, whatever else it says.

        Where it is one word of several, a second one of the value or of the topic's label has to make sure.
        """
        words = said_words(text)
        return self._values[topic].mentions(value, words) and self._is_sure(topic, value, words)

    def mentioned(self, topic: str, text: str) -> tuple[str, ...]:
        """The values of a topic that a text mentions."""
        found = self._mentioned.get((topic, text))
        if found is None:
            words = said_words(text)
            sure = (value for value in self._values[topic].mentioned(words) if self._is_sure(topic, value, words))
            found = self._mentioned[topic, text] = tuple(sure)
        return found

    def asserts(self, topic: str, value: str, text: str) -> bool:
        """Whether a text mentions a value, and not only to say that it is not so.

        A value that is itself a denial ("cannot eat eggs") has to be denied as often as it does that itself.
        """
        said = text.casefold()
        for denial in list(_DENIAL.finditer(said))[::-1][: len(_DENIAL.findall(value.casefold()))]:
            said = said[: denial.start()] + said[denial.end() :]
        return self.mentions(topic, value, _without_denials(said))

    def _is_sure(self, topic: str, value: str, words: frozenset[str]) -> bool:
        return self._values[topic].tells(value, words) or len(words & self._known(topic, value)) >= _SURE

    def thought(self, holder: str, state: MentalState, text: str) -> tuple[str, str] | None:
        """(topic, value) that a thought about a state of ``holder`` expresses; of several, the one with most words."""
        found = [
            (len(said_words(text) & self._known(topic.id, value)), topic.id, value)
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

    def __init__(
        self,
        turns: Sequence[Turn] | Mapping[int, Turn],
        topics: Collection[Topic],
        matcher: StateMatcher | None = None,
    ) -> None:
        self._turns = turns
        self._topics: Mapping[str, Topic] = {topic.id: topic for topic in topics}
        self._names = {name for topic in topics for name in topic.holders}
        self._matcher = matcher or StateMatcher(topics)
        self._read: dict[int, list[Reading]] = {}

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is thought."""
        if turn not in self._read:
            self._read[turn] = self._listen(turn, speaker, utterance)
        return self._read[turn]

    def _listen(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        now = self._turns[turn]
        readings = [
            Reading(turn, speaker, Act.STATE, speaker, one.topic, said)
            for one in now.inner_speech
            if one.topic is not None and one.order == 1 and (said := self._said(now, one.topic, one.content))
        ]
        if readings and (kept := _kept_from(now, self._names)):
            readings.insert(0, Reading(turn, speaker, Act.CONFIDE, speaker, "", "", kept))
        own = {(one.topic, one.content) for one in readings}
        for topic in self._topics.values():
            if topic.holders != (speaker,):
                readings += (one for one in self._about_others(turn, speaker, utterance, topic) if _key(one) not in own)
        return readings

    def _said(self, turn: Turn, topic: str, thought: str) -> str | None:
        """The value that is stated: what is thought, if it is said.

        Else, where somebody is not to hear it, it may be an untruth: the one other value that is said as one's own.
        """
        if self._matcher.asserts(topic, thought, turn.utterance):
            return thought
        if not turn.audience:
            return None
        sentences = [one for one in _SENTENCE.findall(turn.utterance) if not one.rstrip().endswith("?")]
        plain = " ".join(one for one in sentences if not _SECOND_PERSON.search(one))
        others = self._matcher.mentioned(topic, plain)
        return others[0] if len(others) == 1 else None

    def _about_others(self, turn: int, speaker: str, utterance: str, topic: Topic) -> list[Reading]:
        if not self._matcher.mentioned(topic.id, utterance):
            return []
        acts: dict[str, tuple[Act, str]] = {}
        thoughts = {(one.about, one.content) for one in self._turns[turn].inner_speech if one.topic == topic.id}
        for sentence in (*_SENTENCE.findall(utterance), utterance):
            for value in self._matcher.mentioned(topic.id, sentence):
                if value not in acts:
                    holder = holder_meant(topic, speaker, sentence)
                    if holder != speaker:
                        granted = (holder, value) in thoughts and self._matcher.asserts(topic.id, value, sentence)
                        acts[value] = _act(sentence, holder, thought=granted), holder
        return [Reading(turn, speaker, act, holder, topic.id, value) for value, (act, holder) in acts.items()]


def _key(reading: Reading) -> tuple[str, str]:
    return reading.topic, reading.content


def _act(sentence: str, holder: str, *, thought: bool) -> Act:
    if sentence.rstrip().endswith("?"):
        return Act.ASK
    if thought and _SECOND_PERSON.search(sentence):
        return Act.PRESUME
    return Act.TELL if thought and is_told_of(holder, sentence) else Act.ARGUE


def _kept_from(turn: Turn, names: Collection[str]) -> str:
    """The name of one whom an aside speaks of and who is not to hear it; empty if there is none."""
    unhearing = sorted(name for name in names if turn.audience and name not in turn.audience)
    return next((name for name in unhearing if re.search(rf"\b{re.escape(name)}\b", turn.utterance)), "")
