"""Minds that come apart: what is planned to make somebody's picture of another, or of the world, go wrong."""

from __future__ import annotations

from enum import StrEnum

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.records import Count, Record, Text

__all__ = ["Fact", "PlannedDivergence", "Way"]


class Way(StrEnum):
    """A way in which somebody's picture of another's state comes to differ from it."""

    ABSENCE = "absence"
    """They miss a change: they are away."""
    ASIDE = "aside"
    """They are there, and it is said to others behind their back."""
    NOTE = "note"
    """It is written to them, and they read it later, or never."""
    UNTRUTH = "untruth"
    """They are told something, politely, that is not so."""
    HEARSAY = "hearsay"
    """They have it from a third, stale or wrong."""
    LATE_JOINER = "late_joiner"
    """It was said before they came."""
    MISATTRIBUTION = "misattribution"
    """They take what one wants for what another wants."""
    PRESUMPTION = "presumption"
    """They presume it from a stereotype or from the story."""


class PlannedDivergence(Record):
    """A picture that is planned to be wrong for some turns.

    Attributes:
        holder: name of the agent whose state it is about.
        mistaken: name of the agent whose picture of it is wrong, or who does not know of it.
        from_turn: the first turn at whose end the picture is wrong.
        until_turn: the first at whose end it no longer is; None if it stays wrong.
        turn: the turn whose words bring them apart: the change that is missed, the aside, the note, the untruth, the
            hearsay, the presumption.
        actual: what the holder holds from ``from_turn`` on.
        believed: what is believed instead; None for who knows nothing of it.
        shown_at: turns at which the mistaken one says something that takes the wrong picture for granted.
    """

    way: Way
    holder: Text
    mistaken: Text
    mental_state: MentalState
    topic: Text
    from_turn: Count
    until_turn: Count | None = None
    turn: Count
    actual: Text
    believed: Text | None = None
    shown_at: tuple[Count, ...] = ()


class Fact(Record):
    """A truth of the world, which beliefs and knowledge of a topic may miss.

    Attributes:
        truth: the value of the topic that is so.
        known_by: names of the agents who know it before the first turn.
    """

    topic: Text
    truth: Text
    known_by: tuple[Text, ...] = ()
