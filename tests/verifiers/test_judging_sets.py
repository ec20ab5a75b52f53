"""Questions of which any number of options may be right are judged as sets, and broken as sets."""

from __future__ import annotations

from functools import partial

import pytest
from company import company_scenario, company_turns
from competent_reader import asked, judging, letter
from loopback import Answer, Request

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.faults import never_voiced, swap_gold, two_right_options
from dtomtrack.verifiers.judging.calibration import FaultTallies, KeptDialogue, fault_trials
from dtomtrack.verifiers.judging.injections import told_to_accept

NAMES = ("Ada", "Ben")


@pytest.fixture(scope="module")
def several(slots: dict[str, list[SlotResult]]) -> Dialogue:
    """A dialogue of three, of whom not all hear everything."""
    dialogue = slots["restaurant"][0].dialogue
    assert dialogue is not None
    scenario = company_scenario()
    return dialogue.model_copy(update={"scenario": scenario, "turns": tuple(company_turns(scenario))})


def who_knows(slots: dict[str, list[SlotResult]], answer: str) -> Question:
    """Who of two knows how Cleo pays?"""
    options = dict(zip("AB", NAMES, strict=True))
    changes = {
        "type": "information_access",
        "order": 1,
        "agent": "Cleo",
        "about": None,
        "turn": 6,
        "question": "Which of the others knew at turn 6 how Cleo would pay?",
        "options": options,
        "option_roles": {letter: "gold" if letter in answer else "not_reached" for letter in options},
        "answer": answer,
        "select": "any",
        "evidence": (6, 7),
    }
    return Question.model_validate(slots["restaurant"][0].questions[0].model_dump() | changes)


def reads_sets(right: set[str], request: Request) -> Answer:
    """A judge that knows who is right, and answers what it is asked."""
    prompt = asked(request)
    if "Are just these right" in prompt:
        labelled = prompt.partition("Those that count as right:")[2].partition("Are just")[0]
        return letter("E" if {name for name in NAMES if f'- "{name}"' in labelled} == right else "A")
    return letter("A" if "xactly one" in prompt else "E")


@pytest.mark.parametrize("answer", ["A", "B", "AB"])
async def test_a_judge_that_reads_rightly_accepts_the_right_set_and_no_other(
    slots: dict[str, list[SlotResult]], several: Dialogue, answer: str
) -> None:
    question = who_knows(slots, answer)
    right = {question.options[one] for one in answer}
    async with judging(partial(reads_sets, right)) as (judge, server):
        assert (await judge.question(several, question)).outcome == "accept"
        shown = [asked(request) for request in server.requests]
        broken = await judge.question(several, swap_gold(question))
    assert (broken.outcome, broken.criterion) == ("reject", "soundness")
    assert "just the labelled options" in (broken.reason or "")
    assert len([prompt for prompt in shown if "wrong answers" in prompt]) == (answer != "AB")


async def test_an_answer_to_a_set_is_asked_for_in_letters(
    slots: dict[str, list[SlotResult]], several: Dialogue
) -> None:
    async with judging(lambda request: letter("A and B")) as (judge, server):
        assert (await judge.answerable(several, who_knows(slots, "A"))).outcome == "accept"
    assert "Answer with their letters." in asked(server.requests[0])


@pytest.mark.parametrize("answer", ["A", "B", "AB"])
async def test_sets_are_calibrated_with_the_faults_that_they_can_have(
    slots: dict[str, list[SlotResult]], several: Dialogue, answer: str
) -> None:
    question, tallies = who_knows(slots, answer), FaultTallies()
    assert two_right_options(question) is None
    assert never_voiced(several.turns, question) is None
    broken = swap_gold(question)
    assert Question.model_validate(broken.model_dump()).answer not in {"", answer}
    one = slots["restaurant"][0].questions[0]
    kept = KeptDialogue(several, (question, one, question))
    async with judging(partial(reads_sets, {question.options[one] for one in answer})) as (judge, _):
        tallies.take(await fault_trials(judge, kept))
        told = await told_to_accept(judge, 0, kept)
    items = {score.fault: score.items for score in tallies.scores}
    assert (items["swap_gold"], items["two_right_options"], len(told)) == (3, 1, 3)


async def test_what_is_shown_as_evidence_stands_so_in_the_conversation(
    slots: dict[str, list[SlotResult]], several: Dialogue
) -> None:
    async with judging(lambda request: letter("E")) as (judge, server):
        await judge.question(several, who_knows(slots, "A"))
    conversation, _, evidence = asked(server.requests[0]).partition("The turns that they should follow from:")
    lines = [line for line in evidence.split("\n") if line.startswith("Turn ")]
    assert len(lines) == 2
    assert all(f"\n{line}\n" in conversation for line in lines)
