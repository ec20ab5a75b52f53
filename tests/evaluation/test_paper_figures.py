"""The aggregation gives the paper's own figures from the paper's own tables."""

from __future__ import annotations

import pytest
from made_questions import a_question, an_answer, sum_of

from dtomtrack.beliefs.question import Question, QuestionType
from dtomtrack.evaluation.records import Answer
from dtomtrack.evaluation.statistics import macro_mean, micro_mean

COUNTS = {
    "temporal": 1807,
    "false_belief": 1761,
    "second_order": 768,
    "update_detection": 591,
    "post_update": 527,
    "pre_update": 340,
}
"""Table 3."""
MODELS = ("GPT-4o-mini", "llama3-1-8b", "llama3-3-70b", "ministral-3-14b", "mistral-large-2402", "llama3-2-3b")
ACCURACIES = {
    "temporal": (57.7, 35.6, 65.5, 54.4, 57.4, 30.2),
    "update_detection": (75.0, 47.2, 76.1, 77.8, 75.1, 53.6),
    "post_update": (68.5, 57.9, 71.3, 64.9, 65.7, 55.0),
    "false_belief": (45.9, 35.6, 59.2, 42.0, 51.7, 34.0),
    "second_order": (57.9, 37.0, 62.0, 43.4, 49.2, 34.0),
    "pre_update": (27.6, 12.1, 40.9, 30.0, 40.0, 15.6),
}
"""Table 4, the rows of question types."""
OVERALL = (55.1, 37.6, 63.3, 51.1, 56.1, 35.6)
"""Table 4, "Overall". The last is printed 35.7, but the counts and the printed column give 35.644."""
PRINTED = (*OVERALL[:5], 35.7)
FIGURE_3A = {
    "post_update": 63.9,
    "pre_update": 27.7,
    "update_detection": 67.5,
    "second_order": 47.2,
    "false_belief": 44.7,
}
"""Means over the six models, as the text prints them."""


def column(model: int) -> dict[str, float]:
    return {name: row[model] for name, row in ACCURACIES.items()}


@pytest.mark.parametrize("model", range(6), ids=MODELS)
def test_overall_is_the_mean_over_questions(model: int) -> None:
    overall = micro_mean(COUNTS, column(model))
    assert overall is not None
    assert round(overall, 1) == OVERALL[model]


def test_overall_is_not_the_mean_over_types() -> None:
    means = [macro_mean(column(model)) or 0.0 for model in range(6)]
    assert sum(round(mean, 1) != overall for mean, overall in zip(means, OVERALL, strict=True)) == 5


@pytest.mark.parametrize("name", FIGURE_3A)
def test_figure_3_shows_means_over_models(name: str) -> None:
    mean = macro_mean(dict(zip(MODELS, ACCURACIES[name], strict=True)))
    assert mean is not None
    # Second-order accuracies have the mean 47.25, which is printed 47.2.
    assert mean == pytest.approx(FIGURE_3A[name], abs=0.0501)


@pytest.mark.parametrize("model", range(6), ids=MODELS)
def test_metrics_of_as_many_answers_give_overall(model: int) -> None:
    """Whole questions and answers, as many of each type right as come nearest to Table 4: here the last is 35.7, too.

    So what is printed is no slip: it was rounded once, from answers, and not from a column that is rounded already.
    """
    questions: list[Question] = []
    answers: list[Answer] = []
    for name, count in COUNTS.items():
        right = round(count * ACCURACIES[name][model] / 100)
        for number in range(count):
            question = a_question(QuestionType(name), len(questions), turn=None)
            questions.append(question)
            answers.append(an_answer(question, "A" if number < right else "B"))
    result = sum_of(questions, answers)
    assert result.micro.accuracy.value is not None
    assert round(100 * result.micro.accuracy.value, 1) == PRINTED[model]
    by_type = {one.name: one for one in result.groups["type"]}
    assert {name: one.items for name, one in by_type.items()} == COUNTS
    for name, one in by_type.items():
        assert one.accuracy.value == pytest.approx(ACCURACIES[name][model] / 100, abs=0.0015)
