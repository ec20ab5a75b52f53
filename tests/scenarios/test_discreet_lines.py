"""Asking that something be kept from somebody: what is so comes first, then what they are to hear, and they hear it."""

from __future__ import annotations

import re

import pytest

from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.company_lines import company_lines
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.difficulty import PRESETS, Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Move

DOMAINS = ("family", "medical", "restaurant", "team", "travel")
SO_FAR = re.compile(r"\b(?:go on|goes on|keep|keeps|still|as before|stay|stays)\b")
SPARING = re.compile(r"\b(?:gentle|gentler|kind|kinder|kindness|hurt|spare|polite|heart|worries)\b")
MORE_THAN_ONE = re.compile(r"\b(?:the two of us|you and me)\b", re.IGNORECASE)
NAMES_TOGETHER = re.compile(r"\{(?:to|from)\},? \{(?:to|from)\}")


@pytest.mark.parametrize("name", DOMAINS)
def test_it_takes_nothing_for_granted_of_what_they_were_told(name: str, domains: dict[str, Domain]) -> None:
    lines = company_lines(domains[name].pack.company).discreet
    assert len(lines) > 8
    assert [line for line in lines if SO_FAR.search(line)] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_it_names_the_topic_and_spares_nobody_a_mere_fact(name: str, domains: dict[str, Domain]) -> None:
    for line in company_lines(domains[name].pack.company).discreet:
        assert "{label}" in line
        assert not SPARING.search(line)


@pytest.mark.parametrize("name", DOMAINS)
def test_who_is_addressed_and_who_is_spoken_of_stand_apart(name: str, domains: dict[str, Domain]) -> None:
    lines = company_lines(domains[name].pack.company)
    spoken = [*lines.discreet, *lines.confide, *lines.write]
    assert [line for line in spoken if NAMES_TOGETHER.search(line) or ("{to}" in line and "{from}" in line)] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_what_is_confided_may_be_said_to_several(name: str, domains: dict[str, Domain]) -> None:
    lines = company_lines(domains[name].pack.company)
    said = [*lines.confide, *(line for told in lines.tell.values() for line in told)]
    assert [line for line in said if MORE_THAN_ONE.search(line)] == []


def announced(one: DirectedScenario) -> int:
    """How many untruths are announced: each behind what is so, and told to whom it is for, not to who knows."""
    found = 0
    for turn, directions in enumerate(one.script):
        for said in (step for step in directions if step.move is Move.DISCREET):
            assert [step.move for step in directions][-2:] == [Move.UPDATE, Move.DISCREET]
            (kept_from,) = said.named
            told = next(
                at
                for at in range(turn + 1, min(turn + 20, len(one.script)))
                for step in one.script[at]
                if (step.move, step.holder, step.topic) == (Move.MISLEAD, said.holder, said.topic)
            )
            assert [step.value for step in one.script[told] if step.move is Move.MISLEAD] == [said.old]
            assert kept_from in one.scenario.audience(told)
            assert set(one.scenario.audience(turn)) & set(one.scenario.audience(told)) == {said.holder}
            found += 1
    return found


def next_held(one: DirectedScenario, turn: int, holder: str, topic: str) -> str:
    """What somebody next comes to hold on a topic behind a turn; empty for nothing."""
    later = (step for directions in one.script[turn + 1 :] for step in directions if step.move is Move.UPDATE)
    return next((step.value for step in later if (step.holder, step.topic) == (holder, topic)), "")


def planned(domain: Domain, difficulty: Difficulty, count: int) -> list[DirectedScenario]:
    slots = (slot_at(21, at, [domain.pack.name]) for at in range(count))
    return [sample_scenario(domain.pack, slot, 0, difficulty.turns, difficulty) for slot in slots]


@pytest.mark.parametrize("name", ["medical", "team"])
@pytest.mark.parametrize("preset", ["group", "hard"])
def test_an_untruth_that_is_announced_is_told(name: str, preset: str, domains: dict[str, Domain]) -> None:
    assert sum(map(announced, planned(domains[name], PRESETS[preset], 24))) > 4


@pytest.mark.parametrize("name", DOMAINS)
def test_what_was_announced_as_an_untruth_does_not_come_true(name: str, domains: dict[str, Domain]) -> None:
    """Who was told so would take the change for the untruth that goes on."""
    changed = []
    for one in planned(domains[name], PRESETS["hard"], 24):
        for turn, directions in enumerate(one.script):
            untrue = [step for step in directions if step.move is Move.DISCREET]
            changed += [(said.old, next_held(one, turn, said.holder, said.topic)) for said in untrue]
    assert sum(value != "" for _, value in changed) > 4
    assert [value for instead, value in changed if instead == value] == []


@pytest.mark.parametrize("turns", ["8", "10"])
def test_there_is_room_to_tell_it_in_short_dialogues(turns: str, domains: dict[str, Domain]) -> None:
    difficulty = difficulty_of("apart", {"turns": turns, "apart": "untruth", "apart_share": "1"})
    assert sum(map(announced, planned(domains["team"], difficulty, 24))) > 4
