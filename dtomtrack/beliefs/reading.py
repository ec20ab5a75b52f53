"""Reading utterances: what is said about whose state, from the words alone.

Nothing here sees inner speech or a plan. Two readers share one protocol: `FormReader` knows the forms of words of a
domain pack and reads exactly; `DistinctiveWordReader` knows topics and their values only, and reads any conversation by
the words that tell a value from the others of its topic.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Protocol

from dtomtrack.beliefs.scenario import Topic
from dtomtrack.items.words import WORD, content_words

__all__ = [
    "Act",
    "DistinctiveWordReader",
    "Form",
    "FormReader",
    "Forms",
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
    """The partner takes for granted that the holder holds it."""
    ARGUE = "argue"
    """The partner gives a reason for it or against it."""
    ASK = "ask"
    """The partner asks about it."""


@dataclass(frozen=True)
class Reading:
    """One thing that was said."""

    turn: int
    speaker: str
    act: Act
    holder: str
    topic: str
    content: str


class Reader(Protocol):
    """Reads one utterance at a time."""

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        ...


def read_all(reader: Reader, transcript: Iterable[tuple[str, str]]) -> list[Reading]:
    """Read a transcript of (speaker, utterance) pairs, turns counted from 0."""
    return [one for turn, (speaker, text) in enumerate(transcript) for one in reader.read(turn, speaker, text)]


@dataclass(frozen=True)
class Form:
    """A way to say something; placeholders in ``text`` stand for any words, ``{x}`` and ``{y}`` for two ``shorts``.

    Attributes:
        role: role of the topic's holder, "a" or "b".
        shorts: for a question, the contents by the words that name them, in lower case.
    """

    act: Act
    role: str
    topic: str
    content: str
    text: str
    shorts: Mapping[str, str] | None = None


_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Forms:
    """The forms of a pack, compiled for search: one is looked for only where its rarest word occurs."""

    def __init__(self, forms: Iterable[Form]) -> None:
        compiled = [_Compiled(form) for form in forms]
        frequency = Counter(chunk for one in compiled for chunk in one.inner_chunks)
        self._by_chunk: dict[str, list[_Compiled]] = defaultdict(list)
        for one in compiled:
            rarest = min(one.inner_chunks, key=lambda chunk: (frequency[chunk], chunk), default="")
            self._by_chunk[rarest].append(one)
        self.read = lru_cache(maxsize=256)(self._read)

    def _read(self, utterance: str) -> tuple[tuple[Act, str, str, str], ...]:
        """(act, role, topic, content) of what is said, in the order in which it is said."""
        found: list[tuple[int, Act, str, str, str]] = []
        for chunk in dict.fromkeys(["", *utterance.split()]):
            for one in self._by_chunk.get(chunk, ()):
                for start, content in one.find(utterance):
                    found.append((start, one.form.act, one.form.role, one.form.topic, content))
        found.sort(key=lambda one: one[0])
        return tuple(one[1:] for one in found)


class _Compiled:
    """A form and how to find it."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self._anchor = max(_PLACEHOLDER.split(form.text)[::2], key=len)
        self._pattern = _pattern(form) if _PLACEHOLDER.search(form.text) else None
        self.inner_chunks = self._anchor.split()[1:-1]

    def find(self, utterance: str) -> list[tuple[int, str]]:
        """(position, content) of what the form says in the utterance: nothing, one value, or the two it asks about."""
        start = utterance.find(self._anchor)
        if start < 0:
            return []
        if self._pattern is None:
            return [(start, self.form.content)]
        match = self._pattern.search(utterance)
        if match is None:
            return []
        shorts = self.form.shorts
        if shorts is None:
            return [(match.start(), self.form.content)]
        return [(match.start(), shorts[match[name].lower()]) for name in ("x", "y")]


def _pattern(form: Form) -> re.Pattern[str]:
    parts = _PLACEHOLDER.split(form.text)
    shorts = "|".join(re.escape(short) for short in sorted(form.shorts or (), key=len, reverse=True))
    shorts = f"(?i:{shorts})"
    for index in range(1, len(parts), 2):
        parts[index] = f"(?P<{parts[index]}>{shorts})" if form.shorts and parts[index] in {"x", "y"} else ".+?"
    parts[::2] = [re.escape(part) for part in parts[::2]]
    return re.compile("".join(parts))


class FormReader:
    """Reads dialogues made with the forms of a pack.

    Args:
        forms: the compiled forms.
        names: names of the agents by role, ``{"a": "Maya", "b": "Ben"}``.
    """

    def __init__(self, forms: Forms, names: Mapping[str, str]) -> None:
        self._forms = forms
        self._names = dict(names)

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        readings = []
        for act, role, topic, content in self._forms.read(utterance):
            holder = self._names[role]
            if (act is Act.STATE) == (holder == speaker):
                readings.append(Reading(turn, speaker, act, holder, topic, content))
        return readings


_SENTENCE = re.compile(r"[^.!?;]+[.!?;]?")
_SECOND_PERSON = re.compile(r"\b(?:you|your|you're|you'd|you'll|you've)\b")
_NEGATION = re.compile(r"\b(?:not|never|no longer|\w+n't)\b")


def distinctive_words(contents: Sequence[str]) -> dict[str, frozenset[str]]:
    """For each content, the content words that no other of them has."""
    words = {content: content_words(content) for content in contents}
    return {
        content: own.difference(*(theirs for other, theirs in words.items() if other != content))
        for content, own in words.items()
    }


class DistinctiveWordReader:
    """Reads any conversation by the words that tell the values of a topic apart.

    A sentence in which at least half of a value's distinctive words occur is about that value. Said by the holder it
    states it (unless it is negated or a question); said by anybody else it presumes it if the holder is addressed, else
    argues; a question asks.
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = [(topic, distinctive_words(topic.values)) for topic in topics]

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        readings = []
        for sentence in _SENTENCE.findall(utterance):
            lowered = sentence.lower()
            words = frozenset(WORD.findall(lowered))
            for topic, values in self._topics:
                content = _best(values, words)
                act = _act(lowered, by_holder=speaker == topic.holder)
                if content is not None and act is not None:
                    readings.append(Reading(turn, speaker, act, topic.holder, topic.id, content))
        return readings


def _best(values: Mapping[str, frozenset[str]], words: frozenset[str]) -> str | None:
    scores = {content: len(own & words) / len(own) for content, own in values.items() if own}
    best = max(scores, key=lambda content: scores[content], default=None)
    return best if best is not None and scores[best] >= 0.5 else None


def _act(sentence: str, *, by_holder: bool) -> Act | None:
    if sentence.endswith("?"):
        return None if by_holder else Act.ASK
    if by_holder:
        return None if _NEGATION.search(sentence) else Act.STATE
    return Act.PRESUME if _SECOND_PERSON.search(sentence) else Act.ARGUE
