"""The book of lines: none comes again before all others for it have come."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.scenarios.acting.line_book import LineBook

LINES = ("a", "b", "c", "d")


@given(st.lists(st.integers(0, 1000), max_size=40))
def test_all_lines_come_equally_often(numbers: list[int]) -> None:
    book = LineBook()
    came = Counter(dict.fromkeys(LINES, 0))
    for number in numbers:
        came[book.pick_from(LINES, number)] += 1
        assert max(came.values()) - min(came.values()) <= 1


def test_a_line_that_has_not_come_is_picked_by_its_number() -> None:
    book = LineBook()
    assert [book.pick_from(LINES, number) for number in (5, 1, 3, 6)] == ["b", "c", "d", "a"]


def test_a_line_that_came_elsewhere_has_come() -> None:
    book = LineBook()
    assert book.pick(["a", "x"]) == "a"
    assert book.pick_from(LINES, 0) == "b"


def test_a_turn_that_is_opened_again_finds_the_book_as_it_was() -> None:
    book = LineBook()
    said = []
    for turn in (0, 1, 2, 1, 2):
        book.open(turn)
        said.append([book.pick_from(LINES, 0), book.pick_from(LINES, 0)])
    assert said[3:] == said[1:3]
