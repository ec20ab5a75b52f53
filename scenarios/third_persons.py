"""The forms by which people speak of a third: what they tell, take for granted, and ask to be kept from somebody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dtomtrack.beliefs.reading import Act, Form
from dtomtrack.scenarios.company_lines import CompanyLines, company_lines
from dtomtrack.scenarios.pack import DomainPack, PackTopic

__all__ = ["forms_of_others"]

_NOTHING = "nothing"
"""The short of knowing nothing of a topic."""


def forms_of_others(pack: DomainPack) -> Iterator[Form]:
    """The lines of a pack, or those that all packs share, in which somebody's name stands for whose state it is."""
    lines = company_lines(pack.company)
    for topic in pack.topics:
        shorts = {**topic.shorts, **({_NOTHING: topic.ignorance} if topic.ignorance else {})}
        for text in lines.discreet:
            for name in topic.names:
                yield Form(Act.CONFIDE, "", topic.id, "", uncapitalized(text.replace("{label}", name)), shorts)
        yield from _of_values(topic, lines)
        if topic.ignorance:
            yield from _of_ignorance(topic, lines)


def _of_values(topic: PackTopic, lines: CompanyLines) -> Iterator[Form]:
    for act, texts in ((Act.TELL, lines.tell), (Act.PRESUME, lines.act)):
        for text in map(uncapitalized, texts.get(topic.state, ())):
            for value in topic.clauses:
                yield Form(act, topic.holder, topic.id, value, text.replace("{clause}", value))
            for words in topic.rewordings:
                yield Form(act, topic.holder, topic.id, "", text.replace("{clause}", words), topic.shorts)


def _of_ignorance(topic: PackTopic, lines: CompanyLines) -> Iterator[Form]:
    texts: Sequence[tuple[Act, Sequence[str]]] = (
        (Act.TELL, lines.ignorance.tell),
        (Act.PRESUME, (*lines.ignorance.act, *lines.ignorance.presume)),
    )
    for act, group in texts:
        for text in group:
            for name in topic.names if "{label}" in text else ("",):
                yield Form(act, topic.holder, topic.id, topic.ignorance, uncapitalized(text.replace("{label}", name)))


def uncapitalized(text: str) -> str:
    """A line without its first letter, which is small behind a name: "Ben, you'll want ..."."""
    return text if text.startswith("{") else text[1:]
