"""Sampled scenarios: what is planned can be played, depends on the slot alone, and is evenly spread."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from dtomtrack.beliefs.markers import MARKERS, fits
from dtomtrack.beliefs.scenario import MentalState, PlannedUpdate, Trigger
from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import BLOCK, slot_at
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move
from dtomtrack.scenarios.structure import structure_of

PAPER = Difficulty()
TURNS = [6, 7, 8, 10, 15, 30, 60]
SLOTS = 20
THINKING = {MentalState.BELIEF, MentalState.KNOWLEDGE}
CONTESTABLE = PAPER.contestable

Many = dict[str, list[DirectedScenario]]
Samples = dict[int, list[DirectedScenario]]


def sample(pack: DomainPack, index: int, turns: int, seed: int = 0, attempt: int = 0) -> DirectedScenario:
    return sample_scenario(pack, slot_at(seed, index, [pack.name]), attempt, turns, PAPER)


@pytest.fixture(scope="module")
def samples(domains: dict[str, Domain]) -> Samples:
    """By number of turns, twenty directed scenarios of each domain."""
    return {
        turns: [sample(domain.pack, index, turns) for domain in domains.values() for index in range(SLOTS)]
        for turns in TURNS
    }


@pytest.fixture(scope="module")
def many(domains: dict[str, Domain]) -> Many:
    """By domain, four hundred directed scenarios of ten turns."""
    return {name: [sample(domain.pack, i, 10, seed=3) for i in range(400)] for name, domain in domains.items()}


def directions(directed: DirectedScenario, move: Move, topic: str | None = None) -> Iterator[tuple[int, Direction]]:
    for turn, here in enumerate(directed.script):
        yield from ((turn, one) for one in here if one.move is move and topic in {None, one.topic})


def taken_up(directed: DirectedScenario, update: PlannedUpdate) -> int:
    """The turn before an update at which the agent said what it is to give up."""
    said = [*directions(directed, Move.VOICE, update.topic), *directions(directed, Move.UPDATE, update.topic)]
    return max(turn for turn, one in said if turn < update.turn and one.value == update.old)


@pytest.mark.parametrize("turns", TURNS)
def test_minds_change_at_turn_four_or_later_and_on_the_agents_own_turn(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        first = directed.scenario.agents[0].name
        for update in directed.scenario.updates:
            assert 4 <= update.turn < turns
            assert (update.turn % 2 == 0) == (update.agent == first)


@pytest.mark.parametrize("turns", TURNS)
def test_one_to_three_minds_change(turns: int, samples: Samples) -> None:
    assert {len(directed.scenario.updates) for directed in samples[turns]} <= {1, 2, 3}


def test_one_two_and_three_changes_occur_at_ten_turns(samples: Samples) -> None:
    assert {len(directed.scenario.updates) for directed in samples[10]} == {1, 2, 3}


@pytest.mark.parametrize("turns", TURNS)
def test_every_planned_update_is_directed_at_its_turn(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        planned = {(one.turn, one.topic, one.old, one.new, one.marker) for one in directed.scenario.updates}
        laid_out = [
            (turn, one.topic, one.old, one.value, one.marker) for turn, one in directions(directed, Move.UPDATE)
        ]
        assert sorted(laid_out) == sorted(planned)


@pytest.mark.parametrize("turns", TURNS)
def test_the_old_state_is_voiced_by_its_holder_before_it_changes(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        for update in directed.scenario.updates:
            voiced = taken_up(directed, update)
            assert voiced < update.turn
            assert directed.scenario.speaker(voiced) == update.agent


@pytest.mark.parametrize("turns", TURNS)
def test_the_partner_gives_the_reason_after_the_voicing_and_before_the_change(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        for update in directed.scenario.updates:
            since = taken_up(directed, update)
            told = [
                turn
                for turn, one in directions(directed, Move.REVEAL, update.topic)
                if since < turn < update.turn and one.value == update.new
            ]
            assert [directed.scenario.speaker(turn) for turn in told] == [directed.scenario.others(update.agent)[0]]


@pytest.mark.parametrize("turns", TURNS)
def test_every_topic_is_voiced_once_as_it_is_held_at_first(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        scenario = directed.scenario
        held = {state.topic: state.content for agent in scenario.agents for state in agent.initial_states}
        voiced = list(directions(directed, Move.VOICE))
        assert Counter(one.topic for _, one in voiced) == Counter(topic.id for topic in scenario.topics)
        for turn, one in voiced:
            assert one.value == held[one.topic]
            assert scenario.speaker(turn) == scenario.topic(one.topic).holder


@pytest.mark.parametrize("turns", TURNS)
def test_there_is_no_turn_without_a_direction(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        assert len(directed.script) == turns
        assert all(directed.script)


@pytest.mark.parametrize("turns", TURNS)
def test_each_change_gives_up_what_is_held_then(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        scenario = directed.scenario
        held = {state.topic: state.content for agent in scenario.agents for state in agent.initial_states}
        for update in scenario.updates:
            assert update.old == held[update.topic]
            held[update.topic] = update.new


@pytest.mark.parametrize("turns", TURNS)
def test_something_wrong_is_presumed_about_a_topic_that_does_not_change(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        scenario = directed.scenario
        held = {state.topic: state.content for agent in scenario.agents for state in agent.initial_states}
        (presumed,) = scenario.presumptions
        assert presumed.topic not in {update.topic for update in scenario.updates}
        assert presumed.presumed != held[presumed.topic]
        ((turn, direction),) = directions(directed, Move.PRESUME)
        assert (direction.topic, direction.value) == (presumed.topic, presumed.presumed)
        assert scenario.speaker(turn) == presumed.agent


@pytest.mark.parametrize("turns", TURNS)
def test_a_presumption_is_corrected_at_once_or_made_after_the_truth_was_said(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        (presumed,) = directed.scenario.presumptions
        ((presumed_at, _),) = directions(directed, Move.PRESUME)
        ((voiced_at, _),) = directions(directed, Move.VOICE, presumed.topic)
        corrected_at = [turn for turn, _ in directions(directed, Move.CORRECT)]
        if presumed.corrected:
            assert voiced_at == presumed_at + 1
            assert corrected_at == [voiced_at]
        else:
            assert voiced_at < presumed_at
            assert corrected_at == []


@pytest.mark.parametrize("turns", TURNS)
def test_who_presumes_otherwise_than_they_were_told_has_argued_for_it_and_had_no_answer(
    turns: int, samples: Samples
) -> None:
    for directed in samples[turns]:
        (presumed,) = directed.scenario.presumptions
        if presumed.corrected:
            continue
        ((presumed_at, _),) = directions(directed, Move.PRESUME)
        ((argued_at, argued),) = directions(directed, Move.REVEAL, presumed.topic)
        ((pondered_at, _),) = directions(directed, Move.PONDER, presumed.topic)
        assert argued.value == presumed.presumed
        assert directed.scenario.speaker(argued_at) == presumed.agent
        assert argued_at < pondered_at < presumed_at
        assert directed.scenario.topic(presumed.topic).mental_state in CONTESTABLE


@pytest.mark.parametrize("turns", TURNS)
def test_who_takes_it_wrong_later_has_not_said_that_they_took_it_in(turns: int, samples: Samples) -> None:
    for directed in samples[turns]:
        (presumed,) = directed.scenario.presumptions
        if not presumed.corrected:
            assert not list(directions(directed, Move.ACKNOWLEDGE, presumed.topic))


def test_presumptions_are_corrected_in_some_scenarios_and_stand_in_others(samples: Samples) -> None:
    assert {directed.scenario.presumptions[0].corrected for directed in samples[10]} == {True, False}


def test_the_same_slot_and_attempt_give_the_same_scenario(domains: dict[str, Domain]) -> None:
    for domain in domains.values():
        for index in range(8):
            assert sample(domain.pack, index, 10, seed=5, attempt=2) == sample(domain.pack, index, 10, 5, 2)


def test_other_seeds_slots_and_attempts_give_other_scenarios(restaurant: Domain) -> None:
    keys = [(seed, index, attempt) for seed in range(4) for index in range(6) for attempt in range(3)]
    drawn = [sample(restaurant.pack, index, 10, seed, attempt).scenario for seed, index, attempt in keys]
    assert len({scenario.model_dump_json() for scenario in drawn}) == len(keys)


def test_a_mind_that_changes_back_is_one_that_plans_wants_or_feels(samples: Samples) -> None:
    returned = []
    for directed in (directed for turns in TURNS for directed in samples[turns]):
        by_topic: dict[str, list[PlannedUpdate]] = defaultdict(list)
        for update in directed.scenario.updates:
            by_topic[update.topic].append(update)
        for changes in by_topic.values():
            if len(changes) > 1:
                there, back = changes
                assert (back.old, back.new) == (there.new, there.old)
                returned.append(back.mental_state)
    assert returned
    assert not set(returned) & THINKING


def test_every_dialogue_has_a_topic_that_is_stable(samples: Samples) -> None:
    for directed in (directed for turns in TURNS for directed in samples[turns]):
        changing = {update.topic for update in directed.scenario.updates}
        assert {topic.id for topic in directed.scenario.topics} - changing


def test_triggers_fit_the_mental_state(samples: Samples) -> None:
    for update in (update for turns in TURNS for directed in samples[turns] for update in directed.scenario.updates):
        unfit = Trigger.GOAL_SHIFT if update.mental_state in THINKING else Trigger.CORRECTION
        assert update.trigger is not unfit


def test_all_markers_and_triggers_occur(many: Many) -> None:
    for drawn in many.values():
        updates = [update for directed in drawn for update in directed.scenario.updates]
        markers = Counter(update.marker for update in updates)
        assert set(markers) == {marker.id for marker in MARKERS}
        for marker, count in markers.items():
            fitting = sum(fits(marker or "", update.mental_state) for update in updates)
            assert fitting / len(MARKERS) / 2 < count < 2.5 * fitting / len(MARKERS)
        assert {update.trigger for update in updates} == set(Trigger)


def test_no_marker_says_that_a_wish_a_plan_or_a_feeling_was_an_error(many: Many) -> None:
    for drawn in many.values():
        for update in (update for directed in drawn for update in directed.scenario.updates):
            assert fits(update.marker or "", update.mental_state)


def test_all_mental_states_and_topics_change(many: Many, domains: dict[str, Domain]) -> None:
    for name, drawn in many.items():
        changed = {update.topic for directed in drawn for update in directed.scenario.updates}
        assert changed == {topic.id for topic in domains[name].pack.topics}


@pytest.mark.parametrize("side", ["old", "new"])
def test_values_are_evenly_spread(side: str, many: Many, domains: dict[str, Domain]) -> None:
    """Chi-square of how often each value of a topic is old or new, against its mean plus five standard deviations."""
    for name, drawn in many.items():
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for directed in drawn:
            first_changes = {update.topic: update for update in reversed(directed.scenario.updates)}
            for topic, update in first_changes.items():
                counts[topic][getattr(update, side)] += 1
        statistic, freedom = 0.0, 0
        for topic, counter in counts.items():
            clauses = domains[name].pack.topic(topic).clauses
            expected = counter.total() / len(clauses)
            statistic += sum((counter[clause] - expected) ** 2 / expected for clause in clauses)
            freedom += len(clauses) - 1
        assert statistic < freedom + 5 * (2 * freedom) ** 0.5


def test_the_reason_for_a_change_is_known_to_the_partner_alone(samples: Samples) -> None:
    for directed in samples[10]:
        agents = {agent.name: agent for agent in directed.scenario.agents}
        for update in directed.scenario.updates:
            reason = directed.reasons[update.topic, update.new]
            assert reason in agents[directed.scenario.others(update.agent)[0]].private_info
            assert reason not in agents[update.agent].private_info


def test_no_slot_of_a_scenario_is_left_unfilled(samples: Samples) -> None:
    for directed in samples[10]:
        told = [text for agent in directed.scenario.agents for text in (agent.goal, *agent.private_info)]
        told.append(directed.scenario.context)
        assert not [text for text in (*told, *directed.reasons.values()) if "{" in text]


@pytest.mark.parametrize("turns", TURNS)
def test_the_slots_of_a_block_are_equally_eventful(turns: int, restaurant: Domain) -> None:
    slots = [slot_at(0, index, ["restaurant"]) for index in range(5 * BLOCK)]
    structures = [structure_of(slot, turns, PAPER) for slot in slots]
    for start in range(0, len(slots), BLOCK):
        assert len(set(structures[start : start + BLOCK])) == 1
    for slot, structure in zip(slots, structures, strict=True):
        directed = sample(restaurant.pack, slot.index, turns)
        assert len(directed.scenario.updates) == structure.updates
        changing = len({update.topic for update in directed.scenario.updates})
        assert changing == structure.updates - structure.changes_back
        assert len(directed.scenario.topics) == changing + structure.stable
        assert directed.scenario.presumptions[0].corrected == structure.corrected


def test_a_pack_in_which_nobody_wants_or_feels_has_no_mind_that_changes_back(restaurant: Domain) -> None:
    thinking = tuple(topic for topic in restaurant.pack.topics if topic.state in THINKING)
    pack = restaurant.pack.model_copy(update={"topics": thinking})
    slot = next(
        slot
        for slot in (slot_at(0, i, ["restaurant"]) for i in range(400))
        if structure_of(slot, 10, PAPER).changes_back
    )
    with pytest.raises(PlanError, match="too few topics"):
        sample_scenario(pack, slot, 0, 10, PAPER)
