"""Dialogues of two in the preset `paper`: how topics come up, to whom lines are said, and that none comes twice."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from minds_dialogues import Heard, first_voices, label_frames
from minds_prose import repeated
from played import Played, played_dialogues

from dtomtrack.beliefs.reading import Act, read_all
from dtomtrack.scenarios.acting.sentences import joined
from dtomtrack.scenarios.between_two import between_two
from dtomtrack.scenarios.company_lines import CompanyLines
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.script import Move
from dtomtrack.scenarios.talk_lines import TalkLines

if TYPE_CHECKING:
    from dtomtrack.scenarios.pack import DomainPack

DOMAINS = ["family", "medical", "restaurant", "team", "travel"]
COUNT = 60
TO_SEVERAL = re.compile(
    r"\b(?:all of you|you all|you lot|tell us|everybody sitting|so we're all here)\b|, (?:everybody\b|all\.)",
    re.IGNORECASE,
)


async def all_played(domain: Domain, name: str) -> list[Played]:
    return [one async for one in played_dialogues(domain, name, "paper", COUNT)]


@pytest.fixture(scope="module")
def played(domains: dict[str, Domain]) -> dict[str, list[Played]]:
    return {name: asyncio.run(all_played(domains[name], name)) for name in DOMAINS}


def heard(domain: Domain, dialogues: list[Played]) -> list[Heard]:
    found = []
    for one in dialogues:
        reader = domain.reader(one.scenario.names)
        transcript = [(turn.speaker, turn.utterance) for turn in one.dialogue.turns]
        found.append(Heard(one.dialogue, read_all(reader, transcript)))
    return found


@pytest.mark.parametrize("name", DOMAINS)
def test_topics_come_up_as_people_bring_them_up(
    name: str, domains: dict[str, Domain], played: dict[str, list[Played]]
) -> None:
    dialogues = heard(domains[name], played[name])
    framed, turns = label_frames(dialogues)
    voices = first_voices(dialogues)
    assert framed <= 0.08 * turns
    assert voices["quizzes"] <= 0.2 * voices["first voices"]
    assert voices["cold dialogues"] <= 0.04 * voices["dialogues"]


@pytest.mark.parametrize("name", DOMAINS)
def test_most_questions_are_open(name: str, played: dict[str, list[Played]]) -> None:
    moves = [one.move for dialogue in played[name] for here in dialogue.script for one in here]
    assert moves.count(Move.WONDER) > 2 * moves.count(Move.ASK) > 0
    # of what is the partners' own life nobody asks: the holder comes with it unasked
    assert 4 * moves.count(Move.WONDER) > 3 * moves.count(Move.LEAD) > 0


@pytest.mark.parametrize("name", DOMAINS)
def test_no_turn_asks_two_things(name: str, played: dict[str, list[Played]]) -> None:
    for one in played[name]:
        for here in one.script:
            assert sum(direction.move in {Move.ASK, Move.WONDER} for direction in here) <= 1


@pytest.mark.parametrize("name", DOMAINS)
def test_no_line_of_a_dialogue_comes_twice(name: str, played: dict[str, list[Played]]) -> None:
    assert repeated([one.dialogue for one in played[name]])[0] == 0


@pytest.mark.parametrize("name", ["family", "team"])
def test_nobody_greets_one_person_as_if_they_were_several(name: str, played: dict[str, list[Played]]) -> None:
    for one in played[name]:
        for turn, directions in enumerate(one.script):
            if any(direction.move in {Move.GREET, Move.INVITE, Move.CLOSE} for direction in directions):
                assert not TO_SEVERAL.search(one.said[turn]), one.said[turn]


def test_two_on_the_telephone_say_nothing_of_a_room_they_share(domains: dict[str, Domain]) -> None:
    lines = between_two(domains["restaurant"].pack).lines
    assert not lines.talk.greet
    assert not lines.talk.asides
    assert not any("table" in line for line in lines.lead)
    assert between_two(domains["medical"].pack).lines.talk.asides


def foreign(pack: DomainPack) -> DomainPack:
    """A pack that brings no talk of its own and wants none of what all packs share."""
    company = CompanyLines(talk=TalkLines())
    topics = tuple(topic.model_copy(update={"wonder": (), "lead": ()}) for topic in pack.topics)
    return pack.model_copy(update={"company": company, "topics": topics})


def test_a_pack_in_another_language_is_mixed_with_nothing(restaurant: Domain) -> None:
    pack = foreign(restaurant.pack)
    two = between_two(pack)
    assert two.lines.talk == TalkLines()
    assert two.lines.lead == two.lines.back_to == pack.reactions.shift
    assert not two.lines.say
    assert two.greetings == pack.greetings
    assert pack.quizzed == {topic.id for topic in pack.topics}
    assert not restaurant.pack.quizzed


async def test_a_pack_in_another_language_is_played_with_its_own_words_of_transition(restaurant: Domain) -> None:
    pack = foreign(restaurant.pack)
    domain = Domain(pack)
    played = [one async for one in played_dialogues(domain, "restaurant", "paper", 40)]
    assert len(played) == 40
    for one in played:
        reader = domain.reader(one.scenario.names)
        for turn, direction, words in one.carried_out(Move.VOICE, Move.UPDATE):
            read = reader.read(turn, one.scenario.speaker(turn), words)
            assert direction.value in {state.content for state in read if state.act is Act.STATE}, words
    held = [state.content for one in played for agent in one.scenario.agents for state in agent.initial_states]
    assert not any(content.startswith("nothing about") for content in held), "it has no words for that"
    moves = [one.move for dialogue in played for here in dialogue.script for one in here]
    assert Move.ASK in moves
    assert Move.WONDER not in moves
    for line in restaurant.pack.lines.lead:
        assert not any(line.partition("{label}")[0] in said for one in played for said in one.said if line[0] != "{")


def test_behind_a_colon_no_sentence_begins_with_a_capital() -> None:
    small = {"we", "i"}
    assert joined(["Now, the bill:", "We take cards."], small) == "Now, the bill: we take cards."
    assert joined(["Now, the bill:", "I'll pay."], small) == "Now, the bill: I'll pay."
    assert joined(["Now, the class:", "Juggling, all day."], small) == "Now, the class. Juggling, all day."
    assert joined(["So.", "", "We take cards."], small) == "So. We take cards."
    assert joined(["Now, the bill:", "We take cards."]) == "Now, the bill. We take cards."
    assert joined([]) == ""
