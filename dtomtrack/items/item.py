"""An item: one question with its options, which of them are right, and what it asks about.

Options are known by their positions, counted from 0; letters exist only where options are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from dtomtrack.items.letters import MOST_OPTIONS

__all__ = ["ContextLine", "Item", "ItemContext", "Select", "chance"]

Select = Literal["one", "any"]
"""Whether exactly one option is right, or any number of them, at least one."""

_NOTHING: Mapping[str, str] = {}


class ContextLine(NamedTuple):
    """One line of what an item asks about; ``speaker`` is empty where nobody is named."""

    speaker: str
    text: str


class ItemContext(Protocol):
    """The context that an item asks about, in the forms in which its suite shows it."""

    @property
    def lines(self) -> Sequence[ContextLine]:
        """The lines that are said aloud, in order: all that rules by words ever read."""
        ...

    def text(self, condition: str) -> str:
        """The text that a subject sees beside the question under one of the suite's conditions."""
        ...


@dataclass(frozen=True, slots=True)
class Item:
    """A question with 2 to 26 options.

    Attributes:
        cluster: shared by items that are not independent of each other: their dialogue.
        gold: the positions of the right options.
        groups: what results are grouped by, name to value ("type": "pre_update").
        joint: what has to be right together, kind to id ("update": "dialogue 3, the table, turn 6").
        roles: how each option was made; empty where that is not known.
        turn: the turn that the question is about, where there is one.

    Raises:
        ValueError: there are fewer than two options or more than 26, or the gold or the roles don't go with them.
    """

    id: str
    cluster: str
    question: str
    options: tuple[str, ...]
    gold: frozenset[int]
    select: Select = "one"
    groups: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    joint: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    roles: tuple[str, ...] = ()
    turn: int | None = None
    context: ItemContext | None = None

    def __post_init__(self) -> None:
        size = len(self.options)
        if not 2 <= size <= MOST_OPTIONS:
            raise ValueError(f"item {self.id!r} has {size} options; it has to have 2 to {MOST_OPTIONS}")
        if not self.gold or min(self.gold) < 0 or max(self.gold) >= size:
            raise ValueError(f"item {self.id!r}: the gold {sorted(self.gold)} is none of its {size} options")
        if self.select == "one" and len(self.gold) != 1:
            raise ValueError(f"item {self.id!r} has {len(self.gold)} right options, and one is to be selected")
        if self.roles and len(self.roles) != size:
            raise ValueError(f"item {self.id!r} has {len(self.roles)} roles for {size} options")

    @property
    def chance(self) -> float:
        """The probability that a guess is right: 1 / n, and 1 / (2^n - 1) where any set of options may be right."""
        return chance(len(self.options), self.select)


def chance(options: int, select: Select) -> float:
    """The probability that a guess is right, each option, or each set of at least one, being as likely as another."""
    return 1 / options if select == "one" else 1 / (2**options - 1)
