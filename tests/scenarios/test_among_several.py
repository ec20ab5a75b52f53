"""Lines of a pack that fit two alone, and what stands for them where several talk."""

from __future__ import annotations

import asyncio
import re

import pytest
from played import played_dialogues
from pydantic import ValidationError

from dtomtrack.beliefs.reading import Act
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.company_lines import CompanyLines
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.pack_rules import problems

ON_THE_PHONE = re.compile(r"\bon the (?:line|phone)\b|\bon your end\b|\bI'm calling\b|\bthrough to\b|\bby telephone\b")


def with_instead(pack: DomainPack, instead: dict[str, str]) -> DomainPack:
    return pack.model_copy(update={"company": pack.company.model_copy(update={"instead": instead})})


def test_nobody_is_on_the_phone_with_those_who_sit_beside_them(domains: dict[str, Domain]) -> None:
    pack = domains["restaurant"].pack.among_several
    lines = [
        *pack.greetings.a,
        *pack.greetings.b,
        *pack.reactions.relent,
        *(line for pair in pack.small_talk for line in pair),
    ]
    lines += [line for manner in pack.manners.values() for line in (*manner.high, *manner.low)]
    assert [line for line in lines if ON_THE_PHONE.search(line)] == []


def test_who_is_there_for_the_first_time_has_left_nothing_there_before(domains: dict[str, Domain]) -> None:
    pack = domains["medical"].pack
    assert any("my first time at" in line for line in pack.greetings.a)
    assert not any("my first time at" in line for line in pack.among_several.greetings.a)


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
def test_what_stands_for_a_line_keeps_the_rules_of_a_pack(name: str, domains: dict[str, Domain]) -> None:
    assert problems(domains[name].pack) == []
    assert problems(domains[name].pack.among_several) == []


def test_a_line_that_the_pack_does_not_have_is_a_problem(domains: dict[str, Domain]) -> None:
    found = problems(with_instead(domains["medical"].pack, {"Nobody says this.": "Nor this."}))
    assert [one.message for one in found] == ["stands for no line of the pack"]


def test_a_line_that_names_no_value_or_another_is_a_problem(domains: dict[str, Domain]) -> None:
    pack = domains["medical"].pack
    said = pack.topics[0].values[0].say[0]
    assert problems(with_instead(pack, {said: "I really could not say."}))


def test_what_is_said_instead_is_read_as_what_it_stands_for(domains: dict[str, Domain]) -> None:
    domain = domains["restaurant"]
    topic = next(one for one in domain.pack.topics if one.label == "the price of the evening")
    (line,) = [
        one
        for value in domain.pack.among_several.topic(topic.id).values
        for one in value.reason
        if "school trip" in one
    ]
    read = domain.reader(("Ada", "Ben", "Cleo")).read(1, "Ben", line)
    assert [(one.act, one.topic) for one in read] == [(Act.ARGUE, topic.id)]


@pytest.mark.parametrize(("difficulty", "instead"), [("group", True), ("paper", False)])
def test_two_alone_say_what_the_pack_says(difficulty: str, instead: bool, domains: dict[str, Domain]) -> None:
    dials, domain = preset(difficulty), domains["restaurant"]
    context = RoleplayContext({"restaurant": domain}, verifiers=(), difficulty=dials)
    openings = set()
    for index in range(6):
        given = Attempt(domains=["restaurant"], seed=2, index=index, attempt=0, length=dials.turns)
        dialogue = asyncio.run(play(context, given)).dialogue
        if dialogue is not None:
            openings |= {turn.utterance for turn in dialogue.turns[:2]}
    told_apart = [".+".join(map(re.escape, re.split(r"\{\w+\}", key))) for key in domain.pack.company.instead]
    assert any(re.search(line, one) for one in openings for line in told_apart) is not instead


@pytest.mark.parametrize("stand_in", ["", "   ", "two\nlines", "x" * 601])
def test_what_stands_for_a_line_is_a_line(stand_in: str) -> None:
    with pytest.raises(ValidationError):
        CompanyLines.model_validate({"instead": {"Thank you for calling us.": stand_in}})


def test_only_lines_have_something_that_stands_for_them(domains: dict[str, Domain]) -> None:
    pack = domains["medical"].pack
    topic = pack.topics[0]
    for text in (topic.id, topic.label, topic.clauses[0], pack.names[0]):
        (found,) = problems(with_instead(pack, {text: "zzz"}))
        assert (found.path[-1], found.message) == (text, "stands for no line of the pack")


def test_words_that_leave_no_line_or_take_none_are_told(domains: dict[str, Domain]) -> None:
    pack = domains["medical"].pack

    def told(*words: str) -> list[str]:
        company = pack.company.model_copy(update={"misplaced": words})
        return [one.message for one in problems(pack.model_copy(update={"company": company}))]

    assert told("oven's beeping", ".*") == ["stands in none of the shared lines that tell where people are"]
    assert "leaves none of the shared lines to leave" in told("I", "the", "my", "it", "you", "a")
    with pytest.raises(ValidationError):
        CompanyLines.model_validate({"misplaced": ["oven's beeping", ""]})


@pytest.mark.parametrize("name", ["medical", "restaurant", "travel"])
def test_who_was_greeted_by_the_host_does_not_ask_for_the_house(name: str, domains: dict[str, Domain]) -> None:
    """ "I'm Farouk, the manager." was answered by "Could I talk to whoever runs things at The Tin Lantern?"."""

    async def answers() -> list[str]:
        found = [one async for one in played_dialogues(domains[name], name, "apart", 40)]
        return [one.said[1] for one in found if one.dialogue.turns[1].speaker == one.dialogue.scenario.names[0]]

    said = asyncio.run(answers())
    assert len(said) > 10
    assert [line for line in said if any(venue in line for venue in domains[name].pack.settings["venue"])] == []
