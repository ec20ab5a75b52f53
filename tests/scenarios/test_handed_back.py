"""Scenarios of several that the tool made, handed back to it as somebody's own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import dtomtrack
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.scenario import InitialState, MentalState, Scenario, Topic
from dtomtrack.errors import PlanError
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.dials import difficulty_of
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import direct_scenario, sample_scenario
from dtomtrack.scenarios.script import Direction, Move


@pytest.mark.parametrize(
    ("name", "difficulty_name", "seed"),
    [("family", "group", 0), ("team", "group", 0), ("restaurant", "hard", 0), ("restaurant", "hard", 1)],
)
def test_they_are_played_as_planned(
    domains: dict[str, Domain], name: str, difficulty_name: str, seed: int, tmp_path: Path
) -> None:
    """Who held something beside another on a topic had not said what before they changed their mind."""
    difficulty, pack = preset(difficulty_name), domains[name].pack
    slots = [slot_at(seed, index, [name]) for index in range(8)]
    scenarios = [sample_scenario(pack, slot, 0, difficulty.turns, difficulty).scenario for slot in slots]
    assert any(topic.co_holders for one in scenarios for topic in one.topics)
    made = dtomtrack.generate(
        pack, n=len(scenarios), seed=seed, out=tmp_path, difficulty=difficulty_name, scenarios=scenarios
    )
    played = list(read_lines(tmp_path / "dialogues.jsonl", Dialogue))
    # where nobody can tell a reason within earshot
    assert set(made.counts.rejected_dialogues) <= {"scenario: the scenario can't be played"}
    assert [one.scenario.updates for one in played] == [scenarios[one.slot].updates for one in played]
    assert len(played) >= len(scenarios) - 1


ANSWERS = {
    *(Move.ACCEPT, Move.ACKNOWLEDGE, Move.CONCEDE, Move.RELENT, Move.CORRECT, Move.LET_STAND, Move.NEITHER),
    *(Move.STAY, Move.PONDER, Move.ANSWER_SMALL_TALK),
}


@pytest.mark.parametrize("difficulty_name", ["apart", "group", "hard"])
def test_nobody_answers_what_they_did_not_hear(domains: dict[str, Domain], difficulty_name: str) -> None:
    """A note that lay unread was taken note of, and questions out of earshot had answers."""
    difficulty, notes, asked, quizzed = preset(difficulty_name), 0, 0, 0
    for name in ("family", "team"):
        pack = domains[name].pack
        for at in range(12):
            own = sample_scenario(pack, slot_at(3, at, [name]), 0, difficulty.turns, difficulty).scenario
            with suppress(PlanError):
                script = direct_scenario(pack, own, difficulty.turns, difficulty, Random(at)).script
                for turn, here in enumerate(script):
                    hears = turn > 0 and own.hears(own.speaker(turn), turn - 1)
                    planned = own.planned_audience(turn - 1) if turn else None
                    notes += planned is not None and planned.is_note and not hears
                    assert hears or not any(one.move in ANSWERS for one in here), (name, at, turn)
                    for one in (one for one in here if one.move in {Move.ASK, Move.WONDER}):
                        topic = own.topic(one.topic)
                        assert own.speaker(turn + 1) == (one.holder or topic.holder)
                        assert own.hears(own.speaker(turn + 1), turn)
                        assert topic.ignorance not in one.named
                        asked, quizzed = asked + 1, quizzed + (topic.mental_state is MentalState.KNOWLEDGE)
                    back = turn > 0 and own.hears(own.speaker(turn - 1), turn)
                    assert back or not any(one.move in ANSWERS for one in here), (name, at, turn)
                    asks = any(one.move in {Move.ASK, Move.WONDER, Move.SMALL_TALK} for one in here)
                    assert not asks or own.hears(own.speaker(turn), turn + 1)
                    for one in (one for one in here if one.move is Move.UPDATE):
                        told = [when for when in range(turn) if any(reason_for(one, other) for other in script[when])]
                        assert own.hears(own.speaker(turn), told[-1])
                        (reason,) = (other for other in script[told[-1]] if reason_for(one, other))
                        said = [when for when in range(turn) if any(is_given_up(one, other) for other in script[when])]
                        assert not reason.old or own.hears(own.speaker(told[-1]), said[-1])
    assert notes
    assert asked > quizzed > 0


def is_given_up(change: Direction, other: Direction) -> bool:
    said = other.move in {Move.VOICE, Move.UPDATE}
    return said and (*other.state, other.value) == (*change.state, change.old)


def reason_for(change: Direction, other: Direction) -> bool:
    return other.move is Move.REVEAL and (*other.state, other.value) == (*change.state, change.value)


def test_a_scenario_is_written_as_it_is_played(domains: dict[str, Domain]) -> None:
    """The house had another name than in the story, and reasons were added to those that were known, time and again."""
    difficulty, pack, houses = preset("apart"), domains["travel"].pack, 0
    for at in range(8):
        own = sample_scenario(pack, slot_at(7, at, ["travel"]), 0, 10, difficulty).scenario
        assert own.divergences
        with suppress(PlanError):
            directed = direct_scenario(pack, own, 10, difficulty, Random(at))
            assert directed.scenario.divergences == ()
            told = [one for one in pack.settings["venue"] if one in own.context]
            assert not told or directed.fillings["venue"] in told
            houses += bool(told)
            again = direct_scenario(pack, directed.scenario, 10, difficulty, Random(at + 1))
            known = [one.private_info for one in directed.scenario.agents]
            assert [one.private_info for one in again.scenario.agents] == known
    assert houses


def test_reactions_are_to_whose_state_it_is(domains: dict[str, Domain]) -> None:
    """Where two held something on a topic, whatever was said of it counted as the first one's."""
    difficulty, pack, reactions = preset("group"), domains["team"].pack, 0
    for at in range(24):
        own = sample_scenario(pack, slot_at(3, at, ["team"]), 0, difficulty.turns, difficulty).scenario
        script = direct_scenario(pack, own, difficulty.turns, difficulty, Random(at)).script
        for turn, here in enumerate(script):
            for one in (one for one in here if one.move in {Move.ACCEPT, Move.ACKNOWLEDGE}):
                assert any(one.state == other.state for other in script[turn - 1])
                reactions += bool(one.holder)
    assert reactions


@pytest.mark.parametrize("first", [0, 1])
def test_a_topic_of_two_values_is_asked_about_without_naming_two(domains: dict[str, Domain], first: int) -> None:
    pack = domains["team"].pack
    known = next(one for one in pack.topics if one.state is MentalState.KNOWLEDGE and one.ignorance)
    assert known.ignorance is not None
    values = (known.ignorance, known.clauses[0])
    drawn = sample_scenario(pack, slot_at(3, 0, ["team"]), 0, 10, preset("paper")).scenario
    state = InitialState(mental_state=known.state, topic=known.id, content=values[first])
    holder, other = (one.model_copy(update={"initial_states": ()}) for one in drawn.agents)
    own = Scenario(
        domain="team",
        context="They talk.",
        agents=(holder.model_copy(update={"initial_states": (state,)}), other),
        topics=(Topic(id=known.id, label=known.label, mental_state=known.state, holder=holder.name, values=values),),
        updates=(),
    )
    for at in range(40):
        script = direct_scenario(pack, own, 10, difficulty_of("paper", {"quiz_share": "1"}), Random(at)).script
        assert not any(known.ignorance in one.named for here in script for one in here)
