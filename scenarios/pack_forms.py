"""The forms of words of a domain pack, compiled for reading: its topics' own, and the lines that topics share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dtomtrack.beliefs.forms import Form, Forms, Naming, SharedForms
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.company_lines import CompanyLines
from dtomtrack.scenarios.pack import DomainPack, PackTopic

__all__ = ["compile_forms"]


def compile_forms(pack: DomainPack, *, several: bool = True) -> Forms:
    """The forms of all topics of a pack, compiled for reading.

    Args:
        several: with what is said only where dialogues are planned for several people, most of all.
    """
    own = (form for topic in pack.topics for form in _forms(topic))
    shared = [*_of_values(pack, several=several), *_of_ignorance(pack.lines, pack.topics)]
    if not several:
        return Forms([*own, *shared])
    among = zip(pack.among_several.topics, pack.topics, strict=True)
    changed = (form for topic, two in among if topic != two for form in _forms(topic))
    return Forms([*own, *changed, *shared, *_of_others(pack.lines, pack.topics), *_in_confidence(pack)])


def _forms(topic: PackTopic) -> Iterator[Form]:
    for text in topic.ask:
        yield Form(Act.ASK, topic.holder, topic.id, "", text, topic.shorts)
    for value in topic.values:
        for act, texts in (
            (Act.STATE, value.say + value.adopt),
            (Act.PRESUME, value.presume),
            (Act.ARGUE, value.reason + value.against),
        ):
            for text in texts:
                said = text if act is Act.STATE else _uncapitalized(text)
                yield Form(act, topic.holder, topic.id, value.clause, said)


def _uncapitalized(text: str) -> str:
    """A line without its first letter, which is small behind a name: "Ben, you'll want ..."."""
    return text if text.startswith("{") else text[1:]


def _shared(lines: Iterable[tuple[Act, str]], namings: Iterable[Naming]) -> Iterator[SharedForms]:
    """Lines that topics share; where one begins with ``{clause}``, the actor gives that a capital."""
    lines, namings = list(lines), list(namings)
    yield SharedForms([line for line in lines if not line[1].startswith("{clause}")], namings)
    first = [(act, text) for act, text in lines if text.startswith("{clause}")]
    if first:
        yield SharedForms(first, [one._replace(words=_uncapitalized(one.words)) for one in namings])


def _of_values(pack: DomainPack, *, several: bool) -> Iterator[SharedForms]:
    """The lines with ``{clause}``, for each mental state: what its topics hold stands in any of them."""
    for state in MentalState:
        lines = list(_voicing(pack.lines, state, several=several))
        if several:
            told = ((Act.TELL, pack.lines.tell), (Act.PRESUME, pack.lines.act))
            lines += [(act, _uncapitalized(text)) for act, texts in told for text in texts.get(state, ())]
        topics = (topic for topic in pack.topics if topic.state is state)
        yield from _shared(lines, (one for topic in topics for one in _values(topic)))


def _values(topic: PackTopic) -> Iterator[Naming]:
    yield from (Naming(topic.holder, topic.id, clause, clause) for clause in topic.clauses)
    for words in topic.rewordings:
        yield Naming(topic.holder, topic.id, "", words, topic.shorts)


def _voicing(lines: CompanyLines, state: MentalState, *, several: bool) -> Iterator[tuple[Act, str]]:
    """The lines by which the holder voices a value, or one takes it for granted to their face."""
    talk = lines.talk
    for ways in (lines.say, lines.adopt, talk.say, talk.unmarked if several else {}, talk.adopt):
        yield from ((Act.STATE, line) for line in ways.get(state, ()))
    for ways in (lines.presume, talk.presume):
        yield from ((Act.PRESUME, _uncapitalized(line)) for line in ways.get(state, ()))
    if several:
        yield from ((Act.MENTION, line) for line in talk.mention.get(state, ()))
    yield from _restating(lines, lines.restated[state])


def _restating(lines: CompanyLines, again: str) -> Iterator[tuple[Act, str]]:
    """The lines by which somebody says that all is as it was, with the sentence that says how."""
    return ((Act.STATE, _uncapitalized(line.replace("{short}", again))) for line in lines.restate)


def _of_ignorance(lines: CompanyLines, topics: Iterable[PackTopic]) -> Iterator[SharedForms]:
    """The lines by which somebody says to know nothing of a topic, by any of its names."""
    says = [(Act.STATE, line) for line in lines.ignorance.say]
    return _with_names([*says, *_restating(lines, lines.ignorance.restated or "")], topics)


def _with_names(lines: Iterable[tuple[Act, str]], topics: Iterable[PackTopic]) -> Iterator[SharedForms]:
    """Lines with ``{label}`` for people who know nothing of a topic."""
    named = [(act, line.replace("{label}", "{clause}")) for act, line in lines]
    unknown = (topic for topic in topics if topic.ignorance)
    namings = (Naming(topic.holder, topic.id, topic.ignorance, name) for topic in unknown for name in topic.names)
    return _shared(named, namings)


def _of_others(lines: CompanyLines, topics: Iterable[PackTopic]) -> Iterator[SharedForms]:
    """What people tell and take for granted of a third who knows nothing of a topic."""
    ignorance = lines.ignorance
    told = ((Act.TELL, ignorance.tell), (Act.PRESUME, (*ignorance.act, *ignorance.presume)))
    return _with_names([(act, _uncapitalized(text)) for act, texts in told for text in texts], topics)


def _in_confidence(pack: DomainPack) -> Iterator[Form | SharedForms]:
    """The lines by which somebody lets on that somebody is to hear something else of a topic, named or not."""
    lines = [*pack.lines.discreet, *pack.lines.kept_up]
    named = [line for line in lines if "{label}" in line]
    namings = []
    for topic in pack.topics:
        namings += [Naming("", topic.id, "", name, topic.claims) for name in topic.names]
        for line in lines:
            if line not in named:
                yield Form(Act.CONFIDE, "", topic.id, "", _uncapitalized(line), topic.claims)
    yield from _shared([(Act.CONFIDE, _uncapitalized(line).replace("{label}", "{clause}")) for line in named], namings)
