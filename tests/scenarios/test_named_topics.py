"""Whoever speaks of something again after a while, or writes of it, says what: a line that says it not is led in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from dtomtrack.beliefs.markers import EXPLICIT
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.naming import is_named, says_name
from dtomtrack.scenarios.acting.occasions import with_occasions
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack, PackTopic
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.scenarios.talk_lines import shared_talk

NAMES_OLD = {one.id for one in EXPLICIT}
COUNT = 8

Said = list[tuple[DomainPack, Direction, tuple[Direction, ...], str]]


@pytest.fixture(scope="module")
def said(domains: dict[str, Domain]) -> Said:
    """Directions of hard dialogues, each with all of its turn, and the words of the turn."""
    return [one for name in ("medical", "restaurant", "team") for one in _said(domains[name], name)]


def _said(domain: Domain, name: str) -> Iterator[tuple[DomainPack, Direction, tuple[Direction, ...], str]]:
    difficulty = preset("hard")
    context = RoleplayContext({name: domain}, verifiers=(), difficulty=difficulty)
    for index in range(COUNT):
        given = Attempt(domains=[name], seed=5, index=index, attempt=0, length=difficulty.turns)
        dialogue = asyncio.run(play(context, given)).dialogue
        if dialogue is not None:
            directed = sample_scenario(domain.pack, slot_at(5, index, [name]), 0, difficulty.turns, difficulty)
            for directions, turn in zip(with_occasions(directed), dialogue.turns, strict=True):
                yield from ((domain.pack, one, directions, turn.utterance) for one in directions)


def of(said: Said, move: Move) -> Iterator[tuple[PackTopic, Direction, tuple[Direction, ...], str]]:
    for pack, one, beside, words in said:
        if one.move is move and one.topic:
            yield pack.topic(one.topic), one, beside, words


def test_a_feeling_taken_for_granted_after_a_while_says_about_what(said: Said) -> None:
    held = [
        (topic, one, words)
        for topic, one, _, words in of(said, Move.PRESUME)
        if topic.state is MentalState.EMOTION and one.occasion.far_back
    ]
    assert len(held) > 5
    assert [
        words
        for topic, one, words in held
        if not (says_name(topic, words) or topic.worded(one.value, one.pick) in words)
    ] == []


@pytest.mark.parametrize(
    ("name", "topic", "line"),
    [
        ("team", "the computer trouble", "You can fry an egg on the one by the boiler, the heat in there is criminal."),
        ("team", "the missing projector", "The town hall bought a new one last year. The battery of the van is flat."),
        ("family", "the color of the front door", "The rowan by the step has berries, and a red one would glow."),
    ],
)
def test_a_line_that_calls_its_thing_one_does_not_name_it(
    name: str, topic: str, line: str, domains: dict[str, Domain]
) -> None:
    found = next(one for one in domains[name].pack.topics if one.label == topic)
    assert not is_named(found, line)
    assert is_named(found, f"{line[:-1]}, the {found.called()}.")


def test_a_note_says_what_it_is_about(said: Said) -> None:
    notes = 0
    for _, _, beside, words in of(said, Move.WRITE):
        update = next((one for one in beside if one.move is Move.UPDATE), None)
        if update is None:
            continue
        topic = next(pack.topic(update.topic) for pack, one, _, _ in said if one is update)
        if topic.state is not MentalState.KNOWLEDGE:
            notes += 1
            assert update.marker != "take_back"
            assert update.marker in NAMES_OLD or says_name(topic, words), words
    assert notes > 5


def test_who_has_just_told_somebody_of_something_does_not_marvel_at_what_they_know(said: Said) -> None:
    told = 0
    for pack, one, _, words in said:
        if one.move is Move.ACCEPT and one.occasion.won and pack.topic(one.topic).state is MentalState.KNOWLEDGE:
            told += 1
            lines = shared_talk().taught if one.occasion.first else shared_talk().gratified
            assert any(line in words for line in lines), words
    assert told


def test_nobody_has_counted_on_their_fingers_what_speaks_for_a_feeling(said: Said) -> None:
    felt = 0
    reckons = shared_talk().of_reckoning
    assert reckons is not None
    for pack, one, _, words in said:
        if one.move is Move.OWN_REASON and pack.topic(one.topic).state is MentalState.EMOTION:
            felt += 1
            assert [line for line in pack.lines.own_reason if line in words and reckons.search(line)] == []
    assert felt
