"""What readers heard nobody say: headings, bare clauses, untruths with no motive, two sources of one thing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence

import pytest

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.mental_state import MentalState, Trigger
from dtomtrack.beliefs.reading import Act
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.company_speech import unfit_to_adopt, ways_to_adopt
from dtomtrack.scenarios.acting.line_book import LineBook
from dtomtrack.scenarios.company_lines import CompanyLines, company_lines
from dtomtrack.scenarios.difficulty import PRESETS
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import DirectedScenario, Direction, Move

DOMAINS = ("family", "medical", "restaurant", "team", "travel")
MOTIVE = re.compile(r", so\b|, or\b|\bsuch\b")
OUTSIDERS = re.compile(
    r"\b(?:kiosk|hairdresser|dentist|barber|landlord|choir|driver|barbecue|pigeons|uncle|teacher|magazine|paper)\b"
)
SUPPOSED = re.compile(r"\b(?:would|might)\b|'d\b")
HOW_IT_WAS_HEARD = re.compile(
    r"\b(?:I heard|I had it from|told me|let it drop|listened|at the door|one ear|was said)\b"
)
SINCE_WHEN = re.compile(
    r"\b(?:morning|noon|today|hour|fresh|hot off|just had word|only (?:learned|found)|came in|porter|phone|call)\b"
)

LAST_TURNS = 8
"""Turns in which there may be no room for an answer."""


@pytest.fixture(scope="module")
def played(domains: dict[str, Domain]) -> list[tuple[Domain, DirectedScenario, Dialogue]]:
    """Dialogues of several in two domains, as they were planned and as they were spoken."""
    difficulty, found = PRESETS["hard"], []
    for name in ("medical", "team"):
        context = RoleplayContext(domains, verifiers=(), difficulty=difficulty)
        for at in range(5):
            directed = sample_scenario(domains[name].pack, slot_at(5, at, [name]), 0, difficulty.turns, difficulty)
            given = Attempt(domains=[name], seed=5, index=at, attempt=0, length=difficulty.turns)
            dialogue = asyncio.run(play(context, given)).dialogue
            assert dialogue is not None
            found.append((domains[name], directed, dialogue))
    return found


def said(directed: DirectedScenario, *moves: Move) -> Iterator[tuple[int, Direction]]:
    for turn, here in enumerate(directed.script):
        yield from ((turn, one) for one in here if one.move in moves)


def lines_of(name: str, domains: dict[str, Domain]) -> CompanyLines:
    return company_lines(domains[name].pack.company)


def test_nobody_says_a_heading(played: Sequence[tuple[Domain, DirectedScenario, Dialogue]]) -> None:
    """ "I've had exercise in the coming weeks on my mind all morning." """
    named = 0
    for domain, directed, dialogue in played:
        topics = [domain.pack.topic(one.id) for one in directed.scenario.topics]
        own = " ".join(line for one in topics for line in (*one.wonder, *one.lead))
        headings = {one.label: one.names for one in topics if one.label not in one.names and one.label not in own}
        for turn in dialogue.turns:
            named += sum(name in turn.utterance for names in headings.values() for name in names)
            assert not [label for label in headings if label in turn.utterance], turn.utterance
    # few topics have a heading that is not what they are called
    assert named > 5


def test_a_secret_is_answered_as_quietly(played: Sequence[tuple[Domain, DirectedScenario, Dialogue]]) -> None:
    confided = 0
    for _, directed, _ in played:
        for turn, secret in said(directed, Move.CONFIDE):
            if len(directed.script) - turn < LAST_TURNS:
                continue
            confided += 1
            scenario, after = directed.scenario, directed.script[turn + 1]
            assert [(one.move, one.to) for one in after] == [(Move.PROMISE, scenario.speaker(turn))], secret
            assert set(scenario.audience(turn + 1)) == set(scenario.audience(turn))
    assert confided > 10


@pytest.mark.parametrize("name", DOMAINS)
def test_what_stands_is_said_in_a_sentence(name: str, domains: dict[str, Domain]) -> None:
    """Not "My last word on that stands: to wear the elastic tape"."""
    pack = domains[name].pack
    for topic in pack.topics:
        reader = domains[name].reader(("Ada", "Ben") if topic.holder != "b" else ("Ben", "Ada"))
        for clause in (*topic.clauses, *([topic.ignorance] if topic.ignorance else [])):
            stands = pack.restated(topic, clause)
            assert stands.startswith("I") or topic.state in {MentalState.BELIEF, MentalState.KNOWLEDGE}
            for line in pack.lines.restate:
                read = reader.states(1, "Ada", f"{line.replace('{short}', stands)}.")
                assert [(one.topic, one.content) for one in read] == [(topic.id, clause)], line


@pytest.mark.parametrize("name", DOMAINS)
def test_who_announces_an_untruth_says_why(name: str, domains: dict[str, Domain]) -> None:
    lines = lines_of(name, domains).discreet
    assert [line for line in lines if not MOTIVE.search(line.partition(": {short}")[0])] == []


@pytest.mark.parametrize("name", DOMAINS)
def test_an_untruth_is_read_by_what_people_call_the_topic(name: str, domains: dict[str, Domain]) -> None:
    domain = domains[name]
    for topic, called in [(one, each) for one in domain.pack.topics for each in one.names]:
        several = [(value, line) for value in topic.values for line in domain.pack.lines.discreet[:2]]
        one = [(topic.values[0], line) for line in (*domain.pack.lines.discreet, *domain.pack.lines.kept_up)]
        for value, line in several + one:
            claimed = topic.claimed(value.clause)
            words = line.replace("{label}", called).replace("{short}", claimed).replace("{from}", "Cleo")
            read = domain.reader(("Ada", "Ben", "Cleo")).read(1, "Ada", words)
            assert [(one.act, one.topic, one.content, one.kept_from) for one in read] == [
                (Act.CONFIDE, topic.id, value.clause, "Cleo")
            ], words


@pytest.mark.parametrize("name", DOMAINS)
def test_nobody_says_twice_where_they_know_it_from(name: str, domains: dict[str, Domain]) -> None:
    """ "I've this minute read the small print. Wait, I've got it first hand that ..." """
    pack, sourced = domains[name].pack, re.compile(r"I've (?:been told|learned|heard)|I hear\b|in writing|first hand")
    for topic in (one for one in pack.topics if one.state is MentalState.KNOWLEDGE):
        for value in topic.clauses:
            for number in range(40):
                said_so = Direction(Move.UPDATE, topic.id, value, marker="wait", pick=number, nth=number)
                unfit = unfit_to_adopt(said_so, topic.state, pack.lines.talk)
                line = ways_to_adopt(pack, topic, value, number).pick(said_so, LineBook(), unfit)
                assert not sourced.search(line), line


@pytest.mark.parametrize("name", ["family", "medical", "team", "travel"])
def test_what_leads_to_a_reason_says_nothing_of_when_it_came(name: str, domains: dict[str, Domain]) -> None:
    """ "I've only had this since noon. The muscle next to your hip is one hard rope." """
    pack = domains[name].pack
    lines = [*pack.triggers.new_information, *pack.lines.talk.lead_in[Trigger.NEW_INFORMATION]]
    assert [line for line in lines if SINCE_WHEN.search(line)] == []


def test_nobody_outside_talks_of_what_is_private() -> None:
    """ "The magazines want us all to be sad about the move upstairs": they would, at most."""
    mention = company_lines(CompanyLines()).talk.mention
    heard_of = [line for group in mention.values() for line in group if OUTSIDERS.search(line)]
    assert len(heard_of) > 30
    assert [line for line in heard_of if not SUPPOSED.search(line)] == []


def test_what_is_told_of_a_third_says_nothing_of_how_it_was_heard() -> None:
    """It may have been read, or told by somebody else."""
    lines = company_lines(CompanyLines())
    told = [*lines.half_heard, *(line for group in lines.tell.values() for line in group)]
    assert [line for line in told if HOW_IT_WAS_HEARD.search(line)] == []


def test_no_wish_stands_behind_a_word_that_only_a_thing_can_follow() -> None:
    """ "A child would ask for to wear the elastic tape." """
    lines = company_lines(CompanyLines())
    talk = lines.talk
    frames = [lines.say, lines.adopt, lines.presume, lines.tell, lines.act]
    frames += [talk.say, talk.adopt, talk.presume, talk.unmarked, talk.mention]
    wishes = [line for by_state in frames for line in by_state[MentalState.DESIRE]]
    assert [line for line in wishes if re.search(r"\b(?:for|of|about|on) \{clause\}", line)] == []
