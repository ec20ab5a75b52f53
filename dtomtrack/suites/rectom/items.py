"""Records of RecToM as items: what they are grouped by, and what has to be right together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dtomtrack.items.contexts import LinesContext
from dtomtrack.items.item import Item
from dtomtrack.items.letters import letter_of
from dtomtrack.suites.rectom.findings import asked_line, movie_of
from dtomtrack.suites.rectom.labels import ATTITUDES, COARSE, FINE, Role
from dtomtrack.suites.rectom.published import PublishedRecord

__all__ = [
    "AT_ONCE",
    "FAMILY",
    "INTENTION",
    "MOVIE",
    "NEXT",
    "STRATEGY",
    "OptionLabels",
    "items_of_records",
    "published_codes",
]

STRATEGY = "strategy"
INTENTION, NEXT, MOVIE, AT_ONCE = "intention", "next", "movie", "at_once"
"""Kinds of what belongs together: labels of an utterance, coarse and fine; what is asked about the next line; belief
and desire about a movie; movies that are asked about at one position."""

FAMILY = {
    "coarse intention": "cognitive inference",
    "fine intention": "cognitive inference",
    "belief": "cognitive inference",
    "desire": "cognitive inference",
    "prediction": "behavioral prediction",
    "judgement": "behavioral prediction",
}
"""By what is asked, the paper's two dimensions."""


@dataclass(frozen=True)
class OptionLabels:
    """The labels that fine options stand for.

    Attributes:
        coarse: by type, the coarse labels by position; of types for which nothing says any, none.
        codes: by type, IARD's codes by position, where they are known.
        strategies: by role and text, the coarse label that a strategy of a judgement item is.
    """

    coarse: Mapping[str, Sequence[str]] = field(default_factory=dict)
    codes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    strategies: Mapping[tuple[Role, str], str] = field(default_factory=dict)

    def of(self, record: PublishedRecord) -> tuple[str, ...]:
        """The labels of an item's options, by position; none where they are not known."""
        kind = record.kind
        if kind.asks == "fine intention":
            return self._fine(kind.type)
        if kind.asks == "belief":
            return tuple(ATTITUDES)
        if kind.says_yes:
            return tuple(option.strip().casefold() for option in record.options)
        return tuple(COARSE[kind.role])

    def _fine(self, kind: str) -> tuple[str, ...]:
        coarse = self.coarse.get(kind)
        if coarse is None:
            return ()
        names = self.codes.get(kind) or [letter_of(position) for position in range(len(coarse))]
        return tuple(f"{label}: {name}" for label, name in zip(coarse, names, strict=True))


def published_codes(kind: str) -> Sequence[str]:
    """The codes of the fine options of a type in the order of the published letters, where that is known."""
    return tuple(FINE["recommender"]) if kind == "fine_intention_rec" else ()


def items_of_records(records: Iterable[PublishedRecord], labels: OptionLabels) -> Iterator[Item]:
    """Records as items, of published ones under the name of the source in any variant; several movies that are asked
    about at one position are numbered."""
    ids: dict[str, int] = {}
    for record in records:
        name = f"{record.kind.type}/{record.name or f'{record.dialogue}/{len(record.lines)}'}"
        ids[name] = number = ids.get(name, 0) + 1
        yield _item(record, name if number == 1 else f"{name}#{number}", labels)


def _item(record: PublishedRecord, name: str, labels: OptionLabels) -> Item:
    return Item(
        id=name,
        cluster=record.dialogue,
        question=record.question,
        options=record.options,
        gold=record.gold,
        select=record.kind.select,
        groups=dict(_groups(record, labels)),
        joint=dict(_joint(record)),
        roles=labels.of(record),
        turn=_turn(record),
        context=LinesContext(record.lines),
    )


def _turn(record: PublishedRecord) -> int:
    """The line that is asked about: of intentions their own, else the last one that is shown."""
    asked = asked_line(record) if record.kind.is_intention else None
    return len(record.lines) if asked is None else asked


def _groups(record: PublishedRecord, labels: OptionLabels) -> Iterator[tuple[str, str]]:
    kind = record.kind
    yield "type", kind.type
    yield "dimension", FAMILY[kind.asks]
    yield "role", kind.role
    if kind.select == "any":
        yield "gold_size", str(len(record.gold))
    if kind.asks == "judgement" and record.subject is not None:
        yield STRATEGY, f"{kind.role}: {labels.strategies.get((kind.role, record.subject), record.subject)}"
    if kind.is_intention:
        yield "lines_behind", str(len(record.lines) - _turn(record))


def _joint(record: PublishedRecord) -> Iterator[tuple[str, str]]:
    kind, at = record.kind, f"{record.dialogue}/{len(record.lines)}"
    if kind.is_intention:
        yield INTENTION, f"{kind.role} {at}"
    elif kind.asks in {"prediction", "judgement"}:
        yield NEXT, f"{kind.role} {at}"
    else:
        yield AT_ONCE, f"{kind.asks} {at}"
        yield MOVIE, f"{record.dialogue} {movie_of(record)}"
