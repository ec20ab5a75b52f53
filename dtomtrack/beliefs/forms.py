"""The forms of words of a domain pack, and which of them an utterance has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.template import Template, literals

__all__ = ["Form", "Forms", "Found", "Naming", "SharedForms"]


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


class Naming(NamedTuple):
    """Words that name a content, or a topic, within lines that many share; the rest as in `Form`."""

    role: str
    topic: str
    content: str
    words: str
    shorts: Mapping[str, str] | None = None


class SharedForms(NamedTuple):
    """Each of the lines with each of the namings at ``{clause}``: thousands of forms, of which few ever occur."""

    lines: Sequence[tuple[Act, str]]
    namings: Sequence[Naming]


class Found(NamedTuple):
    """A form that an utterance has; ``name`` is the one that it names, where it names one."""

    start: int
    act: Act
    role: str
    topic: str
    content: str
    name: str


_UTTERANCES = 4096
"""Utterances that are remembered: each is read by who heard it and by verifiers, while some dialogues are under way."""


_FORMS = 256
"""Forms that are kept compiled of each set of lines that many namings share: those of the dialogues under way."""


class Forms:
    """The forms of a pack, compiled for search."""

    def __init__(self, forms: Iterable[Form | SharedForms]) -> None:
        self._texts = _Index([text for form in forms for text in _texts(form)])
        self.read = lru_cache(maxsize=_UTTERANCES)(self._read)

    def _read(self, utterance: str) -> tuple[Found, ...]:
        """What is said, in the order in which it is said."""
        found = [
            each
            for text in self._texts.among(utterance)
            for form in text.forms(utterance)
            if form.anchor in utterance
            for each in form.find(utterance)
        ]
        # a name may be taken to begin in the sentence before, where something else begins
        return tuple(sorted(found, key=lambda one: (one.start, one.name != "")))


def _texts(form: Form | SharedForms) -> Iterator[_Compiled | _Named]:
    if isinstance(form, Form):
        return iter([_Compiled(form)])
    lines = _Lines(form.lines)
    return (_Named(naming, lines) for naming in form.namings)


_Key = tuple[str, ...]
"""Words that an utterance has if it has a text: two that stand together, one, or none."""


class _Index:
    """Texts, each of which is looked for only where its rarest pair of words occurs."""

    def __init__(self, texts: Sequence[_Compiled | _Named]) -> None:
        keys = [_keys(one.anchor) for one in texts]
        frequency = Counter(chain.from_iterable(keys))
        self._by_key: dict[_Key, list[_Compiled | _Named]] = {}
        for one, own in zip(texts, keys, strict=True):
            self._by_key.setdefault(min(own, key=frequency.__getitem__, default=()), []).append(one)

    def among(self, utterance: str) -> list[_Compiled | _Named]:
        """The texts of whose anchors an utterance has one."""
        keys = self._keys_in(utterance.split())
        return [one for key in keys for one in self._by_key[key] if one.anchor in utterance]

    def _keys_in(self, words: Sequence[str]) -> Iterable[_Key]:
        """The keys of texts among the words of an utterance, each once."""
        keys: Iterable[_Key] = chain([()], zip(words), pairwise(words))
        return dict.fromkeys(filter(self._by_key.__contains__, keys))


def _keys(anchor: str) -> list[_Key]:
    """The first word and the last one of an anchor may be parts of words of the utterance."""
    inner = anchor.split()[1:-1]
    return list(pairwise(inner)) or list(zip(inner))


def _anchor(text: str) -> str:
    return max(literals(text), key=len) if "{" in text else text


class _Lines:
    """Lines with a place for a naming; those that an utterance may have are looked for once."""

    def __init__(self, lines: Iterable[tuple[Act, str]]) -> None:
        self._lines = [(_anchor(text), (act, text)) for act, text in lines]
        self.among = lru_cache(maxsize=1)(self._among)
        self.form_with = lru_cache(maxsize=_FORMS)(_form_with)

    def _among(self, utterance: str) -> list[tuple[Act, str]]:
        """The lines of whose anchors an utterance has one."""
        return [line for anchor, line in self._lines if anchor in utterance]


class _Named:
    """A naming, and the lines that it may stand in."""

    def __init__(self, naming: Naming, lines: _Lines) -> None:
        self.naming, self._lines = naming, lines
        self.anchor = _anchor(naming.words)

    def forms(self, utterance: str) -> Iterator[_Compiled]:
        """The forms that an utterance with this naming may have."""
        return (self._lines.form_with(self, line) for line in self._lines.among(utterance))


def _form_with(named: _Named, line: tuple[Act, str]) -> _Compiled:
    """The form that a line is with a naming in it."""
    role, topic, content, words, shorts = named.naming
    act, text = line
    return _Compiled(Form(act, role, topic, content, text.replace("{clause}", words), shorts))


_GOES_ON = re.compile(r" ?\w")
"""What follows on a form without a period where other words were said that only begin like it."""


class _Compiled:
    """A form and how to find it."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._has_places = "{" in form.text
        self.anchor = _anchor(form.text)

    def forms(self, utterance: str) -> tuple[_Compiled]:
        """Itself, whatever the utterance."""
        return (self,)

    @cached_property
    def _template(self) -> Template | None:
        # most forms of a pack never occur
        return Template(self._form.text, self._form.shorts or ()) if self._has_places else None

    def find(self, utterance: str) -> list[Found]:
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

    def _found(self, start: int, content: str, name: str = "") -> Found:
        return Found(start, self._form.act, self._form.role, self._form.topic, content, name)
