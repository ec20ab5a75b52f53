"""The lines of a dataset folder of items (format version 2): what is asked about, stored once, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from dtomtrack.items.item import ContextLine, Item, ItemContext, Select, check_item
from dtomtrack.items.letters import LETTERS, letter_of, position_of
from dtomtrack.records import Count, Record, Text

__all__ = [
    "CONTEXTS",
    "FORMAT_VERSION",
    "ITEMS",
    "REJECTED",
    "ContextRecord",
    "ItemLine",
    "RejectedLine",
    "SeenContext",
    "StoredLine",
    "stored_line",
]

FORMAT_VERSION = 2
CONTEXTS, ITEMS, REJECTED = "dialogues.jsonl", "questions.jsonl", "rejected.jsonl"

Letter = Annotated[str, StringConstraints(pattern=r"^[A-Z]$")]


class StoredLine(Record):
    """One line of what items ask about; ``speaker`` is empty where nobody is named."""

    speaker: str
    text: str


class ContextRecord(Record):
    """A line of ``dialogues.jsonl``: what items ask about, as long as any of them sees it.

    Attributes:
        background: what is known beforehand, and shown only under conditions that say so; mostly empty.
    """

    id: Text
    lines: tuple[StoredLine, ...]
    background: Annotated[str, Field(exclude_if=lambda text: not text)] = ""


class SeenContext(Record):
    """Which context an item asks about, and how many of its lines, from the first, it asks about."""

    id: Text
    lines: Annotated[int, Field(ge=1)]


class ItemLine(Record):
    """A line of ``questions.jsonl``.

    Attributes:
        cluster: shared by items that are not independent of each other: their dialogue.
        options: by letter, A and on.
        select: whether exactly one option is right ("one") or one or several are ("any").
        answer: the letters of the right options, in order.
        option_roles: by letter, how each option was made; None where that is not known.
        groups: what results are grouped by, name to value.
        joint: what has to be right together, kind to id.
        context: None where nothing is asked about.
    """

    id: Text
    cluster: Text
    question: str
    options: dict[Letter, str]
    select: Select
    answer: tuple[Letter, ...]
    option_roles: dict[Letter, str] | None = None
    groups: dict[str, str] = Field(default_factory=dict)
    joint: dict[str, str] = Field(default_factory=dict)
    turn: Count | None = None
    context: SeenContext | None = None

    @model_validator(mode="after")
    def _is_an_item(self) -> Self:
        letters = LETTERS[: len(self.options)]
        if tuple(self.options) != letters:
            raise ValueError(f"the options have the letters {''.join(self.options)}, which are not A and on, in order")
        if list(self.answer) != sorted(set(self.answer)):
            raise ValueError(f"the letters of the answer {''.join(self.answer)} have to stand in order, each once")
        if self.option_roles is not None and tuple(self.option_roles) != letters:
            raise ValueError("the roles are not of the options, in order")
        check_item(self.id, len(letters), tuple(map(position_of, self.answer)), self.select)
        return self

    def to_item(self, context: ItemContext | None) -> Item:
        """The item.

        Raises:
            ValueError: it can't be one.
        """
        return Item(
            id=self.id,
            cluster=self.cluster,
            question=self.question,
            options=tuple(self.options.values()),
            gold=frozenset(map(position_of, self.answer)),
            select=self.select,
            groups=self.groups,
            joint=self.joint,
            roles=tuple((self.option_roles or {}).values()),
            turn=self.turn,
            context=context,
        )

    @classmethod
    def of_item(cls, item: Item, context: SeenContext | None) -> ItemLine:
        """An item as a line."""
        return cls(
            id=item.id,
            cluster=item.cluster,
            question=item.question,
            options=_by_letter(item.options),
            select=item.select,
            answer=tuple(map(letter_of, sorted(item.gold))),
            option_roles=_by_letter(item.roles) if item.roles else None,
            groups=dict(item.groups),
            joint=dict(item.joint),
            turn=item.turn,
            context=context,
        )


class RejectedLine(Record):
    """A line of ``rejected.jsonl``: a record that is no item, and why.

    Attributes:
        file: in which it stands; ``place``: where in it.
    """

    id: str
    file: str
    place: str
    reason: str


def _by_letter(texts: Sequence[str]) -> Mapping[str, str]:
    return dict(zip(LETTERS, texts, strict=False))


def stored_line(line: ContextLine) -> StoredLine:
    """A line as it is stored."""
    return StoredLine(speaker=line.speaker, text=line.text)
