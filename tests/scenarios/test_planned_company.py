"""Dialogues among several, as they are planned: who is there, who hears what, and whose picture goes wrong when."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from statistics import mean

import pytest

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.markers import signal_of
from dtomtrack.beliefs.mental_state import MentalState, Signal
from dtomtrack.beliefs.scenario import Scenario
from dtomtrack.beliefs.scenario_rules import check_company
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import PRESETS, Difficulty
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.planning.plan import plan_scenario
from dtomtrack.scenarios.script import DirectedScenario, Move

DOMAINS = ("family", "medical", "restaurant", "team", "travel")
SEVERAL = ("group", "hard")


def planned(domain: Domain, difficulty: Difficulty, count: int, seed: int = 3) -> Iterator[DirectedScenario]:
    """The first so many planned dialogues of a domain."""
    for index in range(count):
        slot = slot_at(seed, index, [domain.pack.name])
        yield plan_scenario(domain.pack, slot, 0, difficulty.turns, difficulty)


def audience(scenario: Scenario, turn: int) -> set[str]:
    """Those who hear a turn when it is said."""
    note = scenario.planned_audience(turn)
    if note is not None and note.is_note:
        return {scenario.speaker(turn)}
    return set(scenario.audience(turn))


@pytest.fixture(scope="module", params=[(name, preset) for name in DOMAINS for preset in SEVERAL])
def few(request: pytest.FixtureRequest, domains: dict[str, Domain]) -> list[DirectedScenario]:
    name, preset = request.param
    return list(planned(domains[name], PRESETS[preset], 4))


def test_every_turn_has_a_speaker_and_somebody_who_hears_or_reads_it(few: list[DirectedScenario]) -> None:
    for one in few:
        check_company(one.scenario, len(one.script))


def test_nobody_speaks_twice_in_a_row_and_no_turn_is_empty(few: list[DirectedScenario]) -> None:
    for one in few:
        speakers = [one.scenario.speaker(turn) for turn in range(len(one.script))]
        assert all(first != second for first, second in itertools.pairwise(speakers))
        assert all(one.script)


def test_every_change_gives_up_what_was_held_and_is_directed_at_its_turn(few: list[DirectedScenario]) -> None:
    for one in few:
        held = {
            (agent.name, state.topic): state.content for agent in one.scenario.agents for state in agent.initial_states
        }
        for update in sorted(one.scenario.updates, key=lambda update: update.turn):
            assert held[update.agent, update.topic] == update.old
            held[update.agent, update.topic] = update.new
            moves = [direction for direction in one.script[update.turn] if direction.move is Move.UPDATE]
            assert [(direction.topic, direction.value) for direction in moves] == [(update.topic, update.new)]


def test_nobody_who_knows_the_truth_hears_an_untruth(few: list[DirectedScenario]) -> None:
    for one in few:
        scenario = one.scenario
        for turn, directions in enumerate(one.script):
            for direction in directions:
                if direction.move is not Move.MISLEAD:
                    continue
                changes = [
                    update.turn
                    for update in scenario.updates
                    if (update.agent, update.topic) == (direction.holder, direction.topic) and update.turn < turn
                ]
                told = audience(scenario, changes[-1]) - {direction.holder}
                assert told
                assert told.isdisjoint(audience(scenario, turn))


@pytest.mark.parametrize("name", ["family", "team"])
def test_who_was_told_the_truth_is_not_misled_when_an_untruth_is_acted_on(
    name: str, domains: dict[str, Domain]
) -> None:
    confided = 0
    for one in planned(domains[name], PRESETS["group"], 20):
        for turn, directions in enumerate(one.script):
            for direction in (step for step in directions if step.move is Move.DISCREET):
                confided += 1
                told = audience(one.scenario, turn) - {direction.holder}
                wrong = [
                    divergence
                    for divergence in one.scenario.divergences
                    if (divergence.holder, divergence.topic) == (direction.holder, direction.topic)
                    and divergence.believed == direction.old
                    and divergence.turn > turn
                    and divergence.mistaken in told
                    and divergence.way is Way.HEARSAY
                    and not _changed(one.scenario, direction.holder, direction.topic, turn, divergence.turn)
                ]
                assert not wrong
    assert confided > 5


def _changed(scenario: Scenario, holder: str, topic: str, first: int, last: int) -> bool:
    """Whether somebody changes their mind behind one turn, up to another."""
    return any((one.agent, one.topic) == (holder, topic) and first < one.turn <= last for one in scenario.updates)


def test_no_way_of_coming_apart_is_rare_where_two_can_hold_something_on_few_topics(domains: dict[str, Domain]) -> None:
    directed = planned(domains["medical"], PRESETS["group"], 400)
    ways = Counter(divergence.way for one in directed for divergence in one.scenario.divergences)
    assert {*ways} == {*Way}
    assert min(ways.values()) >= 0.08 * ways.total()


def test_who_is_mistaken_did_not_hear_what_is_so(few: list[DirectedScenario]) -> None:
    missed = {Way.ABSENCE, Way.ASIDE, Way.NOTE}
    for one in few:
        for divergence in one.scenario.divergences:
            # a note that is read late may say what is not so any more
            read = any(step.move is Move.READ for step in one.script[divergence.turn])
            if divergence.way in missed and divergence.turn == divergence.from_turn and not read:
                assert divergence.mistaken not in audience(one.scenario, divergence.turn)


def test_a_wrong_picture_shows_only_while_it_is_wrong(few: list[DirectedScenario]) -> None:
    for one in few:
        for divergence in one.scenario.divergences:
            until = divergence.until_turn or len(one.script)
            assert all(divergence.from_turn <= turn <= until for turn in divergence.shown_at)
            assert all(one.scenario.speaker(turn) == divergence.mistaken for turn in divergence.shown_at)


def test_knowledge_begins_with_ignorance_and_facts_have_a_truth(few: list[DirectedScenario]) -> None:
    for one in few:
        states = {topic.id: topic.mental_state for topic in one.scenario.topics}
        for agent in one.scenario.agents:
            for state in agent.initial_states:
                if state.mental_state is MentalState.KNOWLEDGE:
                    assert state.content.startswith("nothing about ")
        known = {topic for topic, state in states.items() if state is MentalState.KNOWLEDGE}
        assert known <= {fact.topic for fact in one.scenario.facts}


@pytest.mark.parametrize("preset", SEVERAL)
def test_all_ways_of_coming_apart_occur(preset: str, domains: dict[str, Domain]) -> None:
    plans = planned(domains["team"], PRESETS[preset], 20)
    ways = {divergence.way for one in plans for divergence in one.scenario.divergences}
    assert ways == set(Way)


def test_changes_come_with_and_without_a_marker_and_markers_without_a_change(domains: dict[str, Domain]) -> None:
    plans = list(planned(domains["restaurant"], PRESETS["hard"], 20))
    signals = [update.signal for one in plans for update in one.scenario.updates]
    assert 0.25 <= signals.count(Signal.NONE) / len(signals) <= 0.4
    decoys = sum(
        direction.move is Move.RESTATE and bool(direction.marker)
        for one in plans
        for directions in one.script
        for direction in directions
    )
    marked = len(signals) - signals.count(Signal.NONE)
    assert 0.05 <= decoys / (decoys + marked) <= 0.35


def test_what_is_for_two_alone_is_not_talked_of_before_one_who_passes_by(domains: dict[str, Domain]) -> None:
    travel = domains["travel"]
    for_two = {topic.id for topic in travel.pack.topics if topic.scope == "two"}
    talked_of = {topic.id for one in planned(travel, PRESETS["apart"], 60) for topic in one.scenario.topics}
    assert for_two
    assert for_two.isdisjoint(talked_of)


def test_a_plan_is_a_function_of_its_slot(domains: dict[str, Domain]) -> None:
    one, other = (list(planned(domains["family"], PRESETS["hard"], 2)) for _ in range(2))
    assert one == other


def test_a_plan_of_three_hundred_turns_has_all_of_them(domains: dict[str, Domain]) -> None:
    (one,) = planned(domains["team"], PRESETS["extreme"], 1)
    assert len(one.script) == 300
    assert len(one.scenario.agents) >= 4
    assert max(len(topic.holders) for topic in one.scenario.topics) > 1


@pytest.mark.parametrize("turns", [6, 7, 12, 400])
def test_dialogues_may_be_short_or_long(turns: int, domains: dict[str, Domain]) -> None:
    difficulty = PRESETS["apart"] if turns < 12 else PRESETS["group"].model_copy(update={"revisions": (1, 1)})
    slot = slot_at(0, 0, ["team"])
    assert len(plan_scenario(domains["team"].pack, slot, 0, turns, difficulty).script) == turns


@pytest.mark.parametrize("name", DOMAINS)
def test_nobody_takes_back_by_name_what_a_hearer_heard_otherwise(name: str, domains: dict[str, Domain]) -> None:
    taken_back = 0
    for one in planned(domains[name], PRESETS["group"], 25):
        for turn, directions in enumerate(one.script):
            for change in directions:
                if change.move is Move.UPDATE and signal_of(change.marker or None) is Signal.EXPLICIT:
                    taken_back += 1
                    for hearer in audience(one.scenario, turn) - {change.holder}:
                        heard = _heard(one, hearer, change.holder, change.topic, turn)
                        assert not heard or change.old in heard
    assert taken_back


def _heard(one: DirectedScenario, hearer: str, holder: str, topic: str, before: int) -> set[str]:
    """The last that the holder said of their state within earshot of somebody, and what others have told since."""
    own, told = {Move.VOICE, Move.UPDATE, Move.RESTATE, Move.MISLEAD}, {Move.TELL, Move.ACT, Move.PRESUME}
    heard: set[str] = set()
    for turn, directions in enumerate(one.script[:before]):
        for direction in directions:
            about = (direction.holder, direction.topic) == (holder, topic)
            if about and direction.move in own | told and _reached(one.scenario, hearer, turn, before):
                heard = {direction.value} | (heard if direction.move in told else set())
    return heard


def _reached(scenario: Scenario, hearer: str, turn: int, before: int) -> bool:
    """Whether somebody had heard or read a turn before another."""
    read_at = scenario.read_at(turn).get(hearer)
    return hearer in audience(scenario, turn) or (read_at is not None and read_at < before)


@pytest.mark.parametrize("name", ["family", "team"])
def test_nobody_takes_up_aloud_what_they_said_they_would_pretend(name: str, domains: dict[str, Domain]) -> None:
    pretended = 0
    for one in planned(domains[name], PRESETS["group"], 20):
        for turn, directions in enumerate(one.script):
            for lie in (step for step in directions if step.move is Move.DISCREET):
                own = (lie.holder, lie.topic)
                later = [update for update in one.scenario.updates if update.turn > turn]
                changes = [update for update in later if (update.agent, update.topic) == own]
                pretended += 1
                if changes and not one.scenario.planned_audience(changes[0].turn):
                    assert changes[0].new != lie.old
    assert pretended > 5


@pytest.mark.parametrize("name", ["family", "restaurant", "team"])
def test_who_is_mixed_up_names_only_whom_they_and_all_who_hear_it_have_heard(
    name: str, domains: dict[str, Domain]
) -> None:
    named = 0
    for one in planned(domains[name], PRESETS["group"], 60):
        for turn, directions in enumerate(one.script):
            for mixed in (step for step in directions if step.move is Move.MIXED_UP):
                named += 1
                value = next(step.value for step in one.script[turn - 1] if step.move is Move.PRESUME)
                assert value in _said(one, mixed.holder, mixed.to, mixed.topic, turn)
                for hearer in audience(one.scenario, turn) - {mixed.to}:
                    assert value in _heard(one, hearer, mixed.to, mixed.topic, turn)
    assert named


def _said(one: DirectedScenario, hearer: str, holder: str, topic: str, before: int) -> set[str]:
    """All that the holder said of their state within earshot of somebody."""
    own = {Move.VOICE, Move.UPDATE, Move.RESTATE}
    return {
        step.value
        for turn, directions in enumerate(one.script[:before])
        for step in directions
        if step.move in own and (step.holder, step.topic) == (holder, topic)
        if _reached(one.scenario, hearer, turn, before)
    }


@pytest.mark.parametrize("name", ["family", "restaurant", "team"])
def test_nobody_tells_another_in_private_what_they_have_from_them(name: str, domains: dict[str, Domain]) -> None:
    in_private = 0
    for one in planned(domains[name], PRESETS["hard"], 20):
        heard: set[tuple[str, str, str, str, str]] = set()
        for turn, directions in enumerate(one.script):
            speaker, hearers = one.scenario.speaker(turn), audience(one.scenario, turn)
            for step in (step for step in directions if step.move in {Move.PRESUME, Move.TELL, Move.ACT}):
                about = step.holder, step.topic, step.value
                if step.move is not Move.PRESUME and len(hearers) == 2:
                    in_private += 1
                    assert all((speaker, name, *about) not in heard for name in hearers)
                heard |= {(name, speaker, *about) for name in hearers - {speaker}}
            for own in (step for step in directions if step.holder == speaker and step.value):
                # by the holder's own word everybody who hears it has it from them
                heard = {known for known in heard if known[0] not in hearers or known[2:4] != (speaker, own.topic)}
    assert in_private


@pytest.mark.parametrize("name", DOMAINS)
def test_nobody_says_that_they_were_wrong_to_know_nothing(name: str, domains: dict[str, Domain]) -> None:
    for one in planned(domains[name], PRESETS["group"], 20):
        for update in one.scenario.updates:
            if update.old.startswith("nothing about "):
                assert signal_of(update.marker) is not Signal.EXPLICIT


@pytest.mark.parametrize("name", ["team", "travel"])
def test_hearsay_is_what_somebody_was_told(name: str, domains: dict[str, Domain]) -> None:
    """Twelve in a hundred divergences were called hearsay where others had overheard a presumption."""
    told = 0
    for one in planned(domains[name], PRESETS["hard"], 12):
        for apart in one.scenario.divergences:
            if apart.way is Way.HEARSAY:
                told += 1
                assert apart.mistaken in audience(one.scenario, apart.turn)
                assert (Move.TELL, apart.holder, apart.topic, apart.believed) in {
                    (step.move, step.holder, step.topic, step.value) for step in one.script[apart.turn]
                }
    assert told > 3


def test_wrong_pictures_show_though_they_are_lied_to_or_told_behind_their_back(domains: dict[str, Domain]) -> None:
    """Of asides 3 % were acted on, of untruths 9 %."""
    shown: dict[Way, list[bool]] = {}
    for one in planned(domains["team"], PRESETS["hard"], 40):
        for apart in one.scenario.divergences:
            shown.setdefault(apart.way, []).append(bool(apart.shown_at))
    for way in (Way.ABSENCE, Way.ASIDE, Way.NOTE, Way.UNTRUTH, Way.HEARSAY):
        assert mean(shown[way]) > 0.12, way


def test_a_liar_is_told_so_alone_before_who_knows_better(domains: dict[str, Domain]) -> None:
    """Who knew that it was a lie would else have heard it from somebody who takes it for so."""
    alone = 0
    for one in planned(domains["team"], PRESETS["hard"], 20):
        untruths = (apart for apart in one.scenario.divergences if apart.way is Way.UNTRUTH)
        lies = {(apart.mistaken, apart.holder, apart.topic) for apart in untruths}
        for turn, directions in enumerate(one.script):
            hearers = audience(one.scenario, turn)
            for step in directions:
                if step.move is Move.PRESUME and hearers == {one.scenario.speaker(turn), step.holder}:
                    alone += (one.scenario.speaker(turn), step.holder, step.topic) in lies
                    assert audience(one.scenario, turn + 1) == hearers
    assert alone
