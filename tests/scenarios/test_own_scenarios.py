"""Scenarios that somebody wrote by hand are directed as they are, or refused with what is wrong."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from own_scenarios import agent, as_topic, change, first_topic, in_company, scenario

from dtomtrack import dialogues, generate
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.scenario import (
    MentalState,
    PlannedAudience,
    Presumption,
    Scenario,
)
from dtomtrack.errors import InputError, PlanError
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.character import characters
from dtomtrack.scenarios.acting.occasions import with_occasions
from dtomtrack.scenarios.checks import check_scenario
from dtomtrack.scenarios.difficulty import Difficulty, preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.scenarios.sampler import direct_scenario, sample_scenario
from dtomtrack.scenarios.script import Move

PAPER = Difficulty()


def test_a_scenario_of_ones_own_is_directed_as_it_is(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack, change(first_topic(pack, "a"), 6), change(first_topic(pack, "b"), 7))
    directed = direct_scenario(pack, own, 10, PAPER, Random(0))
    assert directed.scenario.updates == own.updates
    assert directed.scenario.topics == own.topics
    assert [one.name for one in directed.scenario.agents] == ["Maya", "Ben"]
    assert (directed.fillings["a"], directed.fillings["b"]) == ("Maya", "Ben")
    assert len(directed.script) == 10
    assert {here.move for here in directed.script[6]} >= {Move.UPDATE}


def test_what_a_scenario_does_not_say_is_drawn_from_the_pack(restaurant: Domain) -> None:
    pack = restaurant.pack
    directed = direct_scenario(pack, scenario(pack, change(first_topic(pack, "a"), 6)), 10, PAPER, Random(0))
    assert directed.situation in {situation.id for situation in pack.situations}
    assert directed.fillings.keys() >= {*pack.settings, *pack.situations[0].slots}


def test_a_situation_that_is_given_is_kept(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack, change(first_topic(pack, "a"), 6)).model_copy(update={"situation": pack.situations[3].id})
    for seed in range(5):
        directed = direct_scenario(pack, own, 10, PAPER, Random(seed))
        assert directed.situation == pack.situations[3].id
        assert directed.fillings.items() >= pack.situations[3].slots.items()


def test_a_situation_that_is_not_in_the_pack_is_refused(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack, change(first_topic(pack, "a"), 6)).model_copy(update={"situation": "zebra_crossing"})
    with pytest.raises(PlanError, match="'zebra_crossing'"):
        direct_scenario(pack, own, 10, PAPER, Random(0))


def test_the_partner_learns_the_reason_in_addition_to_what_it_knew(restaurant: Domain) -> None:
    pack = restaurant.pack
    topic = first_topic(pack, "a")
    directed = direct_scenario(pack, scenario(pack, change(topic, 6)), 10, PAPER, Random(0))
    maya, ben = directed.scenario.agents
    assert maya.private_info == ("the cat is out",)
    assert ben.private_info == ("the cat is out", directed.reasons[topic.id, topic.clauses[1]])


def test_a_mind_may_change_twice(restaurant: Domain) -> None:
    pack = restaurant.pack
    topic = first_topic(pack, "a")
    directed = direct_scenario(
        pack, scenario(pack, change(topic, 4), change(topic, 8, old=1, new=2)), 10, PAPER, Random(0)
    )
    updates = [
        (turn, one.value) for turn, here in enumerate(directed.script) for one in here if one.move is Move.UPDATE
    ]
    assert updates == [(4, topic.clauses[1]), (8, topic.clauses[2])]


def test_a_scenario_in_which_nothing_changes_can_be_directed(restaurant: Domain) -> None:
    pack = restaurant.pack
    directed = direct_scenario(pack, scenario(pack), 8, PAPER, Random(0))
    assert all(directed.script)
    assert not [one for here in directed.script for one in here if one.move is Move.UPDATE]


def test_each_character_gets_its_own_directions_and_the_reasons_it_is_to_tell(restaurant: Domain) -> None:
    pack = restaurant.pack
    topic = first_topic(pack, "a")
    directed = direct_scenario(pack, scenario(pack, change(topic, 6)), 10, PAPER, Random(0))
    maya, ben = characters(directed, (0, 0), Random)
    assert [(one.name, one.company) for one in (maya, ben)] == [("Maya", "Ben"), ("Ben", "Maya")]
    script = with_occasions(directed)
    assert dict(maya.directions) == {turn: script[turn] for turn in range(0, 10, 2)}
    assert dict(ben.directions) == {turn: script[turn] for turn in range(1, 10, 2)}
    assert dict(maya.reasons) == {}
    assert {(topic, new): why for topic, own in ben.reasons.items() for new, why in own.items()} == directed.reasons


def test_a_topic_that_is_not_in_the_pack_is_refused(domains: dict[str, Domain]) -> None:
    own = scenario(domains["travel"].pack, change(first_topic(domains["travel"].pack, "a"), 6))
    own = own.model_copy(update={"domain": "medical"})
    with pytest.raises(PlanError, match="is not in the pack 'medical', so there are no words for it"):
        direct_scenario(domains["medical"].pack, own, 10, PAPER, Random(0))


def test_a_topic_of_the_other_agent_is_refused(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack)
    swapped = own.model_copy(update={"agents": (own.agents[1], own.agents[0])})
    with pytest.raises(PlanError, match=r"of agent a in the pack 'restaurant', not the .* of agent b"):
        direct_scenario(pack, swapped, 10, PAPER, Random(0))


def test_a_value_that_is_not_in_the_pack_is_refused(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack)
    topic = own.topics[0].model_copy(update={"values": (*own.topics[0].values, "zebras may come in")})
    strange = own.model_copy(update={"topics": (topic, own.topics[1])})
    with pytest.raises(PlanError, match="'zebras may come in' is the clause of no value in the pack"):
        direct_scenario(pack, strange, 10, PAPER, Random(0))


def test_a_topic_that_nobody_holds_anything_about_at_first_is_refused(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack)
    blank = own.agents[0].model_copy(update={"initial_states": ()})
    with pytest.raises(PlanError, match="'Maya' has no initial state"):
        direct_scenario(pack, own.model_copy(update={"agents": (blank, own.agents[1])}), 10, PAPER, Random(0))


def test_an_update_after_the_end_is_refused_with_the_turns_it_takes(restaurant: Domain) -> None:
    pack = restaurant.pack
    own = scenario(pack, change(first_topic(pack, "a"), 12))
    with pytest.raises(PlanError, match="update at turn 12: in 10 turns the last is turn 9; ask for turns=13 or more"):
        direct_scenario(pack, own, 10, PAPER, Random(0))


def test_two_changes_of_a_mind_at_one_turn_are_refused(restaurant: Domain) -> None:
    pack = restaurant.pack
    topic = first_topic(pack, "a")
    own = scenario(pack, change(topic, 6), change(topic, 6, old=1, new=2))
    with pytest.raises(PlanError, match=r"changes their mind on .* twice at that turn; leave one out"):
        direct_scenario(pack, own, 10, PAPER, Random(0))


def test_more_changes_at_one_turn_than_an_agent_can_say_are_refused(restaurant: Domain) -> None:
    pack = restaurant.pack
    first, second = [topic for topic in pack.topics if topic.holder == "a"][:2]
    topics = [first, second]
    crowded = Scenario(
        domain=pack.name,
        context="They talk.",
        agents=(agent("a", topics), agent("b", topics)),
        topics=tuple(as_topic(topic) for topic in topics),
        updates=(change(first, 6), change(second, 6)),
    )
    with pytest.raises(PlanError, match="no room in 10 turns"):
        direct_scenario(pack, crowded, 10, PAPER, Random(0))


def test_a_scenario_of_another_domain_is_refused(domains: dict[str, Domain]) -> None:
    own = scenario(domains["travel"].pack, change(first_topic(domains["travel"].pack, "a"), 6))
    with pytest.raises(PlanError, match="is of domain 'travel', the pack is 'medical'"):
        direct_scenario(domains["medical"].pack, own, 10, PAPER, Random(0))


def test_an_unknown_marker_is_refused(restaurant: Domain) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 6))
    update = own.updates[0].model_copy(update={"marker": "by_the_way"})
    with pytest.raises(PlanError, match="no marker is called 'by_the_way'"):
        direct_scenario(restaurant.pack, own.model_copy(update={"updates": (update,)}), 10, PAPER, Random(0))


def test_an_initial_state_that_is_no_value_is_refused(restaurant: Domain) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 6))
    states = (own.agents[0].initial_states[0].model_copy(update={"content": "nonsense"}),)
    maya = own.agents[0].model_copy(update={"initial_states": states})
    with pytest.raises(PlanError, match="starts from 'nonsense', which is no value of it"):
        direct_scenario(restaurant.pack, own.model_copy(update={"agents": (maya, own.agents[1])}), 10, PAPER, Random(0))


def test_an_update_from_what_is_not_held_is_refused(restaurant: Domain) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 6, old=2, new=3))
    with pytest.raises(PlanError, match=r"update at turn 6: .* is held by then, not"):
        direct_scenario(restaurant.pack, own, 10, PAPER, Random(0))


def test_what_is_held_is_not_wrongly_presumed(restaurant: Domain) -> None:
    topic = first_topic(restaurant.pack, "a")
    own = scenario(restaurant.pack, change(topic, 6))
    presumed = Presumption(agent="Ben", about="Maya", topic=topic.id, presumed=topic.clauses[0], corrected=True)
    with pytest.raises(PlanError, match="is held, so it is not wrongly presumed"):
        direct_scenario(restaurant.pack, own.model_copy(update={"presumptions": (presumed,)}), 10, PAPER, Random(0))


def test_a_stable_topic_of_two_values_can_be_directed(restaurant: Domain) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "a"), 6))
    two = own.topics[0].model_copy(update={"values": own.topics[0].values[:2]})
    silent = own.agents[1].model_copy(update={"initial_states": ()})
    stable = own.model_copy(update={"agents": (own.agents[0], silent), "topics": (two,), "updates": ()})
    for seed in range(10):
        assert all(direct_scenario(restaurant.pack, stable, 10, PAPER, Random(seed)).script)


def test_a_presumption_about_what_changes_has_to_be_corrected(restaurant: Domain) -> None:
    topic = first_topic(restaurant.pack, "a")
    own = scenario(restaurant.pack, change(topic, 6))
    presumed = Presumption(agent="Ben", about="Maya", topic=topic.id, presumed=topic.clauses[2], corrected=False)
    with pytest.raises(PlanError, match="changes, so what is wrongly presumed of it has to be corrected"):
        direct_scenario(restaurant.pack, own.model_copy(update={"presumptions": (presumed,)}), 10, PAPER, Random(0))
    corrected = presumed.model_copy(update={"corrected": True})
    assert direct_scenario(restaurant.pack, own.model_copy(update={"presumptions": (corrected,)}), 10, PAPER, Random(0))


def test_a_mind_that_changes_nine_times_is_asked_about(restaurant: Domain) -> None:
    """Changes are named by their number as far as there are words for it, the others by their turn."""
    topic = next(one for one in restaurant.pack.topics if one.state is MentalState.INTENTION and one.holder == "a")
    places = [number % len(topic.clauses) for number in range(10)]
    updates = [change(topic, 8 + 6 * at, old, new) for at, (old, new) in enumerate(pairwise(places))]
    scenario = Scenario(
        domain="restaurant",
        context="A dinner.",
        agents=(agent("a", [topic]), agent("b", [])),
        topics=(as_topic(topic),),
        updates=tuple(updates),
    )
    often = preset("hard").model_copy(update={"turns": 70, "event_share": 1.0})
    numbers: set[int | None] = set()
    for seed in range(4):
        for made in dialogues(restaurant.pack, n=1, scenarios=[scenario], difficulty=often, seed=seed):
            numbers |= {question.factors.number for question in made.questions}
    assert {1, None} < numbers <= {None, *range(1, 7)}


def away(*names: str) -> dict[str, object]:
    return {"presence": tuple({"agent": name, "from_turn": 5, "until_turn": 7, "reason": "a call"} for name in names)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (away("Maya", "Ben"), "scenario 0: turn 5 has no hearer: everybody but 'Ann' is away; change presence"),
        (away("Ann"), "scenario 0: turn 5 has no speaker: 'Ann' is away; change presence or speaking_order"),
        (
            {"audiences": ({"turn": 13, "hearers": ("Ann",)},)},
            "scenario 0: audience at turn 13: in 12 turns the last is turn 11; ask for turns=14 or more",
        ),
        (
            {"presence": ({"agent": "Ann", "from_turn": 50, "until_turn": 60, "reason": "a call"},)},
            "scenario 0: absence at turn 50: in 12 turns the last is turn 11; ask for turns=51 or more",
        ),
        (
            {"audiences": ({"turn": 5, "hearers": ("Maya",), "read_at": {"Maya": 40}},)},
            "scenario 0: reading of a note at turn 40: in 12 turns the last is turn 11; ask for turns=41 or more",
        ),
    ],
)
def test_a_turn_without_speaker_or_hearer_is_told_before_anything_is_written(
    restaurant: Domain, changes: dict[str, object], said: str, tmp_path: Path
) -> None:
    own = in_company(restaurant.pack, **changes)
    with pytest.raises(InputError, match=said):
        generate(restaurant.pack, n=1, out=tmp_path / "out", turns=12, scenarios=[own])
    assert not list(tmp_path.iterdir())


def test_an_audience_with_a_stranger_is_no_scenario(restaurant: Domain) -> None:
    strangers = ({"turn": 5, "hearers": ("Mallory",)},)
    with pytest.raises(
        ValueError, match=r"audience of turn 5: 'Mallory' is no agent of the scenario; its agents are M"
    ):
        in_company(restaurant.pack, audiences=strangers)


def test_an_audience_that_names_somebody_twice_is_no_scenario(restaurant: Domain) -> None:
    with pytest.raises(ValueError, match="audience of turn 5: it names 'Maya' twice"):
        in_company(restaurant.pack, audiences=({"turn": 5, "hearers": ("Maya", "Maya")},))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "scenarios is empty; give one at least, or leave it out"),
        ([None], "scenario 0 is None; it has to be a Scenario, or what one is written as"),
        ([{"domain": "restaurant"}], "scenario 0: context: is missing"),
    ],
)
def test_what_is_no_scenario_is_told_before_anything_is_written(
    restaurant: Domain, given: list[Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        generate(restaurant.pack, n=1, out=tmp_path / "out", scenarios=given)
    assert not list(tmp_path.iterdir())


def test_a_scenario_may_be_given_as_it_is_written(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "b"), 7))
    made = generate(restaurant.pack, n=1, out=tmp_path, scenarios=[own.model_dump(mode="json")])
    assert made.status == "complete"
    (played,) = read_lines(tmp_path / "dialogues.jsonl", Dialogue)
    assert played.scenario.updates == own.updates


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"until_turn": 4}, "divergence .note. at turn 5: it ends at turn 4, before it begins at turn 5"),
        ({"believed": 0}, "divergence .note. at turn 5: 'Maya' is right about"),
        ({"turn": 30, "from_turn": 30}, "divergence at turn 30: in 12 turns the last is turn 11"),
    ],
)
def test_a_divergence_that_cannot_be_is_told(restaurant: Domain, changes: dict[str, int], said: str) -> None:
    topic = first_topic(restaurant.pack, "b")
    values = topic.clauses
    given = {
        **{"way": "note", "holder": "Ben", "mistaken": "Maya", "mental_state": topic.state, "topic": topic.id},
        **{"turn": 5, "from_turn": 5, "actual": values[0], "believed": values[1], **changes},
    }
    given["believed"] = values[given["believed"]] if isinstance(given["believed"], int) else given["believed"]
    with pytest.raises((ValueError, PlanError), match=said):
        check_scenario(restaurant.pack, in_company(restaurant.pack, divergences=(given,)), 12)


def test_nobody_comes_to_know_nothing(domains: dict[str, Domain]) -> None:
    pack = domains["team"].pack
    drawn = next(
        one
        for at in range(20)
        for one in [sample_scenario(pack, slot_at(3, at, ["team"]), 0, 24, preset("group")).scenario]
        if any(update.mental_state is MentalState.KNOWLEDGE for update in one.updates)
    )
    first = next(one for one in drawn.updates if one.mental_state is MentalState.KNOWLEDGE)
    forgetting = first.model_copy(update={"old": first.new, "new": pack.topic(first.topic).ignorance})
    own = drawn.model_copy(update={"updates": (forgetting,)})
    with pytest.raises(PlanError, match=f"update at turn {first.turn}: nobody comes to know nothing; change to a val"):
        check_scenario(pack, own, 24)


def test_a_value_that_is_given_twice_is_told(restaurant: Domain) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "b"), 7)).model_dump()
    topic = own["topics"][0]
    topic["values"] = (*topic["values"], topic["values"][0])
    with pytest.raises(ValueError, match=f"topic '{topic['id']}' has the value '{topic['values'][0]}' twice"):
        Scenario.model_validate(own)


def test_an_agent_has_no_brackets_in_their_name(restaurant: Domain) -> None:
    with pytest.raises(ValueError, match=r"an agent is called '\[Eve leaves.\]'; a name has no brackets"):
        in_company(
            restaurant.pack,
            agents=tuple(
                one | {"name": "[Eve leaves.]" if one["name"] == "Ann" else one["name"]}
                for one in in_company(restaurant.pack).model_dump()["agents"]
            ),
        )


def test_an_audience_with_a_stranger_is_told_of_a_copy_before_anything_is_written(
    restaurant: Domain, tmp_path: Path
) -> None:
    strangers = (PlannedAudience(turn=5, hearers=("Mallory",)),)
    own = in_company(restaurant.pack).model_copy(update={"audiences": strangers})
    with pytest.raises(InputError, match="scenario 0: audience of turn 5: 'Mallory' is no agent of the scenario"):
        generate(restaurant.pack, n=1, out=tmp_path / "out", turns=12, scenarios=[own])
    assert not list(tmp_path.iterdir())


def test_a_topic_with_a_value_more_forgets_the_clauses_that_it_had() -> None:
    topic = load_pack(find_pack("restaurant")).topics[0]
    assert len(topic.clauses) == len(topic.values)
    fewer = topic.model_copy(update={"values": topic.values[:-1]})
    assert fewer.clauses == topic.clauses[:-1]


def test_the_slots_behind_ones_own_scenarios_are_as_without(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack, change(first_topic(restaurant.pack, "b"), 7))
    for folder, options in (("drawn", {}), ("own", {"scenarios": [own]})):
        generate(restaurant.pack, n=3, out=tmp_path / folder, turns=12, **options)  # type: ignore[arg-type]
    drawn, played = (list(read_lines(tmp_path / one / "dialogues.jsonl", Dialogue)) for one in ("drawn", "own"))
    assert [one.slot for one in played] == [0, 1, 2]
    assert played[0].scenario.updates == own.updates
    assert played[1:] == drawn[1:]


def test_more_scenarios_than_slots_are_refused(restaurant: Domain, tmp_path: Path) -> None:
    own = scenario(restaurant.pack)
    with pytest.raises(InputError, match="2 scenarios are given, and n is 1; ask for n=2, or give fewer"):
        generate(restaurant.pack, n=1, out=tmp_path / "out", scenarios=[own, own])
