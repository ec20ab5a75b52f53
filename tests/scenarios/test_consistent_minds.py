"""Scripted dialogues among several contradict themselves nowhere: who was there knows, and thinks each thing once."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from itertools import chain

import pytest

from dtomtrack.beliefs.divergence import Way
from dtomtrack.beliefs.markers import find_markers
from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import Question
from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.planning.ledger import Ledger
from dtomtrack.verifiers.claims import false_claims, repeated_untruths
from dtomtrack.verifiers.overheard import untruths
from dtomtrack.verifiers.verifier import ReviewedAttempt

DOMAINS = ("family", "medical", "restaurant", "team", "travel")
CASES = [(name, "hard", 7) for name in DOMAINS] + [(name, "group", 14) for name in DOMAINS]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def played(request: pytest.FixtureRequest, domains: dict[str, Domain]) -> list[ReviewedAttempt]:
    """Dialogues of one domain and preset, nothing of them verified."""
    name, difficulty, count = request.param[0], preset(request.param[1]), request.param[2]
    context = RoleplayContext({name: domains[name]}, verifiers=(), difficulty=difficulty)
    given = [Attempt(domains=[name], seed=0, index=index, attempt=0, length=difficulty.turns) for index in range(count)]

    async def all_played() -> list[ReviewedAttempt]:
        return [await play(context, one) for one in given]

    return [attempt for attempt in asyncio.run(all_played()) if attempt.dialogue is not None]


def test_nobody_claims_of_another_what_they_have_heard_otherwise(played: list[ReviewedAttempt]) -> None:
    for attempt in played:
        assert attempt.dialogue is not None
        ignorance = {topic.id: topic.ignorance for topic in attempt.dialogue.scenario.topics}
        assert list(false_claims(attempt.minds, ignorance)) == []


def test_who_was_let_in_on_an_untruth_is_not_told_it_by_those_who_believe_it(played: list[ReviewedAttempt]) -> None:
    told = 0
    for attempt in played:
        told += len(untruths(attempt.readings, attempt.minds.turns))
        assert list(repeated_untruths(attempt.minds)) == []
    assert told


def test_who_wavers_and_stays_does_so_in_sentences(played: list[ReviewedAttempt], domains: dict[str, Domain]) -> None:
    wavering = 0
    for attempt in played:
        assert attempt.dialogue is not None
        shared = domains[attempt.dialogue.domain].pack.lines
        lines = [*shared.waver, *chain.from_iterable(shared.waver_behind.values())]
        for turn in attempt.dialogue.turns:
            for line in (one for one in lines if one in turn.utterance):
                wavering += 1
                assert line.endswith(".")
                assert turn.utterance.partition(f"{line} ")[2][0].isupper()
    assert wavering


def test_a_fact_is_learnt_by_one_and_nobody_presumes_that_they_know_it(played: list[ReviewedAttempt]) -> None:
    for attempt in played:
        assert attempt.dialogue is not None
        facts = [one for one in attempt.dialogue.scenario.topics if one.mental_state is MentalState.KNOWLEDGE]
        assert all(len(topic.holders) == 1 for topic in facts)
        presumed = [one for one in attempt.dialogue.scenario.divergences if one.way is Way.PRESUMPTION]
        assert not {topic.id for topic in facts} & {one.topic for one in presumed}


def test_nobody_thinks_the_same_twice_in_a_turn(played: list[ReviewedAttempt]) -> None:
    for attempt in played:
        assert attempt.dialogue is not None
        for turn in attempt.dialogue.turns:
            thoughts = Counter((one.about, one.topic, one.text) for one in turn.inner_speech)
            assert max(thoughts.values()) == 1


def test_hardly_a_sentence_comes_twice_in_a_dialogue(played: list[ReviewedAttempt]) -> None:
    again = of = 0
    for attempt in played:
        assert attempt.dialogue is not None
        said = [one for turn in attempt.dialogue.turns for one in re.findall(r"[^.!?]+", turn.utterance)]
        long = [one.strip() for one in said if len(one.split()) > 3]
        again, of = again + len(long) - len(set(long)), of + len(long)
    assert of > 300
    assert again / of < 0.005


def test_what_is_taken_up_behind_a_colon_has_none_itself(played: list[ReviewedAttempt]) -> None:
    behind = 0
    for attempt in played:
        assert attempt.dialogue is not None
        for turn in attempt.dialogue.turns:
            for match in find_markers(turn.utterance):
                sentence = turn.utterance[match.start :].partition(". ")[0]
                behind += ":" in match.marker.frame
                assert sentence.count(":") <= 1
    assert behind


def test_who_confides_that_they_changed_their_mind_says_what_brought_it_about(played: list[ReviewedAttempt]) -> None:
    for attempt in played:
        assert attempt.dialogue is not None
        for one in attempt.dialogue.scenario.divergences:
            turn = attempt.dialogue.turns[one.turn]
            if one.way is Way.ASIDE and turn.speaker == one.holder and not turn.is_note:
                assert len(re.findall(r"[.!?](?: |$)", turn.utterance)) >= 3


def test_who_never_learnt_of_a_change_is_never_told_of_it_by_name(played: list[ReviewedAttempt]) -> None:
    asked = [(attempt, one) for attempt in played for one in attempt.questions if one.factors.asks == "learnt"]
    assert asked
    for attempt, question in asked:
        if question.gold == "At no turn":
            assert not _hears_it_given_up(attempt, question)


def _hears_it_given_up(attempt: ReviewedAttempt, question: Question) -> bool:
    """Whether the one whose mind changed names what they give up where the one who is asked about hears or reads it."""
    dialogue = attempt.dialogue
    assert dialogue is not None
    assert question.turn is not None
    own = [one for one in dialogue.scenario.updates if (one.agent, one.topic) == (question.about, question.topic)]
    after = [one.turn for one in own if one.turn > question.turn]
    if not after:
        return False
    turn = dialogue.turns[min(after)]
    reached = turn.hears(question.agent) or turn.read_at.get(question.agent) is not None
    return reached and any(match.marker.names_old for match in find_markers(turn.utterance))


def test_of_two_stories_with_one_source_the_later_stands_and_the_holders_word_before_both() -> None:
    ledger = Ledger()
    ledger.hear(["Ben"], "Ada", "key", "in the piano", 4)
    ledger.hear(["Ben"], "Ada", "key", "under the pot", 4)
    assert getattr(ledger.picture("Ben", "Ada", "key"), "value", None) == "under the pot"
    ledger.hear(["Ben"], "Ada", "key", "in the drawer", 4, hearsay=False)
    ledger.hear(["Ben"], "Ada", "key", "in the piano", 4)
    assert getattr(ledger.picture("Ben", "Ada", "key"), "value", None) == "in the drawer"
    ledger.presume("Ben", "Ada", "key", "in the cellar")
    ledger.hear(["Ben"], "Ada", "key", "in the piano", 4)
    assert getattr(ledger.picture("Ben", "Ada", "key"), "value", None) == "in the cellar"
    ledger.hear(["Ben"], "Ada", "key", "in the drawer", 4, hearsay=False)
    assert getattr(ledger.picture("Ben", "Ada", "key"), "value", None) == "in the drawer"
