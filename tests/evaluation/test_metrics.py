"""What answers add up to, from whole questions and answers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random

import pytest
from made_questions import ASKED, a_question, about_an_update, an_answer

from dtomtrack.beliefs.question import Factors, OptionRole, Question, QuestionType
from dtomtrack.beliefs.scenario import MentalState
from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, Group, Interval, Metrics
from dtomtrack.suites.dtom.slot_result import SlotResult

NOTHING = Interval(value=None, low=None, high=None)


def of(said: Iterable[tuple[Question, str]]) -> Metrics:
    """Metrics of answers, each given with its question."""
    said = list(said)
    return metrics(ASKED, [question for question, _ in said], [an_answer(*one) for one in said])


def group(result: Metrics, by: str, name: str) -> Group:
    return next(one for one in result.groups[by] if one.name == name)


# -- accuracy --------------------------------------------------------------------------------------------------------


def test_what_failed_is_left_out_and_what_cannot_be_read_is_not_right() -> None:
    said = ["A", "A", "B", "unparsed", "error"]
    result = of((a_question(dialogue=number), one) for number, one in enumerate(said))
    assert result.outcomes == {"correct": 2, "wrong": 1, "unparsed": 1, "error": 1}
    assert (result.questions, result.answers) == (5, 5)
    for one in (result.micro, group(result, "type", "temporal")):
        assert (one.items, one.correct, one.errors, one.dialogues) == (4, 2, 1, 4)
        assert (one.accuracy.value, one.unparsed) == (0.5, 0.25)


def test_questions_are_grouped_by_what_they_are_about() -> None:
    implicit = Factors(
        asks="state", updates=2, changes=1, lag=3, marker="actually", names_old=False, trigger="correction"
    )
    explicit = implicit.model_copy(update={"names_old": True, "lag": 25, "updates": 10, "trigger": "goal_shift"})
    questions = [
        a_question(QuestionType.PRE_UPDATE, 0, 0, factors=implicit, state=MentalState.DESIRE),
        a_question(QuestionType.PRE_UPDATE, 1, 0, factors=explicit),
        a_question(QuestionType.SECOND_ORDER, 2, 0, order=2, factors=Factors(asks="state", updates=0, changes=0)),
    ]
    result = of((question, "A") for question in questions)
    names = {by: [one.name for one in groups] for by, groups in result.groups.items()}
    assert names == {
        "type": ["pre_update", "second_order"],
        "mental_state": ["belief", "desire"],
        "marker": ["implicit", "explicit", "none"],
        "trigger": ["correction", "goal_shift", "none"],
        "updates": ["0", "2", "10"],
        "lag": ["2-3", "20+", "none"],
        "order": ["1", "2"],
    }
    assert all(sum(one.items for one in groups) == 3 for groups in result.groups.values())


def test_micro_weighs_types_by_their_questions_and_macro_does_not() -> None:
    temporal = [(a_question(dialogue=number), "A") for number in range(9)]
    second = [(a_question(QuestionType.SECOND_ORDER, number, 1, order=2), "B") for number in range(3)]
    result = of(temporal + second)
    assert (result.micro.accuracy.value, result.macro.value) == (0.75, 0.5)


def test_where_every_call_failed_there_is_no_accuracy() -> None:
    result = of((question, "error") for question in about_an_update(0))
    assert (result.micro.items, result.micro.errors, result.micro.accuracy, result.macro) == (0, 3, NOTHING, NOTHING)
    assert [one.accuracy for one in result.groups["type"]] == [NOTHING] * 3
    assert (result.gap.pairs, result.gap.gap, result.gap.p_value) == (0, NOTHING, None)
    assert (result.intrusion.rate, result.intrusion.chance, result.trajectory.independent) == (NOTHING, None, None)


def test_no_answers_add_up_to_nothing() -> None:
    result = metrics(ASKED, [a_question()], [])
    assert (result.questions, result.answers, result.micro.accuracy) == (0, 0, NOTHING)
    assert "NaN" not in result.model_dump_json()
    assert Metrics.model_validate_json(result.model_dump_json()) == result


def test_calls_tokens_and_cost_are_passed_on() -> None:
    result = metrics(ASKED, [], [], calls=7, tokens=900, cost=0.1 + 0.2)
    assert (result.calls, result.tokens, result.cost) == (7, 900, 0.3)


# -- before, after, when ---------------------------------------------------------------------------------------------


def test_the_gap_is_taken_over_pairs_about_the_same_update() -> None:
    said: list[tuple[Question, str]] = []
    for dialogue in range(40):
        before, after, _ = about_an_update(dialogue)
        said += [(before, "A" if dialogue % 4 == 0 else "B"), (after, "A" if dialogue % 4 else "unparsed")]
    lonely, failed = about_an_update(50)[0], about_an_update(51)[:2]
    said += [(lonely, "A"), (failed[0], "error"), (failed[1], "A")]
    gap = of(said).gap
    assert (gap.pairs, gap.dialogues, gap.before, gap.after, gap.gap.value) == (40, 40, 0.25, 0.75, 0.5)
    assert gap.gap.low is not None
    assert gap.gap.low > 0
    assert gap.p_value is not None
    assert gap.p_value < 0.01


def test_two_updates_of_a_dialogue_are_two_pairs() -> None:
    said = [(one, "A") for turn in (4, 6) for one in about_an_update(0, turn)]
    result = of(said)
    assert (result.gap.pairs, result.gap.dialogues, result.trajectory.updates) == (2, 1, 2)
    assert result.gap.gap == Interval(value=0.0, low=None, high=None)


def test_a_trajectory_needs_all_three_and_stands_beside_independence() -> None:
    said: list[tuple[Question, str]] = []
    for dialogue in range(40):
        letter = "A" if dialogue % 2 else "B"
        said += [(one, letter) for one in about_an_update(dialogue)]
    said += [(one, "A") for one in about_an_update(60)[:2]]
    steady = a_question(QuestionType.UPDATE_DETECTION, 61, turn=None)
    trajectory = of([*said, (steady, "A")]).trajectory
    assert (trajectory.updates, trajectory.whole) == (40, 20)
    assert (trajectory.rate.value, trajectory.independent) == (0.5, 0.125)


def test_intrusions_are_wrong_answers_about_before_that_choose_what_came_after() -> None:
    said: list[tuple[Question, str]] = [
        (about_an_update(dialogue)[0], "ABBBCDunparsed"[dialogue % 6] if dialogue < 48 else "unparsed")
        for dialogue in range(50)
    ]
    said += [(a_question(QuestionType.TEMPORAL, 70, wrong=[OptionRole.POST_VALUE] * 3), "B")]
    nothing_new = a_question(QuestionType.PRE_UPDATE, 71, wrong=[OptionRole.NEVER_SAID] * 3)
    intrusion = of([*said, (nothing_new, "B")]).intrusion
    assert (intrusion.wrong, intrusion.intrusions) == (40, 24)
    assert (intrusion.rate.value, intrusion.chance) == (0.6, 0.333333)
    assert intrusion.p_value is not None
    assert intrusion.p_value < 0.01


def test_chance_of_an_intrusion_counts_the_options_that_came_after() -> None:
    twice = a_question(
        QuestionType.PRE_UPDATE, 0, wrong=[OptionRole.POST_VALUE, OptionRole.POST_VALUE, OptionRole.NEVER_SAID]
    )
    assert of([(twice, "D")]).intrusion.chance == 0.666667


# -- roles and rotations ---------------------------------------------------------------------------------------------


def test_roles_say_what_was_chosen_of_what_was_offered() -> None:
    said = ["A", "B", "B", "unparsed", "error"]
    result = of((about_an_update(number)[0], one) for number, one in enumerate(said))
    assert result.roles == {"pre_update": {"gold": 1, "post_value": 2, "never_said": 0}}


def test_under_several_rotations_each_answer_counts_and_balance_asks_for_all() -> None:
    questions = [about_an_update(dialogue)[0] for dialogue in range(4)]
    letters = {0: "AAAA", 1: "AAAB", 2: "BBBB", 3: ("A", "A", "A", "error")}
    answers = [
        an_answer(question, said, rotation)
        for number, question in enumerate(questions)
        for rotation, said in enumerate(letters[number])
    ]
    result = metrics(ASKED.model_copy(update={"permutations": 4}), questions, answers)
    assert (result.questions, result.answers, result.micro.items, result.micro.dialogues) == (4, 16, 15, 4)
    assert result.micro.accuracy.value == rounded_share(10, 15)
    assert result.balanced is not None
    assert result.balanced.value == rounded_share(1, 3)
    assert metrics(ASKED, questions, [an_answer(one, "A") for one in questions]).balanced is None


def rounded_share(part: int, whole: int) -> float:
    return round(part / whole, 6)


def test_an_update_is_put_together_within_a_rotation() -> None:
    before, after, when = about_an_update(0)
    answers = [an_answer(one, "A", 0) for one in (before, after, when)]
    answers += [an_answer(before, "B", 1), an_answer(after, "A", 1), an_answer(when, "error", 1)]
    result = metrics(ASKED.model_copy(update={"permutations": 2}), [before, after, when], answers)
    assert (result.gap.pairs, result.gap.before, result.gap.after) == (2, 0.5, 1.0)
    assert (result.trajectory.updates, result.trajectory.whole) == (1, 1)


# -- whole datasets --------------------------------------------------------------------------------------------------


def random_answers(questions: Iterable[Question], seed: int) -> list[Answer]:
    rng = Random(seed)
    return [an_answer(one, rng.choice(["A", "B", "C", "D", "unparsed", "error"])) for one in questions]


def test_who_is_always_right_has_no_gap_no_intrusion_and_every_trajectory(slots: dict[str, list[SlotResult]]) -> None:
    for own in slots.values():
        questions = [question for slot in own for question in slot.questions]
        result = metrics(ASKED, questions, [an_answer(one, one.answer) for one in questions])
        assert result.micro.accuracy.value == result.macro.value == result.trajectory.rate.value == 1.0
        assert (result.gap.gap.value, result.intrusion.wrong, result.trajectory.independent) == (0.0, 0, 1.0)
        assert result.trajectory.updates == result.gap.pairs > 0
        assert all(one.accuracy.value == 1.0 for groups in result.groups.values() for one in groups)
        assert result.micro.accuracy.low is not None
        assert 0.85 < result.micro.accuracy.low < 1


def test_the_order_of_answers_changes_no_byte(slots: dict[str, list[SlotResult]]) -> None:
    questions = [question for own in slots.values() for slot in own for question in slot.questions]
    answers = random_answers(questions, seed=4)
    shuffled = Random(5).sample(answers, len(answers))
    there, back = metrics(ASKED, questions, answers), metrics(ASKED, iter(questions), iter(shuffled))
    assert there.model_dump_json() == back.model_dump_json()


def test_numbers_have_six_places_and_are_never_nan(slots: dict[str, list[SlotResult]]) -> None:
    questions = [question for slot in slots["travel"] for question in slot.questions]
    text = metrics(ASKED, questions, random_answers(questions, seed=6)).model_dump_json()
    numbers: list[str] = []
    json.loads(text, parse_float=numbers.append, parse_constant=numbers.append)
    assert len(numbers) > 100
    assert all(len(number.partition(".")[2]) <= 6 and "e-0" not in number for number in numbers)


# -- answers to other questions --------------------------------------------------------------------------------------


def test_an_answer_to_no_question_is_refused() -> None:
    with pytest.raises(DatasetError, match=r"^there is an answer to d1-q0, which is not among the questions$"):
        metrics(ASKED, [a_question()], [an_answer(a_question(dialogue=1), "A")])


def test_a_question_answered_twice_is_refused() -> None:
    answer = an_answer(a_question(), "A", 2)
    with pytest.raises(DatasetError, match="d0-q0 is answered twice under rotation 2"):
        metrics(ASKED, [a_question()], [answer, answer])


@pytest.mark.parametrize(("said", "gold"), [("A", "B"), ("B", "B")])
def test_an_answer_that_contradicts_its_question_is_refused(said: str, gold: str) -> None:
    question = a_question()
    roles = {letter: OptionRole.GOLD if letter == gold else OptionRole.NEVER_SAID for letter in "ABCD"}
    changed = Question.model_validate(question.model_dump() | {"answer": gold, "option_roles": roles})
    with pytest.raises(DatasetError, match=f"the right option is {gold}: these are answers to other questions"):
        metrics(ASKED, [changed], [an_answer(question, said)])
