"""Inner speech: thoughts in words, and back (paper, "Conversation Generation" and "Belief State Tracking").

A thought about the world starts with the prefix of its mental state ("I believe that same-day booking is fine"); a
thought about a partner names whose state it is about ("I think that Ben believes same-day booking is fine").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.scenario import MentalState

__all__ = [
    "PREFIXES",
    "VERBS",
    "ThoughtReader",
    "TopicFinder",
    "ValueFinder",
    "is_one_sentence",
    "parse_thought",
    "parse_thoughts",
    "second_order",
    "thought",
]

PREFIXES: dict[MentalState, str] = {
    MentalState.BELIEF: "I believe that",
    MentalState.INTENTION: "I will",
    MentalState.DESIRE: "I want",
    MentalState.EMOTION: "I feel",
    MentalState.KNOWLEDGE: "I know",
}
VERBS: dict[MentalState, str] = {
    MentalState.BELIEF: "believes",
    MentalState.INTENTION: "will",
    MentalState.DESIRE: "wants",
    MentalState.EMOTION: "feels",
    MentalState.KNOWLEDGE: "knows",
}

TopicFinder = Callable[[str, MentalState, str], str | None]
"""(whose state, mental state, content) -> id of the topic, or None."""

ValueFinder = Callable[[str, MentalState, str], tuple[str, str] | None]
"""(whose state, mental state, content) -> id of the topic and its value that is meant, or None."""

_STATES = {prefix: state for state, prefix in PREFIXES.items()}
_FIRST_ORDER = re.compile(rf"(?P<prefix>{'|'.join(_STATES)})\s+(?P<content>.+)", re.DOTALL)
_SECOND_ORDER = "I think that "
_OPENING = rf"(?:{'|'.join((*_STATES, _SECOND_ORDER.rstrip()))})\s"
_ABBREVIATIONS = (
    "[A-HJ-Z]",
    "Mr|Ms|Mx|Dr|St|Fr|Sr|Jr|Lt",
    "Mrs|Rev|Hon|Gen|Col|Maj|Sgt|Sen|Gov|Mme|Mgr",
    "Prof|Capt|Insp|Pres|Mlle|Supt",
)
"""Titles and initials, by their length: the period behind them ends no sentence, unless a thought opens."""
_NO_ABBREVIATION = "".join(rf"(?<!\b(?:{of_a_length})\.\s)" for of_a_length in _ABBREVIATIONS)
_SENTENCE_END = re.compile(
    # what begins with the signs that it may begin with is passed over quickly
    rf"[\s)](?:(?<=[.!?]\s)(?:{_NO_ABBREVIATION}|(?=\s*{_OPENING}))\s*(?=[A-Z])|(?<=\n)\n*|(?<=\))\s*\((?=I ))"
)


def thought(mental_state: MentalState, content: str, topic: str | None = None) -> InnerSpeech:
    """A first-order thought."""
    text = f"{PREFIXES[mental_state]} {content}"
    return InnerSpeech(mental_state=mental_state, topic=topic, content=content, text=text)


def second_order(about: str, mental_state: MentalState, content: str, topic: str | None = None) -> InnerSpeech:
    """A thought about a state of ``about``."""
    text = f"I think that {about} {VERBS[mental_state]} {content}"
    return InnerSpeech(mental_state=mental_state, order=2, about=about, topic=topic, content=content, text=text)


def parse_thoughts(
    text: str, thinker: str, others: Iterable[str], find_topic: TopicFinder | None = None
) -> tuple[InnerSpeech, ...]:
    """Thoughts in a text such as ``(I want a quiet table. I think that Ben believes we are four.)``.

    Sentences without one of the prefixes are left out: they state nothing that can be tracked.
    """
    others = tuple(others)
    found = (_thought(sentence, thinker, others, find_topic) for sentence in _sentences(text))
    return tuple(one for one in found if one is not None)


def parse_thought(
    sentence: str, thinker: str, others: Iterable[str], find_topic: TopicFinder | None = None
) -> InnerSpeech | None:
    """One thought, or None if the sentence has no prefix of inner speech."""
    return _thought(_bare(sentence), thinker, others, find_topic)


class ThoughtReader:
    """Reads the thoughts of one thinker as values of topics, where they express one: each sentence once."""

    def __init__(self, thinker: str, others: Iterable[str], find_value: ValueFinder) -> None:
        self._thinker = thinker
        self._others = tuple(others)
        self._find_value = find_value
        self._read: dict[str, InnerSpeech | None] = {}

    def thoughts(self, text: str) -> tuple[InnerSpeech, ...]:
        """The thoughts in a text, as `parse_thoughts` finds them."""
        return tuple(one for one in map(self._thought, _sentences(text)) if one is not None)

    def _thought(self, sentence: str) -> InnerSpeech | None:
        if sentence not in self._read:
            found = _parsed(sentence, self._thinker, self._others, None)
            self._read[sentence] = None if found is None else self._as_value(found).thought(sentence)
        return self._read[sentence]

    def _as_value(self, found: _Parsed) -> _Parsed:
        match = self._find_value(found.about or self._thinker, found.mental_state, found.content)
        return found if match is None else found._replace(topic=match[0], content=match[1])


class _Parsed(NamedTuple):
    """What a sentence says that is thought."""

    mental_state: MentalState
    about: str | None
    topic: str | None
    content: str

    def thought(self, sentence: str) -> InnerSpeech:
        order = 1 if self.about is None else 2
        return InnerSpeech(
            mental_state=self.mental_state,
            order=order,
            about=self.about,
            topic=self.topic,
            content=self.content,
            text=sentence,
        )


def _sentences(text: str) -> list[str]:
    """The sentences of a text of thoughts, without the parentheses around it and the periods behind them."""
    inner = text.strip().rstrip(".").rstrip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    return list(map(_bare, _SENTENCE_END.split(inner)))


def is_one_sentence(content: str) -> bool:
    """Whether a thought can have this content: it would end with the first sentence of several."""
    return len(_sentences(content)) == 1


def _bare(sentence: str) -> str:
    return sentence.strip().rstrip(".").strip()


def _thought(sentence: str, thinker: str, others: Iterable[str], find_topic: TopicFinder | None) -> InnerSpeech | None:
    found = _parsed(sentence, thinker, others, find_topic)
    return None if found is None else found.thought(sentence)


def _parsed(sentence: str, thinker: str, others: Iterable[str], find_topic: TopicFinder | None) -> _Parsed | None:
    if sentence.startswith(_SECOND_ORDER):
        return _about_another(sentence, others, find_topic)
    match = _FIRST_ORDER.fullmatch(sentence)
    if match is None:
        return None
    state, content = _STATES[match["prefix"]], match["content"].strip()
    return _Parsed(state, None, find_topic(thinker, state, content) if find_topic else None, content)


def _about_another(sentence: str, others: Iterable[str], find_topic: TopicFinder | None) -> _Parsed | None:
    for other in others:
        if read := _second_order_readings(sentence, other):
            topics = [find_topic(other, state, content) if find_topic else None for state, content in read]
            best = next((index for index, topic in enumerate(topics) if topic is not None), -1)
            state, content = read[best]
            return _Parsed(state, other, topics[best], content)
    return None


def _second_order_readings(sentence: str, other: str) -> list[tuple[MentalState, str]]:
    """How a thought about ``other`` may be read, the usual way last: "that" may belong to what is believed or known."""
    start = f"{_SECOND_ORDER}{other} "
    if not sentence.startswith(start):
        return []
    verb, _, content = sentence.removeprefix(start).partition(" ")
    content = content.strip()
    for state, its_verb in VERBS.items():
        if verb == its_verb and content:
            may_drop = state in {MentalState.BELIEF, MentalState.KNOWLEDGE} and content.startswith("that ")
            return [(state, content), (state, content.removeprefix("that "))] if may_drop else [(state, content)]
    return []
