"""Whoever hears a line among several can tell what it is about, and that it is said to them, where they are."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

import pytest
from played import Played, played_dialogues

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.items.words import content_words
from dtomtrack.scenarios.acting.naming import is_named
from dtomtrack.scenarios.company_lines import CompanyLines, company_lines
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.pack import PackTopic
from dtomtrack.scenarios.script import Direction, Move
from dtomtrack.scenarios.talk_lines import shared_talk

CASES = [(name, "group", 16) for name in ("family", "medical", "restaurant", "team", "travel")]
SEVERAL = re.compile(r"\b(?:you all|all of you|you lot|you others|everybody|everyone)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def played(domains: dict[str, Domain]) -> list[Played]:
    """Dialogues of all domains."""

    async def all_played() -> list[Played]:
        return [one for case in CASES async for one in played_dialogues(domains[case[0]], *case)]

    return asyncio.run(all_played())


def _behind_another_topic(one: Played, *moves: Move) -> Iterator[tuple[Direction, str]]:
    """Directions, and the words of their turn, whose holder has last heard of another topic."""
    latest: dict[str, str] = {}
    for turn, (directions, words) in enumerate(zip(one.script, one.said, strict=True)):
        before = ""
        for direction in directions:
            holder = direction.holder or (direction.topic and one.scenario.topic(direction.topic).holder)
            last = before or latest.get(holder, "")
            if direction.move in moves and last not in {"", direction.topic}:
                yield direction, words
            before = direction.topic or before
        reads = one.scenario.read_at(turn)
        at_once = [name for name, at in reads.items() if at == turn]
        if before:
            hearers = [one.scenario.speaker(turn), *at_once] if reads else one.scenario.audience(turn)
            latest |= dict.fromkeys(hearers, before)


def test_a_reason_behind_words_on_another_topic_says_what_it_is_about(played: list[Played]) -> None:
    """Not "The doctor has given him back ten years", two turns behind the porter and one behind the cellar."""
    behind = 0
    for one in played:
        for direction, words in _behind_another_topic(one, Move.REVEAL):
            behind += 1
            assert _says(one.pack.topic(direction.topic), direction, words), words
    assert behind > 50


def _says(topic: PackTopic, direction: Direction, words: str) -> bool:
    """Whether words, or the last sentences of them, say what they are about, or are led in by its name."""
    parts = re.split(r"(?<=[.!?]) ", words)
    lasts = (" ".join(parts[at:]) for at in range(len(parts)))
    return topic.called(direction.pick) in words or any(is_named(topic, one) for one in lasts)


def test_a_question_behind_words_on_another_topic_says_what_it_is_about(played: list[Played]) -> None:
    """Not "Is that the cable, to your mind, or the mice?" as the first word on the computers."""
    behind = 0
    for one in played:
        for direction, words in _behind_another_topic(one, Move.ASK, Move.WONDER):
            topic = one.pack.topic(direction.topic)
            if direction.move is Move.ASK or topic.state is MentalState.EMOTION:
                behind += 1
                assert _says(topic, direction, words), words
    assert behind > 10


def test_a_topic_is_come_to_in_words_of_its_own_and_never_twice_in_the_same(played: list[Played]) -> None:
    own = 0
    for one in played:
        words = " ".join(one.said)
        topics = [one.pack.topic(topic.id) for topic in one.scenario.topics]
        often = [words.count(line[1:]) for topic in topics for line in topic.approach]
        own += sum(often)
        assert max(often) <= 1
    assert own > 2 * len(played)


def test_nobody_speaks_to_all_where_one_alone_hears_it(played: list[Played]) -> None:
    alone = 0
    for one in played:
        lines = (*one.pack.lines.own_reason, *one.pack.greetings.a, *one.pack.greetings.b, *one.pack.lines.talk.greet)
        to_all = [line for line in lines if SEVERAL.search(line)]
        for turn, _, words in one.carried_out(Move.GREET, Move.OWN_REASON):
            if len(one.scenario.audience(turn)) == 2:
                alone += 1
                assert [line for line in to_all if line in words] == []
    assert alone > 50


def test_no_two_views_named_in_passing_are_the_same_outsiders(played: list[Played]) -> None:
    """Not two landlords in one dialogue, of two people."""
    several = 0
    lines = [line for group in shared_talk().mention.values() for line in group]
    whose = {line: content_words(line.partition("{clause}")[0]) for line in lines}
    forms = {line: [part for part in line.split("{clause}") if len(part) > 8] for line in lines}
    for one in played:
        by_turn = [{whose[line] for line in lines if all(part in words for part in forms[line])} for words in one.said]
        named = [outsider for turn in by_turn for outsider in turn]
        several += len(named) > 1
        assert sum(map(len, named)) == len(frozenset[str]().union(*named)), named
    assert several > 15


@pytest.mark.parametrize("name", ["medical", "team", "travel"])
def test_nobody_says_what_can_not_be_where_they_are(name: str, domains: dict[str, Domain]) -> None:
    away = " ".join(" ".join(one) for one in domains[name].pack.lines.leave)
    assert "oven's beeping" not in away
    assert "hens" not in away


def test_a_pack_leaves_out_shared_lines_by_their_words_and_keeps_its_own() -> None:
    own = CompanyLines(misplaced=("umbrella", "the phone"), asides=("My umbrella drips.",))
    lines, every = company_lines(own), company_lines(CompanyLines())
    assert lines.asides == own.asides
    assert not [line for line in (*lines.talk.greet, *lines.talk.asides) if re.search(r"\bumbrella\b", line)]
    assert 0 < len(lines.talk.greet) < len(every.talk.greet)
    assert lines.talk.mention == every.talk.mention
    assert len(lines.leave) < len(every.leave)
