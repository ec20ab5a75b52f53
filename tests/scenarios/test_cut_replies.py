"""Replies that were cut: their whole sentences count, whatever marks and full stops stand within them."""

from __future__ import annotations

import pytest

from dtomtrack.errors import ReplyError
from dtomtrack.scenarios.acting.replies import first_sentences, whole_sentences


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ("Gladly. I will come at 7.30 p", "Gladly."),
        ("Gladly! I will come at 7.", "Gladly!"),
        ("Gladly. We meet at St. Mar", "Gladly."),
        ("Gladly. We meet at St.", "Gladly."),
        ("It costs 9.50. And th", "It costs 9.50."),
        ("It was in 2019. And th", "It was in 2019."),
        ('She said "no." And th', 'She said "no."'),
        ("\u306f\u3044\u3002\u3067\u3082\u3001\u305d", "\u306f\u3044\u3002"),
        ("Gladly. So am I. And th", "Gladly. So am I."),
        ("It is done.", "It is done."),
        ("No. I say no. And th", "No. I say no."),
    ],
)
def test_the_sentence_that_was_cut_is_left_out(cut: str, whole: str) -> None:
    assert whole_sentences(cut).strip() == whole


@pytest.mark.parametrize("cut", ["I will come at 7.30 p", "We meet at St. Mar", "We meet at Dr.", "I will", ""])
def test_of_one_sentence_that_was_cut_nothing_is_left(cut: str) -> None:
    with pytest.raises(ReplyError, match="was cut"):
        whole_sentences(cut)


def test_no_sentence_ends_behind_a_title() -> None:
    assert first_sentences("Ask Dr. Lopez. Or St. John. Or me. Or no one.", 2) == "Ask Dr. Lopez. Or St. John."
    assert first_sentences("All of it", 3) == "All of it"
