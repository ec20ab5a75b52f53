"""The packs that come with dtomtrack keep to their own rules and bring enough to talk about."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from dtomtrack import dialogues
from dtomtrack.beliefs.markers import MARKERS, Marker
from dtomtrack.beliefs.reading import Act
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.scenarios.acting.company_speech import ways_to_adopt, ways_to_change, ways_to_presume, ways_to_say
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack, PackTopic, PackValue
from dtomtrack.scenarios.pack_files import builtin_domains, check_pack, find_pack, load_pack
from dtomtrack.scenarios.pack_rules import problems
from dtomtrack.scenarios.placeholders import fill

BUILTIN = builtin_domains()
HOLDERS = {"a": "Maya", "b": "Ben", "any": "Maya"}


def test_five_domains_are_built_in() -> None:
    assert {"restaurant", "travel", "medical", "team", "family"} <= set(BUILTIN)


@pytest.mark.parametrize("name", BUILTIN)
def test_nothing_is_wrong_with_a_builtin_pack(name: str) -> None:
    assert check_pack(find_pack(name)) == []


@pytest.mark.parametrize("name", BUILTIN)
def test_a_builtin_pack_goes_by_its_own_name(name: str) -> None:
    assert load_pack(find_pack(name)).name == name


@pytest.mark.parametrize("name", BUILTIN)
def test_a_builtin_pack_has_fifteen_topics_over_all_mental_states(name: str, domains: dict[str, Domain]) -> None:
    topics = domains[name].pack.topics
    assert len(topics) >= 15
    assert {topic.state for topic in topics} == set(MentalState)


@pytest.mark.parametrize("name", BUILTIN)
def test_every_topic_of_a_builtin_pack_has_five_different_values(name: str, domains: dict[str, Domain]) -> None:
    for topic in domains[name].pack.topics:
        assert len({clause.casefold() for clause in topic.clauses}) >= 5


@pytest.mark.parametrize("name", BUILTIN)
def test_both_agents_of_a_builtin_pack_hold_topics(name: str, domains: dict[str, Domain]) -> None:
    holders = [topic.holder for topic in domains[name].pack.topics]
    assert min(holders.count("a"), holders.count("b")) + holders.count("any") >= 3


@pytest.mark.parametrize("name", BUILTIN)
def test_a_builtin_pack_has_words_for_every_mental_state_that_is_voiced(name: str, domains: dict[str, Domain]) -> None:
    pack = domains[name].pack
    assert {topic.state for topic in pack.topics} <= set(pack.reactions.acknowledge)


def _slots(domain: Domain) -> dict[str, str]:
    rng = Random(1)
    pack = domain.pack
    drawn = {key: rng.choice(lines) for key, lines in pack.settings.items()}
    return {**drawn, **pack.situations[0].slots, **HOLDERS}


def _forms(value: PackValue) -> list[tuple[str, Act]]:
    return [
        *((line, Act.STATE) for line in value.say),
        *((f"Actually, {line}.", Act.STATE) for line in value.adopt),
        *((line, Act.PRESUME) for line in value.presume),
        *((line, Act.ARGUE) for line in value.reason + value.against),
    ]


@pytest.mark.parametrize("name", BUILTIN)
def test_every_line_about_a_value_is_read_as_that_value(name: str, domains: dict[str, Domain]) -> None:
    domain = domains[name]
    slots = _slots(domain)
    reader = domain.reader([HOLDERS["a"], HOLDERS["b"]])
    for topic in domain.pack.topics:
        holder, partner = HOLDERS[topic.holder], HOLDERS["a" if topic.holder == "b" else "b"]
        for value in topic.values:
            for line, act in _forms(value):
                speaker = holder if act is Act.STATE else partner
                (reading,) = set(reader.read(3, speaker, fill(line, slots)))
                assert (reading.turn, reading.act, reading.holder) == (3, act, holder), line
                assert (reading.topic, reading.content) == (topic.id, value.clause), line


def _said_in_other_words(pack: DomainPack, topic: PackTopic, value: PackValue) -> list[tuple[str, Act]]:
    """All shared lines for a value, in each of its rewordings."""
    said: list[tuple[str, Act]] = []
    for number in range(1, 1 + len(topic.rewordings)):
        words, again = topic.worded(value.clause, number), pack.restated(topic, value.clause, number)
        for ways in (ways_to_say, ways_to_change):
            drawn = ways(pack, topic, value.clause, number)
            said += [(fill(line, {"clause": words}), Act.STATE) for line in (*drawn.shared, *drawn.further)]
        adopted = ways_to_adopt(pack, topic, value.clause, number)
        said += [
            (fill(f"Hold on, {line}.", {"clause": words}), Act.STATE) for line in (*adopted.shared, *adopted.further)
        ]
        said += [(f"Well, {line.replace('{short}', again)}.", Act.STATE) for line in pack.lines.restate]
        presumed = ways_to_presume(pack, topic, value.clause, number)
        lines = (*presumed.shared, *presumed.further, *presumed.for_two)
        said += [(fill(line, {"clause": words}), Act.PRESUME) for line in lines]
        for act, told in ((Act.TELL, pack.lines.tell), (Act.PRESUME, pack.lines.act)):
            said += [(fill(line, {"clause": words, "who": HOLDERS[topic.holder]}), act) for line in told[topic.state]]
    return said


@pytest.mark.parametrize("name", BUILTIN)
def test_other_words_for_a_value_are_read_as_that_value(name: str, domains: dict[str, Domain]) -> None:
    pack = domains[name].pack
    reader = domains[name].reader([HOLDERS["a"], HOLDERS["b"]])
    reworded = [topic for topic in pack.topics if topic.rewordings]
    assert len(reworded) >= len(pack.topics) / 2
    for topic in reworded:
        holder, partner = HOLDERS[topic.holder], HOLDERS["a" if topic.holder == "b" else "b"]
        for at, value in enumerate(topic.values):
            # lines of a kind are alike: every third, another third for each value, is of all kinds
            for line, act in _said_in_other_words(pack, topic, value)[at % 3 :: 3]:
                readings = reader.read(3, holder if act is Act.STATE else partner, line)
                assert act in {one.act for one in readings}, line
                said = {(one.holder, one.topic, one.content) for one in readings}
                assert said == {(holder, topic.id, value.clause)}, line


@pytest.mark.parametrize("name", BUILTIN)
def test_a_change_is_read_as_the_new_value_whatever_marker_signals_it(name: str, domains: dict[str, Domain]) -> None:
    domain = domains[name]
    slots = _slots(domain)
    reader = domain.reader([HOLDERS["a"], HOLDERS["b"]])
    for topic in domain.pack.topics:
        for old, new in pairwise((*topic.values, topic.values[0])):
            for marker in MARKERS:
                said = fill(marker.say(old.short, new.adopt[0]), slots)
                readings = reader.read(4, HOLDERS[topic.holder], said)
                assert {(one.act, one.topic, one.content) for one in readings} == {(Act.STATE, topic.id, new.clause)}


@pytest.mark.parametrize("name", BUILTIN)
def test_a_question_is_read_as_asking_about_the_values_it_names(name: str, domains: dict[str, Domain]) -> None:
    domain = domains[name]
    slots = _slots(domain)
    reader = domain.reader([HOLDERS["a"], HOLDERS["b"]])
    for topic in domain.pack.topics:
        partner = HOLDERS["a" if topic.holder == "b" else "b"]
        first, second = topic.values[0], topic.values[-1]
        for line in topic.ask:
            readings = reader.read(2, partner, fill(line, {**slots, "x": first.short, "y": second.short}))
            assert {(one.act, one.topic) for one in readings} == {(Act.ASK, topic.id)}, line
            assert [one.content for one in readings] == [first.clause, second.clause], line


@pytest.mark.parametrize("name", BUILTIN)
def test_a_thought_is_matched_to_the_topic_of_its_clause(name: str, domains: dict[str, Domain]) -> None:
    domain = domains[name]
    for topic in domain.pack.topics:
        other = next(state for state in MentalState if state is not topic.state)
        for clause in topic.clauses:
            assert domain.find_topic("Maya", topic.state, clause) == topic.id
            assert domain.find_topic("Maya", other, clause) != topic.id
            assert domain.find_topic("Maya", topic.state, clause + " today") is None


@pytest.mark.parametrize("marker", MARKERS, ids=lambda marker: marker.id)
def test_no_line_of_a_pack_may_speak_a_marker(marker: Marker, restaurant: Domain) -> None:
    pack = restaurant.pack
    line = marker.say("zebras", "lions it is")
    ponder = (*pack.reactions.ponder, line)
    changed = pack.model_copy(update={"reactions": pack.reactions.model_copy(update={"ponder": ponder})})
    (problem,) = problems(changed)
    assert problem.path == ("reactions", "ponder", len(ponder) - 1)
    assert "signals a change of mind" in problem.message


@pytest.mark.parametrize("name", BUILTIN)
def test_by_whatever_name_a_topic_goes_that_nothing_is_known_of_it_is_read(
    name: str, domains: dict[str, Domain]
) -> None:
    pack = domains[name].pack
    reader = domains[name].reader([HOLDERS["a"], HOLDERS["b"]])
    for topic in (one for one in pack.topics if one.ignorance):
        for line in (line.replace("{label}", called) for called in topic.names for line in pack.lines.ignorance.say):
            assert {one.content for one in reader.read(3, HOLDERS[topic.holder], line)} == {topic.ignorance}, line


def test_all_words_for_a_value_come_in_the_lines_that_all_topics_share(restaurant: Domain) -> None:
    """One shared line comes for three of the pack's: by the same number, one of four ways was all that was said."""
    topic = next(one for one in restaurant.pack.topics if len(one.rewordings) > 3)
    topic = topic.model_copy(update={"rewordings": topic.rewordings[:3]})
    value = topic.values[0]
    turns = 1 + len(value.adopt)
    said = {ways_to_adopt(restaurant.pack, topic, value.clause, 3 + turns * at).clause for at in range(4)}
    assert turns == 4
    assert said == {topic.worded(value.clause, number) for number in range(4)}


@pytest.mark.parametrize("name", BUILTIN)
def test_what_two_say_is_read_without_the_lines_of_several(name: str, domains: dict[str, Domain]) -> None:
    of_two, stated = Domain(domains[name].pack, several=False), 0
    for made in dialogues(name, n=6):
        names = made.dialogue.scenario.names
        every, own = domains[name].reader(names), of_two.reader(names)
        for turn in made.dialogue.turns:
            read = own.read(turn.index, turn.speaker, turn.utterance)
            assert read == every.read(turn.index, turn.speaker, turn.utterance)
            stated += sum(one.act is Act.STATE for one in read)
    assert stated > 20
