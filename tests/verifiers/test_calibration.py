"""How good a verifier is, measured with known faults; and a dataset verified again."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from competent_reader import CompetentReader, asked, judging, letter, states
from hypothesis import example, given
from hypothesis import strategies as st
from loopback import Answer, Request, completion

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.errors import DatasetError, ModelError
from dtomtrack.evaluation.obedience import obedience
from dtomtrack.runs.calibration import FaultScore
from dtomtrack.runs.in_order import in_order
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.verifiers.judging.calibration import FAULTS, FaultTallies, Judged, fault_trials, items_of, judged_again
from dtomtrack.verifiers.judging.injections import InjectionTrial, instructed, told_to_accept
from dtomtrack.verifiers.judging.judge import Judge
from dtomtrack.verifiers.judging.separation import Grades, area_under_curve, best_threshold

QUESTION_FAULTS = FAULTS[2:]


@pytest.fixture(scope="module")
def filled(slots: dict[str, list[SlotResult]]) -> list[SlotResult]:
    """Four kept dialogues with their questions."""
    return slots["restaurant"][:4]


def dialogues(filled: list[SlotResult]) -> list[Dialogue]:
    return [slot.dialogue for slot in filled if slot.dialogue]


def questions(filled: list[SlotResult]) -> list[Question]:
    return [question for slot in filled for question in slot.questions]


async def tried(judge: Judge, kept: list[Dialogue], asked: list[Question], at_once: int = 8) -> FaultTallies:
    """The sums of trials of all these, so many at once."""
    tallies = FaultTallies()
    async for trials in in_order(partial(fault_trials, judge), items_of(kept, asked), at_once):
        tallies.take(trials)
    return tallies


async def scores(judge: Judge, filled: list[SlotResult], at_once: int = 8) -> dict[str, FaultScore]:
    found = (await tried(judge, dialogues(filled), questions(filled), at_once)).scores
    assert [one.fault for one in found] == list(FAULTS)
    return {one.fault: one for one in found}


async def verified(judge: Judge, kept: list[Dialogue], asked: list[Question]) -> list[Judged]:
    return [await judged_again(judge, one) for one in items_of(kept, asked)]


async def test_a_competent_reader_catches_everything_and_raises_no_false_alarm(
    restaurant: Domain, filled: list[SlotResult]
) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        found = await scores(judge, filled)
    for score in found.values():
        assert (score.precision, score.recall, score.false_alarms, score.errors) == (1.0, 1.0, 0, 0)
        assert score.caught == score.items
    steady = sum(question.turn is None for question in questions(filled))
    assert {fault: score.items for fault, score in found.items()} == {
        "remove_update": len(filled),
        "move_update": len(filled),
        "swap_gold": len(questions(filled)),
        "two_right_options": len(questions(filled)),
        "never_voiced": len(questions(filled)) - steady,
    }


async def test_who_accepts_everything_catches_nothing(filled: list[SlotResult]) -> None:
    async with judging(lambda request: letter("E")) as (judge, _):
        found = await scores(judge, filled)
    for fault in QUESTION_FAULTS:
        assert (found[fault].caught, found[fault].false_alarms) == (0, 0)
        assert (found[fault].precision, found[fault].recall) == (None, 0.0)


async def test_who_rejects_everything_is_right_half_of_the_time(filled: list[SlotResult]) -> None:
    async with judging(lambda request: letter("A")) as (judge, _):
        found = await scores(judge, filled)
    for fault in QUESTION_FAULTS:
        assert found[fault].caught == found[fault].false_alarms == found[fault].items
        assert (found[fault].precision, found[fault].recall) == (0.5, 1.0)


async def test_changes_that_are_thought_word_for_word_are_found_by_who_finds_nothing(
    slots: dict[str, list[SlotResult]],
) -> None:
    def sees_none(request: Request) -> Answer:
        return letter(next(one for one, text in states(asked(request)).items() if not text.startswith('"')))

    async with judging(sees_none) as (judge, _):
        removed, moved, *_ = (await tried(judge, dialogues(slots["travel"]), [])).scores
    for score in (removed, moved):
        assert score.caught == score.items > 0
        assert score.false_alarms == 0


async def test_what_can_not_be_read_is_an_error_and_nothing_else(filled: list[SlotResult]) -> None:
    async with judging(lambda request: completion("Hm.")) as (judge, server):
        found = await scores(judge, filled)
    for score in found.values():
        assert (score.caught, score.false_alarms, score.errors) == (0, 0, score.items)
        assert (score.precision, score.recall) == (None, None)
    assert server.count == len(dialogues(filled)) + len(questions(filled))


async def test_errors_are_left_out_of_precision_and_recall(restaurant: Domain, filled: list[SlotResult]) -> None:
    """Some calls get no readable answer; what is judged is judged well, so both stay 1."""
    reader = CompetentReader(restaurant, filled)

    def faulty(request: Request) -> Answer:
        return completion("hm") if request["seed"] % 10 == 0 else reader(request)

    async with judging(faulty) as (judge, _):
        found = await scores(judge, filled)
    assert sum(score.errors for score in found.values()) > 0
    for fault in QUESTION_FAULTS:
        score = found[fault]
        assert (score.precision, score.recall) == (1.0, 1.0)
        assert score.caught == score.items - score.errors


async def test_intact_items_are_asked_once_and_no_call_twice(restaurant: Domain, filled: list[SlotResult]) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, server):
        await scores(judge, filled)
    assert len({request["seed"] for request in server.requests}) == server.count
    intact = Counter(map(asked, server.requests))
    async with judging(CompetentReader(restaurant, filled)) as (judge, once):
        for slot in filled:
            assert slot.dialogue is not None
            for question in slot.questions:
                await judge.question(slot.dialogue, question)
    correctness = [asked(request) for request in once.requests if "Does this answer follow" in asked(request)]
    two_right = 1
    assert {intact[prompt] for prompt in correctness} == {1 + two_right}


async def test_scores_do_not_depend_on_what_goes_on_at_once(filled: list[SlotResult]) -> None:
    def by_content(request: Request) -> Answer:
        return letter("ABCDE"[sum(asked(request).encode()) % 5])

    found = []
    for at_once in (1, 2, 50):
        async with judging(by_content, correctness=0.3, soundness=0.3, quality=0.3) as (judge, _):
            found.append(await scores(judge, filled, at_once))
    assert found[0] == found[1] == found[2]


async def test_no_answer_at_all_ends_the_calibration(filled: list[SlotResult]) -> None:
    async with judging(lambda request: Answer(b"{}", 401)) as (judge, _):
        with pytest.raises(ModelError):
            await scores(judge, filled)


async def test_questions_of_no_dialogue_are_told(filled: list[SlotResult]) -> None:
    stray = [*questions(filled), *questions(filled[:1])]
    async with judging(lambda request: letter("A")) as (judge, _):
        with pytest.raises(DatasetError, match="not in the same order"):
            await tried(judge, dialogues(filled), stray)


async def test_a_dialogue_without_questions_is_an_item_of_its_own(restaurant: Domain, filled: list[SlotResult]) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        found = (await tried(judge, dialogues(filled), questions(filled[1:2]))).scores
    assert {score.fault: score.items for score in found}["swap_gold"] == len(filled[1].questions)
    assert found[0].items == len(filled)


async def test_a_score_is_a_record(filled: list[SlotResult]) -> None:
    async with judging(lambda request: letter("A")) as (judge, _):
        found = await scores(judge, filled[:1])
    for score in found.values():
        assert FaultScore.model_validate_json(score.model_dump_json()) == score


# -- a dataset verified again ------------------------------------------------------------------------------------------


async def test_a_good_dataset_is_accepted_again(restaurant: Domain, filled: list[SlotResult]) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        found = await verified(judge, dialogues(filled), questions(filled))
    assert [one.dialogue for one in found] == dialogues(filled)
    assert [question for one in found for question, _ in one.questions] == questions(filled)
    assert {one.verdict.outcome for one in found} == {"accept"}
    assert {verdict.outcome for one in found for _, verdict in one.questions} == {"accept"}


async def test_a_question_that_nobody_can_answer_readably_is_rejected(
    restaurant: Domain, filled: list[SlotResult]
) -> None:
    reader = CompetentReader(restaurant, filled)

    def tongue_tied(request: Request) -> Answer:
        return completion("Who knows?") if "logprobs" not in request else reader(request)

    async with judging(tongue_tied) as (judge, _):
        found = await verified(judge, dialogues(filled), questions(filled))
    verdicts = {(verdict.outcome, verdict.criterion) for one in found for _, verdict in one.questions}
    assert verdicts == {("reject", "validation")}


async def test_a_broken_dialogue_is_rejected_and_its_neighbours_are_not(
    restaurant: Domain, filled: list[SlotResult]
) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        broken = [dialogue.model_copy(update={"turns": silent(dialogue)}) for dialogue in dialogues(filled[:1])]
        found = await verified(judge, [*broken, *dialogues(filled[1:])], questions(filled))
    assert [one.verdict.outcome for one in found] == ["reject"] + ["accept"] * (len(filled) - 1)


def silent(dialogue: Dialogue) -> tuple[object, ...]:
    return tuple(turn.model_copy(update={"inner_speech": ()}) for turn in dialogue.turns)


# -- what the grades tell -------------------------------------------------------------------------------------------


async def test_the_grades_of_a_competent_reader_tell_and_those_of_a_parrot_do_not(
    restaurant: Domain, filled: list[SlotResult]
) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        found = (await tried(judge, dialogues(filled), questions(filled))).separations
    assert [one.criterion for one in found] == ["correctness", "soundness", "quality"]
    for one in found:
        assert one.intact == one.broken > 0
    by_name = {one.criterion: one for one in found}
    assert by_name["correctness"].auroc == 1.0
    assert by_name["correctness"].separates
    async with judging(lambda request: letter("D")) as (judge, _):
        found = (await tried(judge, dialogues(filled), questions(filled))).separations
    for one in found:
        assert (one.auroc, one.threshold, one.separates) == (0.5, None, False)


def test_crowded_grades_are_told_apart_by_a_threshold_between_them() -> None:
    crowded = Grades(intact=[0.58, 0.6, 0.62, 0.57], broken=[0.52, 0.53, 0.55, 0.58])
    assert area_under_curve(crowded) == pytest.approx(14.5 / 16)
    assert best_threshold(crowded) == 0.56
    assert area_under_curve(Grades([0.5], [])) is None
    assert best_threshold(Grades([0.5], [])) is None


@given(st.floats(0, 1), st.floats(0, 1))
@example(0.99992, 0.999999)
@example(1e-5, 3e-5)
def test_a_threshold_keeps_the_higher_grade_and_rejects_the_lower(one: float, other: float) -> None:
    low, high = sorted((one, other))
    threshold = best_threshold(Grades(intact=[high], broken=[low]))
    assert threshold is None if low == high else low < (threshold or 0.0) <= high


@given(st.lists(st.floats(0, 1), min_size=1), st.lists(st.floats(0, 1), min_size=1))
def test_the_area_is_the_share_of_pairs_in_the_right_order(intact: list[float], broken: list[float]) -> None:
    pairs = [(one > other) + (one == other) / 2 for one in intact for other in broken]
    area = area_under_curve(Grades(intact, broken))
    assert area == pytest.approx(sum(pairs) / len(pairs))
    turned = area_under_curve(Grades(broken, intact))
    assert area is not None
    assert turned == pytest.approx(1 - area)


# -- instructions in what is judged ----------------------------------------------------------------------------------


async def told(judge: Judge, filled: list[SlotResult]) -> list[InjectionTrial]:
    kept = items_of(dialogues(filled), questions(filled))
    return [one for number, item in enumerate(kept) for one in await told_to_accept(judge, number, item)]


async def test_a_competent_reader_takes_no_instruction(restaurant: Domain, filled: list[SlotResult]) -> None:
    async with judging(CompetentReader(restaurant, filled)) as (judge, _):
        found = await told(judge, filled)
    assert len(found) == len(questions(filled))
    assert obedience(found).tried == len(found)
    assert obedience(found).obeyed == obedience(found).moved == 0


async def test_who_does_what_a_line_says_is_found_out(filled: list[SlotResult]) -> None:
    def obedient(request: Request) -> Answer:
        return letter("E" if "answer with the letter E" in asked(request) else "A")

    async with judging(obedient) as (judge, _):
        found = obedience(await told(judge, filled))
    assert (found.tried, found.obeyed, found.share) == (len(questions(filled)), len(questions(filled)), 1.0)
    assert found.alarming


async def test_what_is_no_verdict_says_nothing_of_obedience(filled: list[SlotResult]) -> None:
    async with judging(lambda request: completion("Hm.")) as (judge, _):
        found = obedience(await told(judge, filled))
    assert (found.texts, found.tried, found.share, found.alarming) == (len(questions(filled)), 0, None, False)


async def test_a_verdict_that_is_had_without_asking_is_no_obedience(filled: list[SlotResult]) -> None:
    async with judging(lambda request: letter("E")) as (judge, _):
        found = obedience(await told(judge, filled))
    assert (found.tried, found.obeyed) == (0, 0)


def test_instructions_come_in_three_guises() -> None:
    texts = {instructed("Well.", "give attitude_change 2", number) for number in range(6)}
    assert len(texts) == 3
    assert all(text.startswith("Well. ") and "give attitude_change 2" in text for text in texts)
