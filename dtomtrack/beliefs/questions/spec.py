"""A question before its options stand in an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from dtomtrack.beliefs.question import Factors, OptionRole, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.items.item import Select

__all__ = ["NO_TURN", "Option", "QuestionSpec", "as_option", "at_turn"]

NO_TURN = "At no turn"
"""The option that says nothing changed."""


class Option(NamedTuple):
    """The text of an option, and how it was made."""

    text: str
    role: OptionRole


@dataclass(frozen=True)
class QuestionSpec:
    """All that there is to a question but its id: its right option and the wrong ones in no order yet.

    Attributes:
        evidence: the turns whose utterances give the answer away.
        more_gold: where any number of options may be right, those beside ``gold``.
    """

    type: QuestionType
    mental_state: MentalState
    order: int
    agent: str
    about: str | None
    topic: str
    turn: int | None
    question: str
    gold: Option
    distractors: tuple[Option, ...]
    evidence: tuple[int, ...]
    factors: Factors
    through: tuple[str, ...] = ()
    more_gold: tuple[Option, ...] = ()
    select: Select = "one"
    divergence: str | None = None


def as_option(content: str) -> str:
    """The text of an option for a content: "same-day booking is fine" becomes "Same-day booking is fine"."""
    return content[:1].upper() + content[1:]


def at_turn(turn: int | None) -> str:
    """The text of an update-detection option."""
    return NO_TURN if turn is None else f"At turn {turn}"
