"""Reasons among several: nobody argues in their own voice for what they don't hold, or against what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest

from dtomtrack.beliefs.scenario import Scenario, Trigger
from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import PRESETS
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.planning.plan import plan_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move


def planned(domain: Domain, preset: str, count: int) -> Iterator[DirectedScenario]:
    """The first so many planned dialogues of a domain."""
    difficulty = PRESETS[preset]
    for index in range(count):
        slot = slot_at(71, index, [domain.pack.name])
        for attempt in range(3):
            with suppress(PlanError):
                yield plan_scenario(domain.pack, slot, attempt, difficulty.turns, difficulty)
                break


def reasons(one: DirectedScenario) -> Iterator[tuple[int, Direction]]:
    """The reasons that are given, with their turns."""
    for turn, directions in enumerate(one.script):
        yield from ((turn, direction) for direction in directions if direction.move is Move.REVEAL)


def mind(scenario: Scenario, name: str, topic: str, turn: int) -> str | None:
    """What somebody holds at a turn, said already or not; None if they have no state of their own on the topic."""
    own = [agent for agent in scenario.agents if agent.name == name]
    held = next((one.content for one in own[0].initial_states if one.topic == topic), None)
    for update in sorted(scenario.updates, key=lambda update: update.turn):
        if (update.agent, update.topic) == (name, topic) and update.turn <= turn:
            held = update.new
    return held


@pytest.mark.parametrize("name", ["family", "team"])
@pytest.mark.parametrize("preset", ["group", "hard"])
def test_who_argues_as_for_themselves_holds_what_they_argue_for(
    name: str, preset: str, domains: dict[str, Domain]
) -> None:
    own = heard = 0
    for one in planned(domains[name], preset, 12):
        for turn, reason in reasons(one):
            held = mind(one.scenario, one.scenario.speaker(turn), reason.topic, turn)
            if reason.hearsay:
                heard += 1
                assert not reason.old
            else:
                own += 1
                assert held in {None, reason.value}
    assert own > 10
    assert heard or preset == "group"


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
def test_nobody_argues_for_what_they_argued_against(name: str, domains: dict[str, Domain]) -> None:
    for one in planned(domains[name], "hard", 8):
        opposed: set[tuple[str, str, str]] = set()
        favored: set[tuple[str, str, str]] = set()
        for turn, reason in reasons(one):
            who = one.scenario.speaker(turn)
            if reason.hearsay or mind(one.scenario, who, reason.topic, turn) is not None:
                continue
            assert (who, reason.topic, reason.value) not in opposed
            assert (who, reason.topic, reason.old) not in favored
            favored.add((who, reason.topic, reason.value))
            opposed.add((who, reason.topic, reason.old))


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
def test_nobody_speaks_for_one_thing_and_later_for_another(name: str, domains: dict[str, Domain]) -> None:
    given = 0
    for one in planned(domains[name], "hard", 8):
        favored: dict[tuple[str, str], str] = {}
        for turn, reason in reasons(one):
            who = one.scenario.speaker(turn)
            if not reason.hearsay and mind(one.scenario, who, reason.topic, turn) is None:
                assert favored.setdefault((who, reason.topic), reason.value) == reason.value
                given += 1
    assert given > 10


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
def test_nothing_is_said_for_or_against_a_value_twice(name: str, domains: dict[str, Domain]) -> None:
    topics = {topic.id: topic for topic in domains[name].pack.topics}
    for one in planned(domains[name], "hard", 8):
        said: set[tuple[str, str, str, int]] = set()
        for _, reason in reasons(one):
            of = topics[reason.topic]
            number = reason.pick % len(of.value(reason.value).reason)
            words = [(reason.topic, reason.value, "for", number)]
            if reason.old:
                words.append((reason.topic, reason.old, "against", reason.against % len(of.value(reason.old).against)))
            assert said.isdisjoint(words)
            said.update(words)


@pytest.mark.parametrize("name", ["family", "medical", "team"])
def test_what_is_announced_beside_an_untruth_takes_nothing_back(name: str, domains: dict[str, Domain]) -> None:
    markers: set[str] = set()
    for preset in ("group", "hard"):
        for one in planned(domains[name], preset, 12):
            for directions in one.script:
                if any(direction.move is Move.DISCREET for direction in directions):
                    markers |= {direction.marker for direction in directions if direction.move is Move.UPDATE}
    assert len(markers) > 5
    assert "take_back" not in markers


@pytest.mark.parametrize("name", ["family", "medical", "team"])
def test_nobody_argues_for_what_somebody_there_takes_for_so(name: str, domains: dict[str, Domain]) -> None:
    wrong = 0
    for one in planned(domains[name], "hard", 15):
        for turn, reason in reasons(one):
            for apart in one.scenario.divergences:
                until = len(one.script) if apart.until_turn is None else apart.until_turn
                if (apart.holder, apart.topic) != (reason.holder, reason.topic) or not apart.turn < turn < until:
                    continue
                wrong += 1
                there = apart.mistaken in one.scenario.audience(turn)
                assert not (there and apart.believed == reason.value and apart.mistaken != one.scenario.speaker(turn))
    assert wrong > 5


def test_only_the_first_on_a_side_speaks_lines_that_are_about_them(domains: dict[str, Domain]) -> None:
    topics = {topic.id: topic for topic in domains["medical"].pack.topics}
    asked = 0
    for one in planned(domains["medical"], "hard", 12):
        for turn, directions in enumerate(one.script):
            for direction in directions:
                about = direction.topic and topics[direction.topic].partners == "first"
                if about and direction.move in {Move.REVEAL, Move.PRESUME, Move.ASK, Move.WONDER}:
                    assert one.scenario.speaker(turn) == one.scenario.agents[0].name
                    asked += 1
    assert asked > 5


@pytest.mark.parametrize("name", ["family", "team"])
def test_what_is_told_in_confidence_is_not_passed_on_at_once(name: str, domains: dict[str, Domain]) -> None:
    told = 0
    for one in planned(domains[name], "hard", 30):
        secrets: dict[tuple[str, str], int] = {}
        for turn, directions in enumerate(one.script):
            confided = any(direction.move is Move.CONFIDE for direction in directions)
            for direction in directions:
                key = direction.holder, direction.topic
                if direction.move is Move.UPDATE and confided:
                    secrets[key] = turn
                if direction.move is Move.TELL:
                    assert turn - secrets.get(key, -99) >= 6
                    told += 1
    assert told


def test_who_holds_something_takes_nothing_back_when_they_pass_on_another_reason(domains: dict[str, Domain]) -> None:
    passed_on = 0
    for one in planned(domains["team"], "hard", 12):
        for turn, reason in reasons(one):
            if mind(one.scenario, one.scenario.speaker(turn), reason.topic, turn) is not None:
                assert not reason.named
                passed_on += reason.hearsay
    assert passed_on > 5


@pytest.mark.parametrize("name", ["family", "team"])
def test_what_the_teller_has_seen_is_no_news_from_somebody_else(name: str, domains: dict[str, Domain]) -> None:
    first_person, news = re.compile(r"\b(?:I|me|my|we|us|our)\b"), 0
    topics = {topic.id: topic for topic in domains[name].pack.topics}
    for one in planned(domains[name], "hard", 12):
        for _, reason in reasons(one):
            words = topics[reason.topic].value(reason.value).reason
            if reason.trigger is Trigger.NEW_INFORMATION:
                assert not first_person.search(words[reason.pick % len(words)])
                news += 1
    assert news > 5


@pytest.mark.parametrize("preset", ["apart", "group", "hard"])
def test_the_trigger_of_a_change_is_that_of_a_reason_that_was_given(preset: str, domains: dict[str, Domain]) -> None:
    with_reason = without = 0
    for one in planned(domains["restaurant"], preset, 12):
        for update in one.scenario.updates:
            given = [
                reason.trigger
                for turn, reason in reasons(one)
                if turn < update.turn and (reason.topic, reason.value) == (update.topic, update.new)
            ]
            with_reason += bool(given)
            without += not given
            assert update.trigger is Trigger.NEW_INFORMATION or update.trigger in given
    assert with_reason
    assert without
