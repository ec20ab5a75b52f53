"""The lines that all domains share when several talk: they say nothing of anybody's state, and signal no change."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import yaml

from dtomtrack.beliefs.markers import find_markers, marker
from dtomtrack.beliefs.mental_state import MentalState, Trigger
from dtomtrack.beliefs.reading import Act
from dtomtrack.scenarios.acting.company_speech import small_words
from dtomtrack.scenarios.acting.sentences import addressed
from dtomtrack.scenarios.company_lines import CompanyLines, company_lines
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack_files import find_pack, load_pack
from dtomtrack.scenarios.talk_lines import TalkLines, shared_talk

PACKS = ("restaurant", "travel", "medical", "team", "family")


def passing(talk: TalkLines) -> Iterator[str]:
    """The lines that are about nothing that is asked about."""
    for lines in (talk.accept, talk.stay, talk.relent, talk.correct, talk.concede, talk.greet, talk.asides):
        yield from lines
    for by_kind in (talk.acknowledge, talk.lead_in):
        for group in by_kind.values():
            yield from group
    for pair in talk.small_talk:
        yield from pair


@pytest.mark.parametrize("name", PACKS)
def test_a_shared_line_says_nothing_of_a_state(name: str, domains: dict[str, Domain]) -> None:
    reader = domains[name].reader(("Ada", "Ben", "Cleo"))
    assert [line for line in passing(shared_talk()) if reader.read(1, "Ada", line)] == []


def test_a_shared_line_signals_no_change() -> None:
    talk = shared_talk()
    voiced = [
        line
        for by_state in (talk.say, talk.adopt, talk.presume, talk.unmarked, talk.mention)
        for group in by_state.values()
        for line in group
    ]
    assert [line for line in (*passing(talk), *voiced) if find_markers(line)] == []


@pytest.mark.parametrize("name", PACKS)
def test_what_is_named_as_the_view_of_somebody_else_is_read_as_nobodys_here(
    name: str, domains: dict[str, Domain]
) -> None:
    reader = domains[name].reader(("Ada", "Ben", "Cleo"))
    for topic in load_pack(find_pack(name)).topics:
        for value in topic.clauses:
            for line in shared_talk().mention[topic.state]:
                read = reader.read(1, "Ada", line.replace("{clause}", value))
                assert [(one.act, one.topic, one.content) for one in read] == [(Act.MENTION, topic.id, value)], line


@pytest.mark.parametrize("name", PACKS)
def test_an_unmarked_change_is_read_as_what_is_held(name: str, domains: dict[str, Domain]) -> None:
    for topic in domains[name].pack.topics:
        reader = domains[name].reader(("Ada", "Ben") if topic.holder != "b" else ("Ben", "Ada"))
        for value in topic.clauses:
            for line in shared_talk().unmarked[topic.state]:
                read = reader.states(1, "Ada", line.replace("{clause}", value))
                assert [(one.topic, one.content) for one in read] == [(topic.id, value)], line


@pytest.mark.parametrize("name", PACKS)
def test_no_plan_begins_with_a_second_way_to_go(name: str) -> None:
    lines = company_lines(CompanyLines())
    talk = lines.talk
    shared = [lines.say, lines.adopt, lines.presume, lines.tell, lines.act]
    shared += [talk.say, talk.adopt, talk.unmarked, talk.presume, talk.mention]
    frames = [line for by_state in shared for line in by_state.get(MentalState.INTENTION, ())]
    topics = [topic for topic in load_pack(find_pack(name)).topics if topic.state is MentalState.INTENTION]
    plans = [line.replace("{clause}", clause) for line in frames for topic in topics for clause in topic.clauses]
    assert [plan for plan in plans if re.search(r"\bgoes to go\b|\boff to (?:spend|go|take|have)\b", plan)] == []


def test_nobody_says_that_they_asked_around_since_what_was_only_just_said() -> None:
    news = shared_talk().lead_in[Trigger.NEW_INFORMATION]
    assert [line for line in news if re.search(r"\bI've asked|\bsince[.,]", line)] == []


def test_no_shared_line_stands_there_twice() -> None:
    talk = shared_talk()
    lines = [*passing(talk), *(line for group in talk.mention.values() for line in group)]
    assert len(lines) == len(set(lines))


@pytest.mark.parametrize("name", PACKS)
def test_what_is_restated_can_be_of_no_other_topic(name: str) -> None:
    pack = load_pack(find_pack(name))
    said = [pack.restated(topic, value.clause) for topic in pack.topics for value in topic.values]
    said += [pack.restated(topic, topic.ignorance) for topic in pack.topics if topic.ignorance]
    assert len(said) == len({one.lower() for one in said})


def test_a_pack_may_bring_its_own_talk_or_none() -> None:
    assert company_lines(CompanyLines()).talk == shared_talk()
    own = CompanyLines.model_validate(yaml.safe_load("talk: {asides: [Es regnet.]}"))
    assert company_lines(own).talk == TalkLines(asides=("Es regnet.",))
    assert company_lines(CompanyLines.model_validate({"talk": {}})).talk == TalkLines()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("What do you think?", "Ada, what do you think?"),
        ("I'd rather wait.", "Ada, I'd rather wait."),
        ("Thirteen cars fit in the yard.", "Ada, listen. Thirteen cars fit in the yard."),
        ("Ben will be there.", "Ada, listen. Ben will be there."),
    ],
)
def test_behind_a_name_nothing_is_written_large_within_a_sentence(line: str, said: str) -> None:
    assert addressed("Ada", line, small_words(load_pack(find_pack("restaurant")))) == said


def test_who_is_back_says_it_so_that_nobody_has_to_remember_what_for_they_went() -> None:
    gone = re.compile(r"\b(back|here I am|with you|here again|hello again|beeped|done|dealt with)\b", re.IGNORECASE)
    for leaving, back, reason in company_lines(CompanyLines()).leave:
        assert gone.search(back) or _beginnings(back) & _beginnings(f"{leaving} {reason}"), back


def _beginnings(text: str) -> set[str]:
    """The first letters of the words that are not short, by which forms of one word are the same."""
    return set(re.findall(r"\b[a-z]{3}(?=[a-z])|\b(?:air|tap|cat)\b", text.lower())) - {"the", "tha", "som"}


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
def test_no_farewell_needs_one_before_it(name: str) -> None:
    closes = [line for person in load_pack(find_pack(name)).people for line in person.closes]
    assert not [line for line in closes if re.search(r"from me,? too|likewise|same to you", line)]


def test_who_says_a_marker_and_stays_wavers_in_between_and_is_read_as_staying(domains: dict[str, Domain]) -> None:
    pack, reader = domains["medical"].pack, domains["medical"].reader(("Ada", "Ben"))
    topic = next(topic for topic in pack.topics if topic.holder == "a")
    held = topic.values[0].clause
    for waver in pack.lines.waver:
        assert reader.read(1, "Ada", f"Actually, {waver}") == []
        for line in pack.lines.restate:
            stays = line.replace("{short}", pack.restated(topic, held))
            said = marker("actually").say("", f"{waver} {stays[0].upper()}{stays[1:]}")
            assert [one.content for one in reader.states(1, "Ada", said)] == [held]
