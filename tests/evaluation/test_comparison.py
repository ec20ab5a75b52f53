"""Two subjects on the same items."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from made_questions import a_question, about_an_update, an_answer

from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.comparison import Comparison, compare, compare_all
from dtomtrack.evaluation.records import Answer, Interval
from dtomtrack.suites.dtom.items import item_of

QUESTIONS = [question for dialogue in range(60) for question in about_an_update(dialogue)]


def compared(one: Iterable[Answer], other: Iterable[Answer], questions: Iterable[Question]) -> Comparison:
    return compare(one, other, map(item_of, questions))


def test_the_better_subject_is_found() -> None:
    rng = Random(1)
    good = [an_answer(one, "A" if rng.random() < 0.8 else "B") for one in QUESTIONS]
    bad = [an_answer(one, "A" if rng.random() < 0.5 else "unparsed") for one in QUESTIONS]
    result = compared(good, bad, QUESTIONS)
    overall = result.overall
    assert (overall.items, overall.dialogues, result.left_out) == (180, 60, 0)
    assert overall.one is not None
    assert overall.other is not None
    assert overall.difference.value == pytest.approx(overall.one - overall.other, abs=2e-6)
    assert overall.difference.value == pytest.approx((overall.only_one - overall.only_other) / 180, abs=1e-6)
    assert overall.difference.low is not None
    assert overall.difference.low > 0.1
    for p_value in (overall.p_value, overall.mcnemar):
        assert p_value is not None
        assert p_value < 0.001
    assert list(result.types) == ["pre_update", "post_update", "update_detection"]
    assert sum(one.items for one in result.types.values()) == 180


def test_a_subject_does_not_differ_from_itself() -> None:
    answers = [an_answer(one, "AB"[number % 2]) for number, one in enumerate(QUESTIONS)]
    overall = compared(answers, answers, QUESTIONS).overall
    assert (overall.difference.value, overall.p_value, overall.mcnemar) == (0.0, 1.0, 1.0)
    assert (overall.only_one, overall.only_other) == (0, 0)


def test_only_what_both_answered_under_the_same_rotation_is_compared() -> None:
    first, second, third = QUESTIONS[:3]
    one = [an_answer(first, "A"), an_answer(first, "A", 1), an_answer(second, "A"), an_answer(third, "error")]
    other = [an_answer(third, "A"), an_answer(second, "B"), an_answer(first, "A", 1), an_answer(first, "B", 2)]
    result = compared(one, other, QUESTIONS)
    assert (result.overall.items, result.overall.only_one, result.left_out) == (2, 1, 3)


def test_subjects_without_shared_items_have_no_difference() -> None:
    result = compared([an_answer(QUESTIONS[0], "A")], [an_answer(QUESTIONS[1], "A")], QUESTIONS)
    assert (result.overall.items, result.overall.p_value, result.overall.mcnemar, result.left_out) == (0, None, None, 2)
    assert result.overall.difference == Interval(value=None, low=None, high=None)
    assert result.types == {}


def test_answers_that_go_together_within_dialogues_leave_more_doubt() -> None:
    questions = [a_question(QuestionType.TEMPORAL, number // 10, number) for number in range(300)]
    shuffled = Random(2).sample(range(300), 300)
    widths = {}
    for name, places in (("together", list(range(300))), ("apart", shuffled)):
        won, lost = set(places[:100]), set(places[100:170])
        one = [an_answer(question, "B" if number in lost else "A") for number, question in enumerate(questions)]
        other = [an_answer(question, "B" if number in won else "A") for number, question in enumerate(questions)]
        overall = compared(one, other, questions).overall
        assert (overall.only_one, overall.only_other, overall.difference.value) == (100, 70, 0.1)
        assert overall.difference.low is not None
        assert overall.difference.high is not None
        widths[name] = overall.difference.high - overall.difference.low
    assert widths["together"] > 2 * widths["apart"]


def test_answers_to_other_questions_are_refused() -> None:
    with pytest.raises(DatasetError, match="not among the questions"):
        compared([], [an_answer(a_question(dialogue=99), "A")], QUESTIONS)


# -- several subjects ------------------------------------------------------------------------------------------------


def guessing(likely: float, seed: int) -> list[Answer]:
    rng = Random(seed)
    return [an_answer(one, "A" if rng.random() < likely else "B") for one in QUESTIONS]


def test_each_subject_is_compared_with_each_other() -> None:
    answers = {"good": guessing(0.8, 1), "fair": guessing(0.5, 2), "alike": guessing(0.5, 3)}
    found = compare_all(answers, map(item_of, QUESTIONS))
    assert found.subjects == ("good", "fair", "alike")
    assert [(pair.one, pair.other) for pair in found.pairs] == [("good", "fair"), ("good", "alike"), ("fair", "alike")]
    for pair in found.pairs:
        assert pair.compared == compared(answers[pair.one], answers[pair.other], QUESTIONS)
    assert [pair.holm is not None and pair.holm < 0.05 for pair in found.pairs] == [True, True, False]


def test_p_values_are_corrected_for_the_number_of_pairs() -> None:
    found = compare_all({str(seed): guessing(0.5, seed) for seed in range(6)}, map(item_of, QUESTIONS))
    single = sorted(pair.compared.overall.p_value or 0.0 for pair in found.pairs)
    corrected = sorted(pair.holm or 0.0 for pair in found.pairs)
    assert len(single) == 15
    assert corrected[0] == pytest.approx(min(1.0, 15 * single[0]), rel=1e-5)
    assert all(one <= other for one, other in zip(single, corrected, strict=True))


def test_pairs_without_shared_items_have_no_p_value_and_cost_the_others_none() -> None:
    apart = {"one": guessing(0.8, 1), "other": guessing(0.5, 2), "none": []}
    found = compare_all(apart, map(item_of, QUESTIONS))
    first, *rest = found.pairs
    assert first.holm == first.compared.overall.p_value
    assert [pair.holm for pair in rest] == [None, None]
