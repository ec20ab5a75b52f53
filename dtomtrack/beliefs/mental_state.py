"""The five kinds of mental state, and what makes a mind change."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["MentalState", "Signal", "Trigger"]


class MentalState(StrEnum):
    """The five kinds of mental state that are tracked."""

    BELIEF = "belief"
    INTENTION = "intention"
    DESIRE = "desire"
    EMOTION = "emotion"
    KNOWLEDGE = "knowledge"


class Trigger(StrEnum):
    """The occasion for a mind to change (paper, "Belief Update Instruction")."""

    CORRECTION = "correction"
    NEW_INFORMATION = "new_information"
    CONTRADICTION = "contradiction"
    GOAL_SHIFT = "goal_shift"


class Signal(StrEnum):
    """How a change of mind is signalled aloud."""

    EXPLICIT = "explicit"
    """With a marker that names the old state, too."""
    IMPLICIT = "implicit"
    """With a marker that does not."""
    NONE = "none"
    """With no marker: by what is now said, done or asked for."""
