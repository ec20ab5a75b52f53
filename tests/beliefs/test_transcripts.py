"""Transcripts: who heard what follows from them alone."""

from __future__ import annotations

import pytest
from company import NAMES, TOPIC, company_scenario, company_turns

from dtomtrack.beliefs.tracker import BeliefTracker
from dtomtrack.beliefs.transcript import Event, transcript_of
from dtomtrack.beliefs.transcript_text import event_words, line_heading

SCENARIO = company_scenario()
TURNS = company_turns(SCENARIO)


def test_a_transcript_is_what_a_reader_in_the_room_would_know() -> None:
    lines = [
        f"[{event_words(line)}]" if isinstance(line, Event) else line_heading(line)
        for line in transcript_of(TURNS, SCENARIO).lines
    ]
    assert lines == [
        "Turn 0, Ada",
        "Turn 1, Ben",
        "Turn 2, Cleo",
        "Turn 3, Ben",
        "[Ada leaves: another call.]",
        "Turn 4, Cleo",
        "Turn 5, Cleo",
        "[Ada is back.]",
        "Turn 6, Cleo (in a note to Ada and Ben)",
        "Turn 7, Ben (to Cleo; Ada can't hear)",
        "[Ada reads the note that Cleo wrote at turn 6.]",
        "Turn 8, Ben",
    ]


def test_who_heard_what_follows_from_the_transcript_alone() -> None:
    heard = {turn.turn: turn for turn in transcript_of(TURNS, SCENARIO).heard()}
    for turn in TURNS:
        assert {name for name in NAMES if turn.hears(name)} == heard[turn.index].hearers
        assert dict(turn.read_at) == dict(heard[turn.index].read_at)


def test_without_a_scenario_each_turn_says_who_hears_it() -> None:
    heard = transcript_of(TURNS).heard()
    assert [turn.hearers for turn in heard] == [frozenset(name for name in NAMES if one.hears(name)) for one in TURNS]


@pytest.mark.parametrize(
    ("name", "pictures"),
    [
        ("Ada", ["pay in cash", "pay in cash", "pay in cash", "pay by transfer"]),
        ("Ben", ["pay in cash", "pay by card", "pay by card", "pay by card"]),
    ],
)
def test_the_tracker_knows_what_has_reached_whom(name: str, pictures: list[str]) -> None:
    tracker = BeliefTracker.of(TURNS, names=NAMES)
    found = [tracker.picture((name,), "Cleo", TOPIC, turn) for turn in (3, 5, 7, 8)]
    assert [one and one.content for one in found] == pictures


def test_a_late_joiner_joins() -> None:
    late = company_scenario(
        presence=({"agent": "Ada", "from_turn": 0, "until_turn": 3, "reason": "a late train"},),
        speaking_order=(1, 2, 1, 0, 2, 1, 2, 1, 0),
    )
    events = [event_words(event) for event in transcript_of(company_turns(late), late).events]
    assert events[:2] == ["Ada is not there yet: a late train.", "Ada joins."]
