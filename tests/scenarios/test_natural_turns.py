"""What readers stumbled over in planned dialogues: who asks whom about what, who is greeted, what is written down."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import Difficulty, preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move

HESITATING = {"wait", "hold_on", "you_know_what", "in_that_case", "now_that", "a_minute_ago"}
QUESTIONS = {Move.ASK, Move.WONDER}
OWN_WORDS = {Move.VOICE, Move.UPDATE, Move.RESTATE}

Planned = list[tuple[Domain, DirectedScenario]]


def planned(domains: dict[str, Domain], difficulty: Difficulty, count: int) -> Planned:
    return [
        (domain, sample_scenario(domain.pack, slot_at(9, at, [name]), 0, difficulty.turns, difficulty))
        for name, domain in domains.items()
        for at in range(count)
    ]


@pytest.fixture(scope="module")
def groups(domains: dict[str, Domain]) -> Planned:
    """Dialogues of several, with more questions that name two values than usual, and somebody late in each."""
    return planned(domains, preset("group").model_copy(update={"quiz_share": 0.6, "late_share": 1.0}), 10)


@pytest.fixture(scope="module")
def papers(domains: dict[str, Domain]) -> Planned:
    return planned(domains, preset("paper"), 60)


def moves(directed: DirectedScenario, *kinds: Move) -> Iterator[tuple[int, Direction]]:
    for turn, here in enumerate(directed.script):
        yield from ((turn, one) for one in here if one.move in kinds)


def test_nobody_is_quizzed_on_the_life_of_who_asks(groups: Planned, papers: Planned) -> None:
    held = 0
    for domain, directed in groups + papers:
        asked = {one.topic for _, one in moves(directed, *QUESTIONS) if domain.pack.topic(one.topic).partners_own}
        assert not asked
        held += sum(domain.pack.topic(one.id).partners_own for one in directed.scenario.topics)
    assert held > 20


def test_who_was_told_of_a_life_does_not_insist_against_whose_it_is(groups: Planned) -> None:
    for domain, directed in groups:
        kept = [one for _, one in moves(directed, Move.STAY, Move.RESTATE)]
        assert not [one for one in kept if domain.pack.topic(one.topic).partners_own]


def test_who_names_two_values_is_told_one_of_them_or_that_it_is_neither(groups: Planned) -> None:
    answers = set()
    for _, directed in groups:
        for turn, question in moves(directed, Move.ASK):
            reply = [one for one in directed.script[turn + 1] if one.topic == question.topic]
            voiced = next(one.value for one in reply if one.move is Move.VOICE)
            neither = any(one.move is Move.NEITHER for one in reply)
            ignorant = voiced.startswith("nothing about ")
            assert neither == (not ignorant and voiced not in question.named)
            answers.add(neither)
    assert answers == {True, False}


def test_nobody_asks_again_what_they_have_just_heard(groups: Planned) -> None:
    asked = 0
    for _, directed in groups:
        scenario = directed.scenario
        for turn, question in moves(directed, Move.WONDER):
            if "again" in question.named:
                said = [at for at, one in moves(directed, *OWN_WORDS) if is_same(one, question) and at < turn]
                heard = [at for at in said if scenario.speaker(turn) in scenario.audience(at)]
                assert heard
                assert turn - max(heard) > 3
                asked += 1
    assert asked > 5


def test_nobody_garbles_what_they_have_just_read(domains: dict[str, Domain]) -> None:
    read = 0
    for _, directed in planned(domains, preset("hard"), 24):
        notes = [(at, one) for at, one in moves(directed, Move.UPDATE, Move.RESTATE) if directed.scenario.read_at(at)]
        for turn, told in moves(directed, Move.TELL):
            reader = directed.scenario.speaker(turn)
            turns = [directed.scenario.read_at(at).get(reader) for at, one in notes if is_same(one, told)]
            before = [at for at in turns if at is not None and at < turn]
            if before and told.old != told.value:
                read += 1
                assert turn - max(before) > 3
    assert read > 3


def test_an_untruth_at_the_very_end_is_not_asked_for(domains: dict[str, Domain]) -> None:
    group = preset("group")
    directed = sample_scenario(domains["team"].pack, slot_at(85, 353, ["team"]), 0, group.turns, group)
    assert len(directed.script) == group.turns


def is_same(one: Direction, other: Direction) -> bool:
    return (one.topic, one.holder) == (other.topic, other.holder)


def test_who_comes_late_is_greeted_soon_but_not_by_who_has_talked_to_them_alone(groups: Planned) -> None:
    greeted = talked_to = 0
    for _, directed in groups:
        scenario = directed.scenario
        for turn, _ in moves(directed, Move.JOIN):
            late, soon = scenario.speaker(turn), range(turn + 1, min(turn + 7, len(directed.script)))
            aside = [at for at in soon if scenario.planned_audience(at) and not scenario.read_at(at)]
            alone = {at: scenario.speaker(at) for at in aside if late in scenario.audience(at)}
            welcomes = [(at, one.to) for at, one in moves(directed, Move.WELCOME) if at in soon]
            assert [to for _, to in welcomes] == [late] or (alone and not welcomes)
            for at, _ in welcomes:
                assert scenario.speaker(at) not in {name for before, name in alone.items() if before < at}
                greeted += 1
            talked_to += bool(alone)
    assert greeted > 10
    assert talked_to


def test_nobody_writes_down_that_they_hesitate(groups: Planned) -> None:
    noted = 0
    for _, directed in groups:
        for turn, _ in moves(directed, Move.WRITE):
            markers = {one.marker for one in directed.script[turn] if one.move is Move.UPDATE}
            assert not markers & HESITATING
            noted += 1
    assert noted > 5


def test_who_argues_for_another_value_than_before_says_that_there_is_news(groups: Planned, papers: Planned) -> None:
    news = 0
    for _, directed in groups + papers:
        minds = {(agent.name, one.topic) for agent in directed.scenario.agents for one in agent.initial_states}
        argued: dict[tuple[str, str], str] = {}
        for turn, one in moves(directed, Move.REVEAL):
            key = directed.scenario.speaker(turn), one.topic
            assert bool(one.named) == (argued.get(key, one.value) != one.value and key not in minds)
            news += bool(one.named)
            argued[key] = one.value
    assert news > 5
