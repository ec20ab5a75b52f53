"""Which changes of short dialogues to ask about, and which turns to offer, so that the options alone tell nothing.

Of a set of turns on offer each is right equally often if no turn is right in more than its share of the questions (a
quarter where four are on offer) and sets are drawn with the product of weights that go with how often each turn is
right. A topic's label tells on what minds mostly change about it, and whose thing it is, so that each kind of change
has its own numbers on each side: what only one has a say in changes earlier than what either may hold. They were made
of what the five built-in packs make (``benchmarks/few_turns.py``, which writes ``few_turns.yaml``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import Asks
from dtomtrack.beliefs.questions.typical_turns import Side
from dtomtrack.packaged import packaged_yaml
from dtomtrack.records import Record

__all__ = ["FewTurns", "Kind", "few_turns", "none_on_offer"]

Kind = Literal["belief", "intention", "desire", "emotion", "knowledge", "second_thought", "partners_own"]
"""Of which state a change is that comes on new information, mostly in the middle; or one on a second thought, mostly at
the end; or one of what is held of the partners' own lives."""


class FewTurns(Record):
    """Numbers for equal parts of the turns at which a mind can change, the first part first.

    Attributes:
        asked: of the changes in a part, the share that is asked about.
        sets: by how many turns are on offer, what a turn weighs in a set of them.
    """

    asked: tuple[float, ...]
    sets: Mapping[int, tuple[float, ...]]


class _Numbers(Record):
    """What stands in the file.

    Attributes:
        none_on_offer: by mental state and side, the share of questions about changes that offer "at no turn": as many
            as make that right in a quarter of the questions that offer it.
        few: the numbers by the kind of change, by the side, and by what is asked.
    """

    none_on_offer: Mapping[MentalState, Mapping[Side, float]]
    few: Mapping[Kind, Mapping[Side, Mapping[Asks, FewTurns]]]


@cache
def _numbers() -> _Numbers:
    return _Numbers.model_validate(packaged_yaml("dtomtrack.beliefs.questions", "few_turns.yaml"))


def few_turns(kind: Kind, side: Side, asks: Asks) -> FewTurns:
    """The numbers for such changes."""
    return _numbers().few[kind][side][asks]


def none_on_offer(state: MentalState, side: Side) -> float:
    """The share of questions about changes of such a state that offer "at no turn"."""
    return _numbers().none_on_offer[state][side]
