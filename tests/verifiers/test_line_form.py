"""The form of a line: what one says to somebody passes, what is told of it or said by another doesn't."""

from __future__ import annotations

import pytest

from dtomtrack.verifiers.line_form import form_problems


@pytest.mark.parametrize(
    "line",
    [
        "That's what she said.",
        "I asked my doctor and he said, wait a week.",
        'My doctor called it "mild" she says I can work.',
        'It says "wet paint" and everyone nods.',
        "Ben can you help?",
        "Ben will you come along?",
        'I have an 8" screen at home.',
        'He wrote "room 8" on it.',
        "Maya here, I wanted to ask.",
    ],
)
def test_what_one_says_passes(line: str) -> None:
    assert list(form_problems(line, "Maya", ["Ben"])) == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ('"That is fine", he said, and sat down.', "it narrates what is said"),
        ('"That is fine" she says.', "it narrates what is said"),
        ('That is fine," Maya says.', "it narrates what is said"),
        ('That is "fine.', "a quotation mark is left over"),
        ('An 8" screen is “fine.', "a quotation mark is left over"),
    ],
)
def test_what_is_told_of_it_does_not(line: str, wrong: str) -> None:
    assert wrong in " / ".join(form_problems(line, "Maya", ["Ben"]))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("Maya: I want a corner table.", "a name stands before"),
        ("MAYA LOPEZ: I want it.", "a name stands before"),
        ("maya\uff1a I want it.", "a name stands before"),
        ("Ben: Sure.", "the line is Ben Ode's"),
        ("ben ode: sure", "the line is Ben Ode's"),
        ("Fine. Ode: Sure.", "the line is Ben Ode's"),
        ("Maya is happy with that.", "it speaks of Maya Lopez as of somebody else"),
        ("Ben wants a quiet one.", "it speaks of Ben Ode as of somebody else"),
    ],
)
def test_names_of_two_words_are_known_by_each(line: str, wrong: str) -> None:
    assert wrong in " / ".join(form_problems(line, "Maya Lopez", ["Ben Ode"]))


def test_a_word_that_two_names_share_is_neither_s() -> None:
    assert list(form_problems("The Lopez: a fine hotel. Lopez is its name.", "Maya Lopez", ["Ben Lopez"])) == []
