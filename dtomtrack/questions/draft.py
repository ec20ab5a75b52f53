"""A question before its options have letters."""

from __future__ import annotations

from dataclasses import dataclass, field

from dtomtrack.schema import MentalState, OptionRole, QuestionType

__all__ = ["NO_TURN", "Draft", "Option", "as_option", "at_turn"]

NO_TURN = "At no turn"
"""The option that says nothing changed."""


@dataclass(frozen=True)
class Option:
    """The text of an option, and how it was made."""

    text: str
    role: OptionRole


@dataclass(frozen=True)
class Draft:
    """What a question asks, with its right option and three others.

    Attributes:
        asks: what exactly is asked: "state", "first_change", "last_change", "actual" or "assumed".
        gold_content: content of the right option; the turn, or "" for none, in update detection.
    """

    type: QuestionType
    asks: str
    mental_state: MentalState
    order: int
    agent: str
    about: str | None
    topic: str
    turn: int | None
    question: str
    gold: Option
    distractors: tuple[Option, Option, Option]
    evidence: tuple[int, ...]
    factors: dict[str, str | int | bool] = field(default_factory=dict)


def as_option(content: str) -> str:
    """The text of an option for a content: "same-day booking is fine" becomes "Same-day booking is fine"."""
    return content[:1].upper() + content[1:]


def at_turn(turn: int | None) -> str:
    """The text of an update-detection option."""
    return NO_TURN if turn is None else f"At turn {turn}"
