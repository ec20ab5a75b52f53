"""Reading utterances: what is said about whose state, from the words alone.

Nothing here sees inner speech or a plan. Two readers share one protocol: `FormReader` knows the forms of words of a
domain pack and reads exactly; `DistinctiveWordReader` knows topics and their values only, and reads any conversation by
the words that tell a value from the others of its topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from operator import attrgetter
from typing import NamedTuple, Protocol

from dtomtrack.beliefs.address import has_second_person, holder_meant, is_addressed, is_told_of
from dtomtrack.beliefs.denials import denials, without_denied_clauses
from dtomtrack.beliefs.scenario import Topic
from dtomtrack.beliefs.statements import is_question, sentences
from dtomtrack.beliefs.template import Template, literals
from dtomtrack.items.words import content_words, words_in_order

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


class Form(NamedTuple):
    """A way to say something; placeholders in ``text`` stand for any words, ``{x}`` and ``{y}`` for two ``shorts``.

    ``{short}`` stands for one of the ``shorts``, ``{who}`` for the name of whose state it is, ``{from}`` for the name
    of one from whom something is kept.

    Attributes:
        role: side of the conversation, "a" or "b", on which the topic's holder is; empty or "any" where anybody may.
        shorts: for a question, the contents by the words that name them, in lower case.
    """

    act: Act
    role: str
    topic: str
    content: str
    text: str
    shorts: Mapping[str, str] | None = None


_GOES_ON = re.compile(r" ?\w")
"""What follows on a form without a period where other words were said that only begin like it."""
_Key = tuple[str, ...]
"""Words that an utterance has if it has a form: two that stand together, one, or none."""


class _Found(NamedTuple):
    """A form that an utterance has; ``name`` is the one that it names, where it names one."""

    start: int
    act: Act
    role: str
    topic: str
    content: str
    name: str


_UTTERANCES = 4096
"""Utterances that are remembered: each is read by who heard it and by verifiers, while some dialogues are under way."""


class Forms:
    """The forms of a pack, compiled for search: one is looked for only where its rarest pair of words occurs."""

    def __init__(self, forms: Iterable[Form]) -> None:
        compiled = [_Compiled(form) for form in forms]
        frequency = Counter(chain.from_iterable(one.keys for one in compiled))
        self._by_key: dict[_Key, list[_Compiled]] = {}
        for one in compiled:
            rarest = min(one.keys, key=frequency.__getitem__, default=())
            self._by_key.setdefault(rarest, []).append(one)
        self._single = {key[0] for key in self._by_key if len(key) == 1}
        self._behind: dict[str, set[str]] = {}
        """By the first word of a pair, the second ones: of the pairs of an utterance few are keys."""
        for first, second in (key for key in self._by_key if len(key) == 2):
            self._behind.setdefault(first, set()).add(second)
        self.read = lru_cache(maxsize=_UTTERANCES)(self._read)

    def _read(self, utterance: str) -> tuple[_Found, ...]:
        """What is said, in the order in which it is said."""
        found = [
            each
            for key in self._keys_in(utterance.split())
            for one in self._by_key[key]
            if one.anchor in utterance
            for each in one.find(utterance)
        ]
        return tuple(sorted(found, key=attrgetter("start")))

    def _keys_in(self, words: Sequence[str]) -> Iterable[_Key]:
        """The keys of forms among the words of an utterance, each once."""
        none = [()] if () in self._by_key else []
        single = zip(filter(self._single.__contains__, words))
        pairs = (pair for pair in pairwise(words) if pair[1] in self._behind.get(pair[0], ()))
        return dict.fromkeys(chain(none, single, pairs))


class _Compiled:
    """A form and how to find it."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._has_places = "{" in form.text
        self.anchor = max(literals(form.text), key=len) if self._has_places else form.text
        inner = self.anchor.split()[1:-1]
        self.keys: list[_Key] = list(pairwise(inner)) or list(zip(inner))

    @cached_property
    def _template(self) -> Template | None:
        # most forms of a pack never occur
        return Template(self._form.text, self._form.shorts or ()) if self._has_places else None

    def find(self, utterance: str) -> list[_Found]:
        """What the form says in an utterance that has its anchor: nothing, one value, or the two it asks about."""
        if self._template is None:
            start = utterance.find(self.anchor)
            goes_on = self.anchor[-1:].isalnum() and _GOES_ON.match(utterance, start + len(self.anchor))
            return [] if goes_on else [self._found(start, self._form.content)]
        found = self._template.find(utterance)
        if found is None:
            return []
        start, named = found
        name = named.get("who") or named.get("from") or ""
        shorts = self._form.shorts
        if shorts is None:
            return [self._found(start, self._form.content, name)]
        if "short" in named:
            return [self._found(start, shorts[named["short"].lower()], name)]
        return [self._found(start, shorts[named[short].lower()], name) for short in ("x", "y")]

    def _found(self, start: int, content: str, name: str = "") -> _Found:
        return _Found(start, self._form.act, self._form.role, self._form.topic, content, name)


class FormReader:
    """Reads dialogues made with the forms of a pack.

    Args:
        forms: the compiled forms.
        names: names of the agents by role, ``{"a": "Maya", "b": "Ben"}``.
        sides: by name, the side of the conversation on which those are who are behind the first two; else all of them
            are on that of the second.
    """

    def __init__(self, forms: Forms, names: Mapping[str, str], sides: Mapping[str, str] | None = None) -> None:
        self._forms = forms
        first = next(iter(names.values()), "")
        self._sides = {name: "a" if name == first else "b" for name in names.values()} | dict(sides or {})
        self._remembered = lru_cache(maxsize=512)(self._read)
        self.states = lru_cache(maxsize=512)(self._states)

    def read(self, turn: int, speaker: str, utterance: str) -> list[Reading]:
        """Read an utterance; what is said comes in the order in which it is said."""
        return list(self._remembered(turn, speaker, utterance))

    def _read(self, turn: int, speaker: str, utterance: str) -> tuple[Reading, ...]:
        readings: dict[Reading, None] = {}
        for one in self._forms.read(utterance):
            holder = self._holder(one, speaker, utterance)
            if holder is not None:
                kept_from = self._known(one.name) or "" if one.act is Act.CONFIDE else ""
                readings[Reading(turn, speaker, one.act, holder, one.topic, one.content, kept_from)] = None
        return tuple(readings)

    def _states(self, turn: int, speaker: str, utterance: str) -> tuple[Reading, ...]:
        """What an utterance says that somebody holds."""
        return tuple(one for one in self._remembered(turn, speaker, utterance) if one.act in _OF_STATES)

    def _holder(self, one: _Found, speaker: str, utterance: str) -> str | None:
        """Name of the agent whose state is spoken of; None if it can't be told, or can't be meant."""
        if one.act is Act.CONFIDE:
            return speaker if self._known(one.name) else None
        if one.act is Act.STATE:
            return speaker if one.role in {*_ANYBODY, self._sides.get(speaker)} else None
        if one.act is Act.MENTION:
            return speaker
        others = [name for name, side in self._sides.items() if name != speaker and one.role in {*_ANYBODY, side}]
        if one.name:
            named = self._known(one.name)
            return named if named in others else None
        if len(others) == 1:
            return others[0]
        named_here = [name for name in others if name in utterance]
        return named_here[0] if named_here else next(iter(others), None)

    def _known(self, name: str) -> str | None:
        """The agent whose name ends what a form takes for a name."""
        return next((known for known in self._sides if name == known or name.endswith(f" {known}")), None)


_OF_STATES = frozenset({Act.STATE, Act.TELL, Act.PRESUME})
_ANYBODY = ("", "any")
"""Roles of topics that anybody may hold."""
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
                content = _granted(values, sentence, words) if act in _OF_STATES else _best(values, words)
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
