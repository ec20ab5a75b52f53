"""JSON is read in pieces as it is read whole, wherever the pieces are cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.errors import InputError
from dtomtrack.items.json_stream import array_elements, elements_under, first_sign, object_members

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


class Pieces:
    """A text that comes in pieces of given lengths, whatever is asked for."""

    def __init__(self, text: str, lengths: Sequence[int]) -> None:
        self._text = StringIO(text)
        self._lengths = iter(lengths)

    def read(self, size: int, /) -> str:
        """The next piece."""
        return self._text.read(next(self._lengths, size))


LENGTHS = st.lists(st.integers(1, 9), max_size=30)


@given(values=st.lists(VALUES, max_size=5), indent=st.sampled_from([None, 1]), lengths=LENGTHS)
def test_an_array_in_pieces_is_the_array(values: list[object], indent: int | None, lengths: list[int]) -> None:
    text = json.dumps(values, indent=indent)
    assert list(array_elements(Pieces(text, lengths), "it")) == values


@given(values=st.dictionaries(st.text(max_size=4), VALUES, max_size=5), lengths=LENGTHS)
def test_an_object_in_pieces_is_the_object(values: dict[str, object], lengths: list[int]) -> None:
    assert dict(object_members(Pieces(json.dumps(values), lengths), "it")) == values


@given(values=st.lists(VALUES, max_size=5), other=VALUES, lengths=LENGTHS)
def test_a_list_under_a_name_is_found_among_others(values: list[object], other: object, lengths: list[int]) -> None:
    text = json.dumps({"meta": other, "data": values, "more": other})
    assert list(elements_under(Pieces(text, lengths), "it", "data")) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"meta": 1, "date": []}', "one under 'data'; it has 'meta', 'date'"),
        ('{"data": {"a": 1}}', "has no list under 'data'"),
        ("{}", "it has nothing"),
        ('{"data": [1, 2}', "item 2: ']' has to follow, not '}'"),
        ('{"data": [1, 2]', "item 2: the file ends too early"),
        ('{"data": [1, 2]} 3', "more behind the end of the object"),
        ("{data: []}", "a name in quotes has to follow"),
        ('{"data" []}', "under 'data': ':' has to follow"),
        ('{"meta": tru, "data": []}', "under 'meta': Expecting value"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(elements_under(StringIO(text), "it", "data"))
    assert message in str(caught.value)


@pytest.mark.parametrize("number", ["-0.5", "1.5e+10", "12E-3", "-7"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_number_is_read_across_every_cut(number: str, length: int) -> None:
    assert list(array_elements(Pieces(f"[{number},0]", [length] * 20), "it")) == [float(number), 0]


def test_the_first_sign_is_behind_the_spaces() -> None:
    assert (first_sign(StringIO(" \n\t{}")), first_sign(StringIO("  "))) == ("{", "")
