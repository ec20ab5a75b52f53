"""What readers of long dialogues saw no sense in: things said twice, contradicted, out of nowhere, as secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.company_lines import company_lines
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move

DOMAINS = ("family", "medical", "restaurant", "team", "travel")
PRESUMES = {Move.PRESUME, Move.ACT}
HOLDS = {Move.VOICE, Move.UPDATE, Move.RESTATE, Move.STAY}
SECRET = ("nobody", "quietly", "your eyes")


@pytest.fixture(scope="module")
def hard(domains: dict[str, Domain]) -> list[DirectedScenario]:
    difficulty = preset("hard")
    return [
        sample_scenario(domains[name].pack, slot_at(21, at, [name]), 0, difficulty.turns, difficulty)
        for name in DOMAINS
        for at in range(4)
    ]


def said(directed: DirectedScenario, *moves: Move) -> Iterator[tuple[int, Direction]]:
    for turn, here in enumerate(directed.script):
        yield from ((turn, one) for one in here if one.move in moves)


def test_the_same_is_not_taken_for_granted_of_somebody_again_at_once(hard: list[DirectedScenario]) -> None:
    again = []
    for directed in hard:
        before: dict[tuple[str, str, str], int] = {}
        for turn, one in said(directed, *PRESUMES):
            key = (one.topic, one.holder, one.value)
            again += [(turn, one)] if turn - before.get(key, -20) < 10 else []
            before[key] = turn
    assert again == []


def test_nobody_stays_with_what_they_were_just_told_is_impossible(hard: list[DirectedScenario]) -> None:
    """ "The museum is shut." "It's the museum for me." """
    against, contradicted = 0, []
    for directed in hard:
        for turn, one in said(directed, Move.REVEAL):
            against += bool(one.old)
            contradicted += [
                (turn, later)
                for at, other in said(directed, *HOLDS)
                if turn < at <= turn + 15 and one.old and (other.topic, other.value) == (one.topic, one.old)
                for later in [other]
            ]
    assert against > 5
    assert contradicted == []


def test_a_change_out_of_nowhere_says_what_it_is_about(
    hard: list[DirectedScenario], domains: dict[str, Domain]
) -> None:
    assert all("{label}" in line for line in company_lines(domains["team"].pack.company).turned_over)
    unmarked = 0
    for directed in hard:
        for turn, one in said(directed, Move.UPDATE):
            topic = next(topic for topic in directed.scenario.topics if topic.id == one.topic)
            before = [*directed.script[turn - 1], *directed.script[turn]]
            clear = any(
                other.topic == one.topic and other.move is not Move.OWN_REASON for other in directed.script[turn - 1]
            )
            if one.marker or clear or topic.mental_state is MentalState.KNOWLEDGE:
                continue
            unmarked += 1
            assert any(other.move is Move.OWN_REASON and other.named for other in before), (turn, one)
    assert unmarked > 5


@pytest.mark.parametrize("name", DOMAINS)
def test_notes_are_no_secrets_as_whoever_reads_them_may_speak_of_them(name: str, domains: dict[str, Domain]) -> None:
    lines = company_lines(domains[name].pack.company).write
    assert [line for line in lines if any(word in line for word in SECRET)] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_what_is_pretended_stands_alone_behind_a_colon(name: str, domains: dict[str, Domain]) -> None:
    """Not "I'll say in the far corner when it comes to the desk"."""
    lines = company_lines(domains[name].pack.company).discreet
    assert [line for line in lines if not line.endswith(": {short}.")] == []


def test_who_passes_on_something_else_than_they_know_says_that_they_half_heard_it(domains: dict[str, Domain]) -> None:
    difficulty = difficulty_of("hard", {"garbled_share": "1.0"})
    context = RoleplayContext(domains, verifiers=(), difficulty=difficulty)
    given = [Attempt(domains=["team"], seed=3, index=at, attempt=0, length=difficulty.turns) for at in range(8)]
    half_heard = company_lines(domains["team"].pack.company).half_heard
    told = 0
    for one in given:
        directed = sample_scenario(
            domains["team"].pack, slot_at(3, one["index"], ["team"]), 0, difficulty.turns, difficulty
        )
        dialogue = asyncio.run(play(context, one)).dialogue
        assert dialogue is not None
        for turn, direction in said(directed, Move.TELL):
            if direction.old != direction.value:
                told += 1
                words = dialogue.turns[turn].utterance.casefold()
                assert any(line.rstrip(".").casefold() in words for line in half_heard), words
    assert told > 2
