"""An item: one question with its options, which of them are right, and what it asks about.

Options are known by their positions, counted from 0; letters exist only where options are shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple, Protocol

from dtomtrack.items.letters import MOST_OPTIONS

__all__ = ["ContextLine", "Item", "ItemContext", "Select", "chance", "check_item"]

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
        check_item(self.id, len(self.options), self.gold, self.select)
        if self.roles and len(self.roles) != len(self.options):
            raise ValueError(f"item {self.id!r} has {len(self.roles)} roles for {len(self.options)} options")

    @property
    def chance(self) -> float:
        """The probability that a guess is right: 1 / n, and 1 / (2^n - 1) where any set of options may be right."""
        return chance(len(self.options), self.select)


def check_item(name: str, size: int, gold: Collection[int], select: Select) -> None:
    """See that an item of so many options can be one.

    Raises:
        ValueError: there are fewer than two options or more than 26, or the gold doesn't go with them.
    """
    if not 2 <= size <= MOST_OPTIONS:
        raise ValueError(f"item {name!r} has {size} options; it has to have 2 to {MOST_OPTIONS}")
    if not gold or min(gold) < 0 or max(gold) >= size:
        raise ValueError(f"item {name!r}: the gold {sorted(gold)} is none of its {size} options")
    if select == "one" and len(gold) != 1:
        raise ValueError(f"item {name!r} has {len(gold)} right options, and one is to be selected")


@cache
def chance(options: int, select: Select) -> float:
    """The probability that a guess is right, each option, or each set of at least one, being as likely as another."""
    return 1 / options if select == "one" else 1 / (2**options - 1)
