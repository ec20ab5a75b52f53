"""Words that fit what those who hear them have heard before, in dialogues of several as they are played."""

from __future__ import annotations

import asyncio
import re

import pytest
from played import Played, played_dialogues

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.acting.occasions import with_occasions
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario
from dtomtrack.scenarios.script import Move
from dtomtrack.scenarios.talk_lines import shared_talk
from dtomtrack.scenarios.telling import is_harmless, telling_words

CASES = [
    ("medical", "hard", 12),
    ("team", "hard", 12),
    ("family", "extreme", 2),
    # with asides on somebody that are for several
    ("restaurant", "extreme", 2),
    ("family", "group", 24),
    ("team", "group", 24),
    ("family", "apart", 60),
    ("medical", "apart", 60),
    ("travel", "apart", 60),
]


@pytest.fixture(scope="module")
def played(domains: dict[str, Domain]) -> list[Played]:
    """Dialogues of several, short and long."""

    async def all_played() -> list[Played]:
        return [one for case in CASES async for one in played_dialogues(domains[case[0]], *case)]

    return asyncio.run(all_played())


def test_hardly_a_sentence_comes_twice_whatever_names_are_in_it(played: list[Played]) -> None:
    again = of = 0
    for one in played:
        names = re.compile("|".join(one.scenario.names))
        said = [part for words in one.said for part in re.split(r"(?<=[.!?]) ", names.sub("N", words))]
        long = [part for part in said if len(part.split()) > 3]
        again, of = again + len(long) - len(set(long)), of + len(long)
    assert of > 2000
    assert again / of < 0.003


def test_a_reason_says_what_it_is_about_unless_that_is_on_the_table(played: list[Played]) -> None:
    left = 0
    for one in played:
        for _, direction, words in one.carried_out(Move.REVEAL):
            if direction.occasion.far_back:
                topic, left = one.pack.topic(direction.topic), left + 1
                own = set(re.findall(r"\w+", words.lower()))
                named = any(name in words or set(re.findall(r"\w+", name.lower())) <= own for name in topic.names)
                assert named or not is_harmless(words, telling_words((topic,))), words
                lasts = {name.split()[-1].lower() for name in topic.names}
                assert named or topic.state is not MentalState.EMOTION or lasts & own, words
    assert left > 50


def test_nobody_points_to_what_was_said_long_before(played: list[Played]) -> None:
    points = shared_talk().of_what_was_said
    assert points is not None
    passed = 0
    for one in played:
        for _, direction, words in one.carried_out(Move.REVEAL):
            if direction.occasion.passed and direction.trigger is not None:
                passed += 1
                trigger = direction.trigger
                leads = (*getattr(one.pack.triggers, trigger.value), *shared_talk().lead_in[trigger])
                assert [lead for lead in leads if points.search(lead) and lead in words] == []
    assert passed > 20


def test_what_somebody_was_never_told_otherwise_is_no_change_to_them(played: list[Played]) -> None:
    first = 0
    for one in played:
        taken = (*one.pack.reactions.accept, *shared_talk().accept)
        for _, direction, words in one.carried_out(Move.ACCEPT):
            if direction.occasion.first:
                first += 1
                assert [line for line in taken if words.startswith(line)] == []
    assert first > 5


def test_who_has_argued_for_a_change_is_glad_of_it(played: list[Played]) -> None:
    won = 0
    for one in played:
        for _, direction, words in one.carried_out(Move.ACCEPT):
            told = not direction.occasion.first and one.pack.topic(direction.topic).state is not MentalState.EMOTION
            if direction.occasion.won and told:
                won += 1
                assert any(words.startswith(line) for line in shared_talk().gratified)
    assert won > 20


def test_nobody_says_that_nothing_has_changed_before_people_who_missed_a_change(played: list[Played]) -> None:
    unmoved = shared_talk().of_no_change
    assert unmoved is not None
    overtaken = 0
    for one in played:
        lines = (*one.pack.reactions.stay, *shared_talk().stay)
        for _, direction, words in one.carried_out(Move.STAY):
            if direction.occasion.overtaken:
                overtaken += 1
                assert [line for line in lines if unmoved.search(line) and line in words] == []
    assert overtaken


def test_nothing_long_past_was_just_so(played: list[Played]) -> None:
    late = shared_talk().of_just_now
    assert late is not None
    long_ago = 0
    for one in played:
        lines = (*one.pack.reactions.accept, *shared_talk().accept, *one.pack.lines.since)
        for _, direction, words in one.carried_out(Move.ACCEPT, Move.REVEAL):
            if direction.occasion.long_ago:
                long_ago += 1
                assert [line for line in lines if late.search(line) and line in words] == []
    assert long_ago > 10


def test_only_who_has_told_somebody_otherwise_brings_them_news(played: list[Played]) -> None:
    for one in played:
        for _, direction, words in one.carried_out(Move.REVEAL):
            if not direction.occasion.turned:
                assert [line for line in one.pack.lines.since if line in words] == []


def test_who_argues_for_something_else_than_last_time_says_so(played: list[Played]) -> None:
    """ "They pay it back to the cent", and two turns later to the same one: "there's a fixed fee", as before."""
    turned = 0
    for one in played:
        last: dict[tuple[str, str, str], str] = {}
        for turn, direction, _ in one.carried_out(Move.REVEAL):
            state = one.scenario.topic(direction.topic).mental_state
            key = (one.scenario.speaker(turn), direction.holder, direction.topic)
            if state is MentalState.BELIEF and direction.named and last.get(key, direction.value) != direction.value:
                turned += 1
                assert direction.occasion.turned
            last[key] = direction.value
    assert turned > 2


def test_nobody_takes_back_before_one_what_they_said_for_the_plans_of_another(played: list[Played]) -> None:
    news = 0
    for one in played:
        argued: set[tuple[str, str, str]] = set()
        for turn, direction, words in one.carried_out(Move.REVEAL):
            key = one.scenario.speaker(turn), direction.topic, direction.holder
            own = one.pack.topic(direction.topic).state not in {MentalState.BELIEF, MentalState.KNOWLEDGE}
            if own and any(line in words for line in one.pack.lines.since):
                news += 1
                assert key in argued, words
            argued.add(key)
    assert news


def test_who_is_about_to_pretend_a_feeling_says_it_in_a_sentence(played: list[Played]) -> None:
    """Not "I'd rather bluff: tearful"."""
    pretended = 0
    for one in played:
        for _, direction, words in one.carried_out(Move.DISCREET):
            topic = one.pack.topic(direction.topic)
            if topic.state is MentalState.EMOTION:
                pretended += 1
                assert f"I'm {topic.value(direction.old).short}" in words
    assert pretended > 3


def test_of_reports_that_are_right_most_are_led_in_like_those_that_are_not(played: list[Played]) -> None:
    right = led_in = 0
    for one in played:
        for _, direction, words in one.carried_out(Move.TELL):
            if direction.value == direction.old != one.pack.topic(direction.topic).ignorance:
                right += 1
                led_in += any(line[1:].rstrip(".") in words for line in one.pack.lines.half_heard)
    assert right > 20
    assert 0.55 < led_in / right < 0.95


def test_an_aside_on_somebody_names_all_whom_it_is_for(played: list[Played]) -> None:
    several = 0
    for one in played:
        for turn, _, words in one.carried_out(Move.TELL, Move.ACT):
            aside = one.scenario.planned_audience(turn)
            if aside is not None:
                several += len(aside.hearers) > 1
                beginning = words[: sum(len(name) + len(" and ") for name in aside.hearers)]
                assert all(name in beginning for name in aside.hearers), words
    assert several


def test_a_reason_behind_a_word_that_its_giver_did_not_hear_names_whom_it_is_for(played: list[Played]) -> None:
    for one in played:
        for turn, direction, words in one.carried_out(Move.REVEAL):
            before = one.scenario.speaker(turn - 1)
            if before != direction.holder or one.scenario.speaker(turn) not in one.scenario.audience(turn - 1):
                assert direction.holder in words


def test_nobody_announces_a_topic_that_was_just_spoken_of(played: list[Played], domains: dict[str, Domain]) -> None:
    for one in played:
        for _, direction, words in one.carried_out(Move.LEAD):
            if direction.occasion.on_the_table and not direction.value:
                assert any(line in words for line in one.pack.lines.carry_on)
    difficulty, carried_on = preset("hard"), 0
    for index in range(60):
        directed = sample_scenario(domains["team"].pack, slot_at(3, index, ["team"]), 0, 60, difficulty)
        script = with_occasions(directed)
        leads = ((turn, lead) for turn, there in enumerate(script) for lead in there if lead.move is Move.LEAD)
        for turn, lead in leads:
            if lead.occasion.on_the_table:
                carried_on += 1
                assert lead.topic in {before.topic for before in script[turn - 1]}
    assert carried_on


def test_nobody_wavers_over_an_argument_that_nobody_put_forward(played: list[Played]) -> None:
    unprompted = 0
    for one in played:
        argued = [line for line in one.pack.lines.waver if re.search(r"\b(?:you|that|against)\b", line)]
        for _, direction, words in one.carried_out(Move.RESTATE):
            if direction.occasion.unprompted and direction.marker:
                unprompted += 1
                assert [line for line in argued if line in words] == []
    assert unprompted


def test_nobody_takes_somebody_for_who_has_just_spoken_and_thanks_that_one(domains: dict[str, Domain]) -> None:
    difficulty = preset("group").model_copy(update={"acknowledgement_share": 1.0})
    mixed_up = 0
    for index in range(120):
        directed = sample_scenario(domains["team"].pack, slot_at(3, index, ["team"]), 0, difficulty.turns, difficulty)
        for before, after in zip(directed.script, with_occasions(directed), strict=True):
            presumed = {(one.topic, one.holder) for one in before if one.move is Move.PRESUME}
            told = [one for one in after if one.move is Move.ACKNOWLEDGE]
            mixed_up += len(after) < len(before)
            assert not [one for one in told if any(topic == one.topic for topic, _ in presumed)]
    assert mixed_up
