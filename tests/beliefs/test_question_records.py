"""A question has options under the letters A, B, C, ..., each with its role, and one of them gold."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Any

import pytest
from pydantic import ValidationError

from dtomtrack.beliefs.question import OptionRole, Question

LETTERED = ("options", "option_roles")
GOOD: dict[str, Any] = {
    "id": "talk-q00",
    "dialogue_id": "talk",
    "slot": 0,
    "generator": "scripted",
    "type": "pre_update",
    "mental_state": "desire",
    "order": 1,
    "agent": "Maya",
    "about": None,
    "topic": "seating",
    "turn": 4,
    "question": "What did Maya want?",
    "options": {"A": "The terrace", "B": "A corner", "C": "Two stools", "D": "A bench"},
    "answer": "B",
    "option_roles": {"A": "post_value", "B": "gold", "C": "partner_value", "D": "never_said"},
    "evidence": [0],
    "factors": {"asks": "state", "updates": 1, "changes": 1},
}


def test_a_question_knows_its_right_option() -> None:
    question = Question.model_validate(GOOD)
    assert question.gold == "A corner"
    assert question.gold_positions == {1}
    assert question.option_roles[question.answer] is OptionRole.GOLD


@pytest.mark.parametrize("letter", ["A", "C", "D"])
@pytest.mark.parametrize("field", ["options", "option_roles"])
def test_a_letter_that_is_left_out_is_refused(field: str, letter: str) -> None:
    fewer = {key: value for key, value in GOOD[field].items() if key != letter}
    with pytest.raises(ValidationError, match=r"exactly the options A, B, C.*, each with its role"):
        Question.model_validate({**GOOD, field: fewer})


@pytest.mark.parametrize("letter", ["E", "a", "AB", "", "1"])
def test_a_name_of_an_option_that_is_not_the_next_letter_is_refused(letter: str) -> None:
    changed = {field: {key: GOOD[field][key] for key in "ABC"} | {letter: GOOD[field]["D"]} for field in LETTERED}
    why = "exactly the options A, B, C, D, each with its role" if letter == "E" else "should match pattern"
    with pytest.raises(ValidationError, match=why):
        Question.model_validate({**GOOD, **changed})


@pytest.mark.parametrize("count", [2, 3, 5, 10, 26])
def test_a_question_may_have_two_to_twenty_six_options(count: int) -> None:
    letters = ascii_uppercase[:count]
    options = {letter: f"Option {letter}" for letter in letters}
    roles = dict.fromkeys(letters, "never_said") | {letters[-1]: "gold"}
    question = Question.model_validate({**GOOD, "options": options, "option_roles": roles, "answer": letters[-1]})
    assert question.gold == f"Option {letters[-1]}"
    assert question.gold_positions == {count - 1}


@pytest.mark.parametrize("letters", ["A", "ABCDEFGHIJKLMNOPQRSTUVWXYZ["])
def test_a_question_with_one_option_or_more_than_there_are_letters_is_refused(letters: str) -> None:
    options = {letter: f"Option {letter}" for letter in letters}
    roles = dict.fromkeys(letters, "never_said") | {"A": "gold"}
    with pytest.raises(ValidationError, match="options"):
        Question.model_validate({**GOOD, "options": options, "option_roles": roles, "answer": "A"})


def test_an_answer_that_is_no_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="the answer is E, which is no option"):
        Question.model_validate({**GOOD, "answer": "E"})


@pytest.mark.parametrize("letter", ["A", "C", "D"])
def test_an_answer_whose_role_is_not_gold_is_refused(letter: str) -> None:
    with pytest.raises(ValidationError, match=f"the answer is {letter} but the role of {letter} is"):
        Question.model_validate({**GOOD, "answer": letter})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("type", "guess"),
        ("mental_state", "hunger"),
        ("order", 0),
        ("slot", -1),
        ("turn", -1),
        ("answer", "b"),
        ("question", " "),
        ("evidence", ["early"]),
        ("factors", {"asks": "why", "updates": 1, "changes": 1}),
        ("options", {**GOOD["options"], "A": ""}),
        ("option_roles", {**GOOD["option_roles"], "A": "decoy"}),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError) as error:
        Question.model_validate({**GOOD, field: value})
    assert {str(one["loc"][0]) for one in error.value.errors()} == {field}


@pytest.mark.parametrize("field", sorted(GOOD))
def test_every_field_has_to_be_there(field: str) -> None:
    with pytest.raises(ValidationError, match="Field required"):
        Question.model_validate({key: value for key, value in GOOD.items() if key != field})


def test_a_question_in_which_nothing_changed_has_no_turn() -> None:
    assert Question.model_validate({**GOOD, "type": "update_detection", "turn": None}).turn is None


def test_a_second_gold_option_is_refused() -> None:
    roles = {**GOOD["option_roles"], "A": "gold"}
    with pytest.raises(ValidationError, match="more options are gold than the answer says"):
        Question.model_validate({**GOOD, "option_roles": roles})


def test_two_options_of_the_same_text_are_refused() -> None:
    options = {**GOOD["options"], "A": GOOD["options"]["B"]}
    with pytest.raises(ValidationError, match="two options have the same text"):
        Question.model_validate({**GOOD, "options": options})


def test_evidence_before_the_first_turn_is_refused() -> None:
    with pytest.raises(ValidationError, match="evidence"):
        Question.model_validate({**GOOD, "evidence": [-1]})
