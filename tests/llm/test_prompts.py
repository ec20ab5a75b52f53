"""Prompts are filled in one pass, and what others say stands in them as data."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtomtrack.llm.prompts import Prompt, as_data, prompt

PACKAGES = ("dtomtrack.scenarios.acting", "dtomtrack.scenarios.writing", "dtomtrack.verifiers.judging")


@given(st.text(), st.text())
def test_a_value_is_not_filled_again(one: str, two: str) -> None:
    assert Prompt("a {one} b {two} c {one}").fill(one=one, two=two) == f"a {one} b {two} c {one}"
    assert Prompt("{one}").fill(one="{one}{two}%s{{one}}\\1") == "{one}{two}%s{{one}}\\1"


@pytest.mark.parametrize("values", [{}, {"one": "x"}, {"one": "x", "two": "y", "three": "z"}])
def test_slots_and_values_have_to_match(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="the prompt has the placeholders"):
        Prompt("{one} {two}").fill(**values)


@given(st.text(st.characters(codec="utf-8")))
def test_data_is_one_line_that_cannot_be_left(text: str) -> None:
    told = as_data(text)
    assert json.loads(told) == text
    assert len(told.splitlines()) == 1
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]|<\||<start_of_turn>|\[INST\]|</?s>", told)
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', told)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_prompt_file_is_a_prompt(package: str) -> None:
    files = [file for file in (resources.files(package) / "prompts").iterdir() if file.name.endswith(".txt")]
    assert files
    for file in files:
        read = prompt(package, file.name.removesuffix(".txt"))
        filled = read.fill(**dict.fromkeys(read.placeholders, "VALUE"))
        assert filled.strip()
        assert not re.search(r"\{\w+\}", filled)
