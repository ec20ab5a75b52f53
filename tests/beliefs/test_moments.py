"""Moments of a dialogue, named by what happens at them."""

from __future__ import annotations

from random import Random

import pytest

from dtomtrack.beliefs.questions.moments import Moments
from dtomtrack.beliefs.transcript import Event, Happening, Transcript


def named(*events: Event) -> list[str]:
    """The moments at the turns of these events, in words."""
    moments = Moments(Transcript((), events), 1.0, Random(0))
    return [moments.draw((event.turn - 1, event.turn)).event for event in events]


def test_what_happens_once_needs_no_number() -> None:
    assert named(Event(3, Happening.LEAVES, "Ada"), Event(5, Happening.BACK, "Ada")) == ["Ada left", "Ada came back"]


@pytest.mark.parametrize("happening", [Happening.BACK, Happening.LEAVES])
def test_what_happens_again_is_counted_from_the_first_time_on(happening: Happening) -> None:
    words = {Happening.BACK: "came back", Happening.LEAVES: "left"}[happening]
    first, other, second = (Event(3, happening, "Ada"), Event(6, happening, "Ben"), Event(9, happening, "Ada"))
    assert named(first, other, second) == [
        f"Ada {words} for the first time",
        f"Ben {words}",
        f"Ada {words} for the second time",
    ]


def test_notes_that_are_read_at_once_are_counted_though_they_name_no_moment() -> None:
    """Whoever reads the transcript sees them, too, so one of two isn't "when Ada read a note from Ben"."""
    later = Event(4, Happening.READS, "Ada", writer="Ben", note=2)
    at_once = Event(8, Happening.READS, "Ada", writer="Ben", note=8)
    assert named(later, at_once) == ["Ada read a note from Ben for the first time", ""]


def test_two_notes_by_one_writer_are_told_apart() -> None:
    read = [Event(turn, Happening.READS, "Ada", writer="Ben", note=turn - 2) for turn in (4, 8)]
    assert named(*read) == [
        "Ada read a note from Ben for the first time",
        "Ada read a note from Ben for the second time",
    ]


def test_no_event_names_who_may_be_the_answer() -> None:
    events = (
        Event(3, Happening.BACK, "Ada"),
        Event(5, Happening.LEAVES, "Ben"),
        Event(8, Happening.READS, "Ada", writer="Ben", note=6),
    )
    moments = Moments(Transcript((), events), 1.0, Random(0))
    drawn = [moments.draw((turn - 1, turn), options=("Ben", "Cleo")).event for turn in (3, 5, 8)]
    assert drawn == ["Ada came back", "", ""]
