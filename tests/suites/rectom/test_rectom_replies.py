"""Eighty forms of replies with RecToM's options: sets of letters, texts, lists, and what states no answer."""

from __future__ import annotations

from collections import Counter

import pytest
from rectom_replies import SetReply, set_replies, verdict

from dtomtrack.items.replies import read_answers

SIZES = (4, 5, 7, 10, 16)


@pytest.mark.parametrize("size", SIZES)
def test_every_form_is_read_as_the_table_says(size: int) -> None:
    replies = [reply for reply in set_replies() if len(reply.options) == size]
    assert len({reply.form for reply in replies}) >= 60
    failures = [(verdict(reply), reply.text) for reply in replies if verdict(reply) != "right"]
    assert not failures, Counter(failures).most_common(5)


def test_where_one_is_right_two_letters_are_no_answer() -> None:
    two: list[SetReply] = [reply for reply in set_replies() if reply.select == "one" and reply.form == "@X@Y"]
    assert two and {read_answers(reply.text, reply.options, "one") for reply in two} == {None}


def test_words_of_an_option_introduce_no_answer() -> None:
    options = {"A": "Asks for more", "B": "Answers a question of the seeker's", "C": "Names a film"}
    assert read_answers("- B: Answers a question of the seeker's\n- C: Names a film", options) == frozenset("BC")
    echo = "\n".join(f"{letter}) {text}" for letter, text in options.items())
    assert read_answers(echo, options) is None
    assert read_answers(f"Answer: A, C\n\n{echo}", options) == frozenset("AC")
