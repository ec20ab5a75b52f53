"""Calibration: how far the probabilities of letters are to be believed."""

from __future__ import annotations

import math
from random import Random

import pytest
from made_questions import ASKED, a_question, sum_of

from dtomtrack.evaluation.records import Answer, CalibrationFigures


def calibrated(given: list[dict[str, float]]) -> CalibrationFigures | None:
    """Calibration of answers with these probabilities of the letters of the item, of which A is right."""
    questions = [a_question(dialogue=number) for number in range(len(given))]
    answers = [
        Answer(
            question_id=question.id,
            dialogue_id=question.dialogue_id,
            answer=(letter := max(weights, key=lambda one: weights[one])),
            shown=letter,
            outcome="correct" if letter == "A" else "wrong",
            probabilities=weights,
        )
        for question, weights in zip(questions, given, strict=True)
    ]
    return sum_of(questions, answers).calibration


def test_who_is_sure_and_right_is_calibrated() -> None:
    found = calibrated([{"A": 1.0, "B": 0.0, "C": 0.0, "D": 0.0}] * 5)
    assert found is not None
    assert (found.items, found.ece, found.brier) == (5, 0.0, 0.0)
    (only,) = found.bins
    assert (only.low, only.high, only.items, only.confidence, only.accuracy) == (0.9, 1.0, 5, 1.0, 1.0)


def test_who_is_sure_and_wrong_is_as_far_off_as_can_be() -> None:
    found = calibrated([{"B": 1.0}] * 3)
    assert found is not None
    assert (found.ece, found.brier) == (1.0, 2.0)


def test_who_cannot_tell_has_the_score_of_a_guess() -> None:
    even = dict.fromkeys("ABCD", 0.25)
    found = calibrated([even] * 4)
    assert found is not None
    assert found.brier == pytest.approx(3 * 0.25**2 + 0.75**2)


def test_confidence_and_accuracy_are_compared_within_bins() -> None:
    right, wrong = {"A": 0.7, "B": 0.3}, {"A": 0.35, "B": 0.65}
    found = calibrated([right, right, right, wrong, {"A": 0.95, "C": 0.05}])
    assert found is not None
    assert [(one.low, one.items, one.accuracy) for one in found.bins] == [(0.6, 1, 0.0), (0.7, 3, 1.0), (0.9, 1, 1.0)]
    assert found.ece == pytest.approx((0.65 + 3 * 0.3 + 0.05) / 5)


def test_planted_probabilities_are_found_calibrated_and_overconfident_ones_are_not() -> None:
    rng = Random(5)
    honest, bold = [], []
    for _ in range(4000):
        sure = rng.uniform(0.3, 0.99)
        letter = "A" if rng.random() < sure else "B"
        other = "B" if letter == "A" else "A"
        honest.append({letter: sure, other: 0.0, "C": 1 - sure} if sure > 0.5 else {letter: sure, "C": 0.0, "D": 0.0})
        bold.append({letter: math.sqrt(sure), other: 0.0})
    own, loud = calibrated(honest), calibrated(bold)
    assert own is not None
    assert loud is not None
    assert own.ece < 0.03
    assert loud.ece > 0.08


def test_rotated_letters_are_put_back() -> None:
    question = a_question()
    answer = Answer(
        question_id=question.id,
        dialogue_id=question.dialogue_id,
        rotation=1,
        answer="A",
        shown="B",
        outcome="correct",
        probabilities={"A": 0.1, "B": 0.9, "C": 0.0, "D": 0.0},
    )
    found = sum_of([question], [answer]).calibration
    assert found is not None
    assert found.brier == pytest.approx(0.1**2 + 0.1**2)


def test_options_that_were_asked_about_alone_are_forecasts_of_their_own() -> None:
    question = a_question()
    answer = Answer(
        question_id=question.id,
        dialogue_id=question.dialogue_id,
        answer="B",
        shown="B",
        outcome="wrong",
        probabilities={"A": 0.0, "B": 1.0, "C": 1.0, "D": 1.0},
    )
    found = sum_of([question], [answer], ASKED.model_copy(update={"mode": "each"})).calibration
    assert found is not None
    assert (found.ece, found.brier) == (1.0, 2.0), "each is as far off as can be, and 2 is the worst"
    assert [(one.items, one.accuracy) for one in found.bins] == [(1, 1.0), (3, 0.0)]


def test_without_probabilities_there_is_no_calibration() -> None:
    assert calibrated([]) is None
