"""Inner speech: thoughts in words, and back (paper, "Conversation Generation" and "Belief State Tracking").

A thought about the world starts with the prefix of its mental state ("I believe that same-day booking is fine"); a
thought about a partner names whose state it is about ("I think that Ben believes same-day booking is fine").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from dtomtrack.beliefs.dialogue import InnerSpeech
from dtomtrack.beliefs.scenario import MentalState

__all__ = ["PREFIXES", "VERBS", "TopicFinder", "parse_thought", "parse_thoughts", "second_order", "thought"]

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

_FIRST_ORDER = [(state, re.compile(rf"{prefix}\s+(?P<content>.+)", re.DOTALL)) for state, prefix in PREFIXES.items()]
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bSt\.)\s+(?=[A-Z])|\n+|\)\s*\((?=I )")


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
    inner = text.strip().rstrip(".").rstrip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1]
    others = tuple(others)
    found = (parse_thought(sentence, thinker, others, find_topic) for sentence in _SENTENCE_END.split(inner))
    return tuple(one for one in found if one is not None)


def parse_thought(
    sentence: str, thinker: str, others: Iterable[str], find_topic: TopicFinder | None = None
) -> InnerSpeech | None:
    """One thought, or None if the sentence has no prefix of inner speech."""
    sentence = sentence.strip().rstrip(".").strip()
    for other in others:
        if read := _second_order_readings(sentence, other):
            topics = [find_topic(other, state, content) if find_topic else None for state, content in read]
            best = next((index for index, topic in enumerate(topics) if topic is not None), -1)
            state, content = read[best]
            return InnerSpeech(
                mental_state=state, order=2, about=other, topic=topics[best], content=content, text=sentence
            )
    for state, pattern in _FIRST_ORDER:
        if match := pattern.fullmatch(sentence):
            content = match["content"].strip()
            topic = find_topic(thinker, state, content) if find_topic else None
            return InnerSpeech(mental_state=state, topic=topic, content=content, text=sentence)
    return None


def _second_order_readings(sentence: str, other: str) -> list[tuple[MentalState, str]]:
    """How a thought about ``other`` may be read, the usual way last: "that" may belong to what is believed or known."""
    start = f"I think that {other} "
    if not sentence.startswith(start):
        return []
    verb, _, content = sentence.removeprefix(start).partition(" ")
    content = content.strip()
    for state, its_verb in VERBS.items():
        if verb == its_verb and content:
            may_drop = state in {MentalState.BELIEF, MentalState.KNOWLEDGE} and content.startswith("that ")
            return [(state, content), (state, content.removeprefix("that "))] if may_drop else [(state, content)]
    return []
