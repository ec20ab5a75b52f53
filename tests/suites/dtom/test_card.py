"""The card of a dataset says what is asked in it, and what chance is."""

from __future__ import annotations

from pathlib import Path

import dtomtrack
from dtomtrack.beliefs.question import Question
from dtomtrack.runs.lines import read_lines
from dtomtrack.scenarios.difficulty import preset


def test_who_knows_is_told_with_its_own_chance(tmp_path: Path) -> None:
    dtomtrack.generate("team", n=4, out=tmp_path, difficulty="group")
    of_sets = [one for one in read_lines(tmp_path / "questions.jsonl", Question) if one.select == "any"]
    assert of_sets
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "four-option" not in card
    assert "Chance is 25 %, or 1 / (2^n - 1) where any of n people may be right" in card
    assert "up to 3 changes of a state" in card


def test_dials_that_were_set_are_told(tmp_path: Path) -> None:
    difficulty = preset("group").model_copy(update={"resistance_share": 0.5, "participants": (3, 3)})
    dtomtrack.generate("team", n=1, out=tmp_path, difficulty=difficulty)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| dials over the preset | `participants=[3,3], resistance_share=0.5` |" in card


def test_between_two_all_questions_have_four_options(tmp_path: Path) -> None:
    dtomtrack.generate("team", n=1, out=tmp_path)
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert " four-option\nquestions on what somebody believed" in card
    assert "Chance is 25 %. Questions of one dialogue" in card
    assert "dials over the preset" not in card
