"""Functions, files and lists of parameters are small; on failure the worst are listed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from code_shape import BARS, Shape, shape_of


@cache
def whole_shape() -> Shape:
    """That of the repository."""
    return shape_of(Path(__file__).parents[2])


@pytest.mark.parametrize("name", BARS)
def test_nine_in_ten_are_small_and_no_function_takes_many_parameters(name: str) -> None:
    shape = whole_shape()
    assert shape.figures()[name] <= BARS[name], f"\n{shape.offenders()}"


def test_sizes_are_counted_from_def_to_the_last_line(tmp_path: Path) -> None:
    for root in ("dtomtrack", "graphs", "scenarios", "verifiers"):
        (tmp_path / root).mkdir()
    text = "\n\n@decorated\nasync def one(\n    a, /, b, *rest, c=1, **more\n):\n    '''Say.'''\n    return a\n"
    (tmp_path / "graphs" / "some.py").write_text(text, encoding="utf-8")
    shape = shape_of(tmp_path)
    assert shape.functions == [(5, "graphs/some.py:4 one")]
    assert shape.files == [(8, "graphs/some.py")]
    assert shape.parameters == [(3, "graphs/some.py:4 one")]
