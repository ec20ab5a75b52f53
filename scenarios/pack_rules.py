"""Rules that a domain pack has to keep beyond its shape, so that what is made from it can be asked about.

The rules make every value readable and every line usable: each form of a value names it by a word that no other value
of the topic has; no line but the program's own markers signals a change of mind; placeholders can be filled; questions
can be built.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from pydantic import BaseModel

from dtomtrack.beliefs.inner_speech import is_one_sentence
from dtomtrack.beliefs.reading import distinctive_words
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.acting.naming import says_name
from dtomtrack.scenarios.company_lines import misplaced_problems
from dtomtrack.scenarios.company_rules import line_problems
from dtomtrack.scenarios.labels import contents_told
from dtomtrack.scenarios.located_yaml import FieldPath
from dtomtrack.scenarios.pack import DomainPack, PackTopic, PackValue
from dtomtrack.scenarios.roles import role_of

__all__ = ["Problem", "problems"]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and where in the pack."""

    path: FieldPath
    message: str


_Located = tuple[FieldPath, str]
"""A text of a pack and where it stands."""
_FORM_FIELDS = ("say", "adopt", "presume", "reason", "against")
_PLACEHOLDER = re.compile(r"\{([^}]*)\}")
_SIGNALS = re.compile(
    r"\b(actually|wait|on second thought|come to think of it|hold on|realized|now that i|in that case|you know what|"
    r"take that back|scratch (?:that|what)|after all|changed my mind|i was wrong|mistakenly|turns out|a minute ago)\b"
)
_FIRST_OR_SECOND_PERSON = re.compile(r"\b(i|me|my|mine|we|us|our|you|your)\b")
_FILLINGS, _AS_IT_STANDS = frozenset({"settings", "names"}), frozenset({"spoken", "slots"})
"""What fills placeholders, and what is said as it is written, by where it stands."""
_BRACKET = re.compile(r"[()\[\]{}<>*]")
_END_MARKS = ".!?…"
_MOST_ALIKE = 1.9
"""The longest clause of a topic may be that many times as long as its shortest, so that length gives nothing away."""


def problems(pack: DomainPack) -> list[Problem]:
    """Everything that is wrong with a pack, in the order of the file."""
    texts = list(_texts(pack))
    found = [
        *_duplicates(pack),
        *_enough_topics(pack),
        *_every_state(pack),
        *_placeholders(pack, texts),
        *_signals(texts),
        *(problem for index, topic in enumerate(pack.topics) for problem in _topic(("topics", index), topic)),
        *_misplaced(pack),
        *_instead(pack, texts),
    ]
    return found if any(one.path[:2] == _INSTEAD for one in found) else [*found, *_among_several(pack, found)]


def _duplicates(pack: DomainPack) -> Iterator[Problem]:
    yield from _repeated(("topics",), [topic.id for topic in pack.topics], "id")
    yield from _repeated(("topics",), [topic.label.casefold() for topic in pack.topics], "label")
    called = Counter(name for topic in pack.topics for name in {one.casefold() for one in (topic.label, *topic.names)})
    for index, topic in enumerate(pack.topics):
        for number, name in enumerate(topic.spoken):
            if called[name.casefold()] > 1:
                yield Problem(("topics", index, "spoken", number), f"{name!r} is what another topic is called, too")
    yield from _repeated(("situations",), [situation.id for situation in pack.situations], "id")
    yield from _repeated(("names",), list(pack.names), None)
    seen: dict[str, FieldPath] = {}
    for index, topic in enumerate(pack.topics):
        yield from _repeated(("topics", index, "values"), [value.id for value in topic.values], "id")
        for number, value in enumerate(topic.values):
            path: FieldPath = ("topics", index, "values", number, "clause")
            if value.clause in seen:
                yield Problem(path, f"the clause {value.clause!r} stands at {_dotted(seen[value.clause])} already")
            seen.setdefault(value.clause, path)
    yield from _reworded_alike(pack, seen)


def _reworded_alike(pack: DomainPack, seen: dict[str, FieldPath]) -> Iterator[Problem]:
    for index, topic in enumerate(pack.topics):
        for number, text in _fillable(topic.rewordings):
            path: FieldPath = ("topics", index, "rewordings", number)
            for words in (text.replace("{short}", value.short) for value in topic.values):
                if words in seen:
                    yield Problem(path, f"gives {words!r}, which stands at {_dotted(seen[words])} already")
                seen.setdefault(words, path)


def _fillable(rewordings: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Those that a value can be put into, and where they stand."""
    return ((index, text) for index, text in enumerate(rewordings) if _takes_short(text))


def _takes_short(text: str) -> bool:
    return _PLACEHOLDER.findall(text) == ["short"]


def _repeated(path: FieldPath, names: list[str], field: str | None) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name in names[:index]:
            where = (*path, index) if field is None else (*path, index, field)
            yield Problem(where, f"{name!r} stands there twice; give each its own")


def _enough_topics(pack: DomainPack) -> Iterator[Problem]:
    held = Counter(topic.holder for topic in pack.topics)
    for role in ("a", "b"):
        if held[role] + held["any"] < 3:
            yield Problem(("topics",), f"agent {role} holds {held[role]} topics; at least 3 are needed")


def _every_state(pack: DomainPack) -> Iterator[Problem]:
    for state in sorted({topic.state for topic in pack.topics} - {*pack.reactions.acknowledge}):
        yield Problem(("reactions", "acknowledge"), f"has no lines for {state}, which a topic of the pack is")


def _placeholders(pack: DomainPack, texts: Sequence[_Located]) -> Iterator[Problem]:
    shared = {"a", "b", *pack.settings}
    people = [role_of(2 + index) for index in range(len(pack.people))]
    common = _common_slots(pack)
    for slot in sorted({*pack.settings} & {"a", "b", *people}):
        yield Problem(("settings", slot), f"{{{slot}}} is the name of a person; call the slot otherwise")
    yield from _uneven_slots(pack, common)
    for path, text in texts:
        if path[0] == "company":
            yield from (Problem(path, message) for message in line_problems(path, text, shared | common))
            continue
        allowed = shared | common
        if path[0] == "people":
            # who is behind them in the list may not be there
            allowed = allowed | set(people[: int(path[1]) + 1])
        if path[-2:-1] == ("ask",):
            allowed = allowed | {"x", "y"}
            if not {"x", "y"} <= set(_PLACEHOLDER.findall(text)):
                yield Problem(path, "a question needs {x} and {y}, which take the shorts of two values")
        if path[-2:-1] == ("shift",):
            allowed = allowed | {"label"}
        if path[-1] in {"clause", "short", "label"} or path[0] in _FILLINGS or not _AS_IT_STANDS.isdisjoint(path):
            allowed = set()
        if path[-2:-1] == ("rewordings",):
            allowed = {*_PLACEHOLDER.findall(text)}
            if not _takes_short(text):
                yield Problem(path, "needs {short} once, which takes the short of a value, and nothing else in braces")
        for name in _PLACEHOLDER.findall(text):
            if name not in allowed:
                may = f"it may be one of {sorted(allowed)}" if allowed else "there may be none"
                yield Problem(path, f"unknown placeholder {{{name}}}; here {may}")
        if "{" in (rest := _PLACEHOLDER.sub("", text)) or "}" in rest:
            yield Problem(path, "has a brace without its other; a placeholder is {name}")


def _common_slots(pack: DomainPack) -> frozenset[str]:
    """Slots that lines may have: those of most situations, as one that is left out once is missing there."""
    given = Counter(slot for situation in pack.situations for slot in situation.slots)
    return frozenset(slot for slot, count in given.items() if 2 * count >= len(pack.situations))


def _uneven_slots(pack: DomainPack, common: Set[str]) -> Iterator[Problem]:
    for index, situation in enumerate(pack.situations):
        path: FieldPath = ("situations", index, "slots")
        for slot in sorted(common - {*situation.slots}):
            yield Problem(path, f"situation {situation.id!r} has no {slot!r}, which others have; add it there")
        for extra in sorted({*situation.slots} - common):
            yield Problem(
                (*path, extra), f"placeholder {extra!r} is not in every situation; give it to all, or to none"
            )


def _signals(texts: Sequence[_Located]) -> Iterator[Problem]:
    for path, text in texts:
        if path[0] not in {"brief", "roles", "names"} and (match := _SIGNALS.search(text.lower())):
            yield Problem(path, f"{match.group()!r} signals a change of mind, which only the markers may do")


def _misplaced(pack: DomainPack) -> Iterator[Problem]:
    for index, message in misplaced_problems(pack.company):
        yield Problem(("company", "misplaced", *(() if index is None else (index,))), message)


_INSTEAD: FieldPath = ("company", "instead")
_NO_LINES = frozenset({"spoken", "names"})
"""Lists of texts that are no lines."""


def _instead(pack: DomainPack, texts: Sequence[_Located]) -> Iterator[Problem]:
    """What stands for a line where several talk stands for one that the pack has."""
    listed = [(path, text) for path, text in texts if isinstance(path[-1], int) and _NO_LINES.isdisjoint(path)]
    own = {text for path, text in listed if path[:1] != ("company",)}
    for line in pack.company.instead:
        if line not in own:
            yield Problem((*_INSTEAD, line), "stands for no line of the pack")


def _among_several(pack: DomainPack, found: Sequence[Problem]) -> Iterator[Problem]:
    """What is wrong with the pack as it is where several talk, and not where two do."""
    if pack.company.instead:
        for one in problems(pack.among_several):
            if one not in found:
                yield Problem(_INSTEAD, f"what stands for {_dotted(one.path)}: {one.message}")


def _topic(path: FieldPath, topic: PackTopic) -> Iterator[Problem]:
    lengths = sorted(len(clause) for clause in topic.clauses)
    if lengths[-1] > _MOST_ALIKE * lengths[0]:
        yield Problem((*path, "values"), f"clauses of {lengths[0]} to {lengths[-1]} letters; make them alike in length")
    for clause in contents_told(topic.label, topic.clauses):
        yield Problem((*path, "label"), f"has a word of {clause!r} alone; it has to fit all values")
    yield from _spoken((*path, "spoken"), topic)
    distinctive = distinctive_words(topic.clauses)
    every_word = frozenset().union(*distinctive.values())
    for field in ("ask", "wonder", "lead", "approach", "note"):
        for index, text in enumerate(getattr(topic, field)):
            if hit := every_word & content_words(text):
                yield Problem(
                    (*path, field, index), f"names a value ({', '.join(sorted(hit))}); it has to fit all of them"
                )
    for index, text in enumerate(topic.approach):
        if not says_name(topic, text):
            yield Problem((*path, "approach", index), f"has none of the topic's names: {', '.join(topic.names)}")
    yield from _rewordings(path, topic, every_word)
    for index, value in enumerate(topic.values):
        yield from _value((*path, "values", index), value, distinctive)


def _rewordings(path: FieldPath, topic: PackTopic, every_word: frozenset[str]) -> Iterator[Problem]:
    """What is wrong with the other words for clauses: they stand where a clause does, and fit every value."""
    for index, text in _fillable(topic.rewordings):
        where: FieldPath = (*path, "rewordings", index)
        words = text.replace("{short}", topic.values[0].short)
        yield from _within_a_sentence(where, words)
        if match := _FIRST_OR_SECOND_PERSON.search(words.lower()):
            yield Problem(where, f"has {match.group()!r}; it must do for the first and the third person alike")
        if hit := every_word & content_words(text.replace("{short}", "")):
            yield Problem(where, f"names a value ({', '.join(sorted(hit))}); it has to fit all of them")


def _spoken(path: FieldPath, topic: PackTopic) -> Iterator[Problem]:
    """What people call a topic: as good as its label in questions about it, and for everybody."""
    for number, name in enumerate(topic.spoken):
        where: FieldPath = (*path, number)
        for clause in contents_told(name, topic.clauses):
            yield Problem(where, f"has a word of {clause!r} alone; it has to fit all values")
        if match := _FIRST_OR_SECOND_PERSON.search(name.lower()):
            yield Problem(where, f"has {match.group()!r}; everybody has to be able to say it")


def _value(path: FieldPath, value: PackValue, distinctive: dict[str, frozenset[str]]) -> Iterator[Problem]:
    own = distinctive[value.clause]
    if not own:
        yield Problem((*path, "clause"), "has no word that tells it from the other values of the topic")
        return
    for field in ("clause", "short"):
        yield from _within_a_sentence((*path, field), getattr(value, field))
    if match := _FIRST_OR_SECOND_PERSON.search(value.clause.lower()):
        yield Problem((*path, "clause"), f"has {match.group()!r}; it must do for the first and the third person alike")
    if match := _FIRST_OR_SECOND_PERSON.search(value.short.lower()):
        yield Problem((*path, "short"), f"has {match.group()!r}; both agents have to be able to say it")
    for where, text in _value_texts(path, value):
        words = content_words(text)
        if not own & words:
            yield Problem(where, f"does not name its value: none of {', '.join(sorted(own))} in it")
        for clause, theirs in distinctive.items():
            if clause != value.clause and (hit := theirs & words):
                yield Problem(where, f"names another value: {', '.join(sorted(hit))} belongs to {clause!r}")
    for index, text in enumerate(value.adopt):
        if text[-1] in _END_MARKS:
            yield Problem((*path, "adopt", index), "goes on after a marker and ends without a period: take it off")


def _within_a_sentence(path: FieldPath, text: str) -> Iterator[Problem]:
    """Thoughts are told by their brackets and their ends, so that none may hold either."""
    if match := _BRACKET.search(text):
        yield Problem(path, f"has {match.group()!r}: thoughts stand in brackets; write it without")
    if text[-1] in _END_MARKS:
        yield Problem(path, f"ends with {text[-1]!r}; it stands within sentences: take it off")
    elif not is_one_sentence(text):
        yield Problem(path, "is several sentences; say it in one")


def _value_texts(path: FieldPath, value: PackValue) -> Iterator[_Located]:
    yield (*path, "short"), value.short
    for field in _FORM_FIELDS:
        for index, text in enumerate(getattr(value, field)):
            yield (*path, field, index), text


def _texts(node: object, path: FieldPath = ()) -> Iterator[_Located]:
    if isinstance(node, BaseModel):
        for name in type(node).model_fields:
            yield from _texts(getattr(node, name), (*path, name))
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _texts(value, (*path, str(key)))
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            yield from _texts(value, (*path, index))
    elif isinstance(node, str):
        yield path, str(node)


def _dotted(path: FieldPath) -> str:
    return ".".join(str(part) for part in path)
