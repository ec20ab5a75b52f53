"""A language model verifies questions: a grade a criterion, and whether its answer can be read."""

from __future__ import annotations

import json

import pytest
from competent_reader import CompetentReader, asked, judging, letter, weighed
from loopback import Answer, Request, completion

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import ModelError
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.faults import never_voiced, swap_gold, two_right_options
from dtomtrack.verifiers.verdicts import Criterion, Verdict

CRITERIA: tuple[Criterion, ...] = ("correctness", "soundness", "quality")
SIGNS = {"correctness": "Does this answer follow", "soundness": "exactly one", "quality": "clearly wrong"}


@pytest.fixture(scope="module")
def kept(slots: dict[str, list[SlotResult]]) -> Dialogue:
    """A kept dialogue."""
    dialogue = slots["restaurant"][0].dialogue
    assert dialogue is not None
    return dialogue


@pytest.fixture(scope="module")
def question(slots: dict[str, list[SlotResult]]) -> Question:
    """A question about it."""
    return slots["restaurant"][0].questions[0]


def criterion_of(request: Request) -> str:
    return next(criterion for criterion, sign in SIGNS.items() if sign in asked(request))


async def test_a_good_question_is_accepted_with_its_lowest_grade(kept: Dialogue, question: Question) -> None:
    grades = {"correctness": "E", "soundness": "D", "quality": "E"}
    async with judging(lambda request: letter(grades[criterion_of(request)])) as (judge, server):
        verdict = await judge.question(kept, question)
    assert verdict == Verdict("accept", None, None, 0.75)
    assert [criterion_of(request) for request in server.requests] == list(CRITERIA)


@pytest.mark.parametrize("failed", CRITERIA)
async def test_the_first_criterion_that_fails_decides(kept: Dialogue, question: Question, failed: Criterion) -> None:
    def strict(request: Request) -> Answer:
        return letter("B" if criterion_of(request) == failed else "E")

    async with judging(strict) as (judge, server):
        verdict = await judge.question(kept, question)
    assert (verdict.outcome, verdict.criterion, verdict.grade) == ("reject", failed, 0.25)
    assert verdict.reason is not None
    assert server.count == CRITERIA.index(failed) + 1


async def test_a_grade_is_what_the_probabilities_let_expect(kept: Dialogue, question: Question) -> None:
    async with judging(lambda request: weighed({"A": 0.5, "E": 0.3, "D": 0.2}, text="A")) as (judge, _):
        verdict = await judge.question(kept, question)
    assert verdict.grade == pytest.approx(0.3 + 0.2 * 0.75)
    assert verdict.outcome == "reject"


@pytest.mark.parametrize("criterion", CRITERIA)
async def test_each_criterion_has_its_own_threshold(kept: Dialogue, question: Question, criterion: Criterion) -> None:
    async with judging(lambda request: letter("C"), correctness=0.5, soundness=0.5, quality=0.5) as (judge, _):
        assert (await judge.question(kept, question)).outcome == "accept"
    thresholds = {**dict.fromkeys(CRITERIA, 0.5), criterion: 0.51}
    async with judging(lambda request: letter("C"), **thresholds) as (judge, _):
        verdict = await judge.question(kept, question)
    assert (verdict.outcome, verdict.criterion) == ("reject", criterion)


@pytest.mark.parametrize("failed", CRITERIA)
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (completion("That depends."), "no grade can be read"),
        (completion("<think>hm</think>"), "no grade can be read"),
        (completion("F"), "no grade can be read"),
        (completion("B or D", finish="length"), "no grade can be read"),
        (completion("It is completely wrong"), "no grade can be read"),
        (completion("Completely implausible."), "no grade can be read"),
        (completion("", finish="content_filter"), "the provider's content filter cut the reply"),
        (completion(None, message={"content": None, "refusal": "A: I can't."}), "the model refused"),
    ],
    ids=["chat", "empty", "no such grade", "two grades", "a word", "the first word", "filter", "refusal"],
)
async def test_a_reply_without_a_grade_is_an_error_and_no_rejection(
    kept: Dialogue, question: Question, failed: Criterion, reply: Answer, reason: str
) -> None:
    async with judging(lambda request: reply if criterion_of(request) == failed else letter("E")) as (judge, _):
        verdict = await judge.question(kept, question)
    assert verdict == Verdict("error", failed, reason, None)


@pytest.mark.parametrize("said", ["The answer is **E**.", "Completely.", "completely (E)", "E: completely"])
async def test_a_letter_in_free_text_is_a_grade(kept: Dialogue, question: Question, said: str) -> None:
    async with judging(lambda request: completion(said)) as (judge, _):
        assert (await judge.question(kept, question)).grade == 1.0


async def test_no_answer_at_all_stops_the_run(kept: Dialogue, question: Question) -> None:
    async with judging(lambda request: Answer(b"{}", 404)) as (judge, _):
        with pytest.raises(ModelError):
            await judge.question(kept, question)
        with pytest.raises(ModelError):
            await judge.answerable(kept, question)


async def test_what_is_thought_is_not_shown(kept: Dialogue, slots: dict[str, list[SlotResult]]) -> None:
    spoken = " ".join(turn.utterance for turn in kept.turns)
    thoughts = [one.text for turn in kept.turns for one in turn.inner_speech if one.text not in spoken]
    async with judging(lambda request: letter("E")) as (judge, server):
        for question in slots["restaurant"][0].questions:
            await judge.question(kept, question)
            await judge.answerable(kept, question)
    assert server.count
    assert not any(one in asked(request) for one in thoughts for request in server.requests)


async def test_all_prompts_about_a_dialogue_begin_with_it(kept: Dialogue, slots: dict[str, list[SlotResult]]) -> None:
    async with judging(lambda request: letter("E")) as (judge, server):
        for question in slots["restaurant"][0].questions:
            await judge.question(kept, question)
            await judge.answerable(kept, question)
    (beginning,) = {asked(request).partition("A question about it")[0] for request in server.requests}
    assert all(turn.utterance in beginning for turn in kept.turns)


async def test_the_evidence_is_shown_again_beside_the_answer(kept: Dialogue, question: Question) -> None:
    async with judging(lambda request: letter("E")) as (judge, server):
        await judge.question(kept, question)
    correctness = asked(server.requests[0]).partition("A question about it")[2]
    shown = [turn.index for turn in kept.turns if json.dumps(turn.utterance, ensure_ascii=False) in correctness]
    assert tuple(shown) == question.evidence
    assert json.dumps(question.gold) in correctness


async def test_each_question_of_a_criterion_is_a_call_of_its_own(
    kept: Dialogue, slots: dict[str, list[SlotResult]]
) -> None:
    async with judging(lambda request: letter("E")) as (judge, server):
        for question in slots["restaurant"][0].questions:
            for purpose in ("verify", "calibrate intact"):
                await judge.question(kept, question, purpose=purpose)
            await judge.answerable(kept, question)
    assert len({request["seed"] for request in server.requests}) == server.count
    assert server.count == 7 * len(slots["restaurant"][0].questions)


async def test_scripted_questions_are_accepted_and_their_faults_caught(
    restaurant: Domain, slots: dict[str, list[SlotResult]]
) -> None:
    """By a reader that finds in the prompts what it needs."""
    filled = slots["restaurant"][:3]
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        for slot in filled:
            assert slot.dialogue is not None
            turns = slot.dialogue.turns
            for question in slot.questions:
                assert (await judge.question(slot.dialogue, question)).outcome == "accept"
                swapped = await judge.question(slot.dialogue, swap_gold(question))
                assert (swapped.outcome, swapped.criterion) == ("reject", "correctness")
                two_right = two_right_options(question)
                assert two_right is not None
                doubled = await judge.question(slot.dialogue, two_right)
                assert (doubled.outcome, doubled.criterion) == ("reject", "soundness")
                silent = never_voiced(turns, question)
                if silent is not None:
                    unheard = await judge.question(slot.dialogue.model_copy(update={"turns": silent}), question)
                    assert (unheard.outcome, unheard.criterion) == ("reject", "correctness")


# -- sample validation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["A", "The answer is (D).", "Because she said so: **C**", "ANSWER: B"])
async def test_an_answer_that_can_be_read_validates_right_or_wrong(
    kept: Dialogue, question: Question, text: str
) -> None:
    async with judging(lambda request: completion(text)) as (judge, server):
        verdict = await judge.answerable(kept, question)
    assert verdict == Verdict("accept")
    (request,) = server.requests
    assert "logprobs" not in request
    assert all(f"{one}: {json.dumps(option)}" in asked(request) for one, option in question.options.items())


@pytest.mark.parametrize("text", ["<think>hm</think>", "That can't be told.", "F", "Either A or B."])
async def test_an_answer_that_can_not_be_read_is_a_rejection(kept: Dialogue, question: Question, text: str) -> None:
    async with judging(lambda request: completion(text)) as (judge, _):
        verdict = await judge.answerable(kept, question)
    assert verdict == Verdict("reject", "validation", "no option can be read from the model's answer")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (completion("Let us go through the turns one by", finish="length"), "the reply was cut before an answer"),
        (completion("", finish="content_filter"), "the provider's content filter cut the reply"),
        (completion(None, message={"content": None, "refusal": "The answer is A."}), "the model refused"),
    ],
    ids=["cut", "filter", "refusal"],
)
async def test_an_answer_that_was_not_given_is_an_error(
    kept: Dialogue, question: Question, reply: Answer, reason: str
) -> None:
    async with judging(lambda request: reply) as (judge, _):
        verdict = await judge.answerable(kept, question)
    assert verdict == Verdict("error", "validation", reason)


async def test_a_question_passes_if_it_is_good_and_can_be_answered(kept: Dialogue, question: Question) -> None:
    grade, text = letter("E"), completion("Who knows?")
    async with judging(lambda request: grade if "logprobs" in request else text) as (judge, server):
        assert await judge.item(kept, question) == await judge.answerable(kept, question)
        text = letter("A")
        assert await judge.item(kept, question) == Verdict("accept", grade=1.0)
        grade = letter("B")
        asked_before = server.count
        assert (await judge.item(kept, question)).criterion == "correctness"
    assert server.count == asked_before + 1
