"""Dialogues of several lengths in one dataset: the curve against length is drawn from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dtomtrack import InputError, dialogues, evaluate, generate
from dtomtrack.api import make_job
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.browsing import shown_dialogues
from dtomtrack.suites.dtom.estimate import estimate
from dtomtrack.suites.dtom.items import items_of, longest_in


def lengths_of(out: Path) -> list[int]:
    return [len(one.turns) for one in read_lines(out / "dialogues.jsonl", Dialogue)]


def test_blocks_of_each_domain_have_the_lengths_in_turn(tmp_path: Path) -> None:
    manifest = generate(["restaurant", "travel"], n=24, out=tmp_path / "both", turns=[8, 14])
    assert lengths_of(tmp_path / "both") == [8] * 8 + [14] * 8 + [8] * 8
    assert manifest.config["turns"] == [8, 14]
    assert "| turns a dialogue | 8, 14 |" in (tmp_path / "both" / "README.md").read_text(encoding="utf-8")


def test_a_dialogue_is_the_one_of_its_length(tmp_path: Path) -> None:
    several = [one.dialogue for one in dialogues("restaurant", n=8, turns=(8, 14))]
    alone = [one.dialogue for one in dialogues("restaurant", n=8, turns=14)]
    assert several[4:] == alone[4:]
    assert several[:4] != alone[:4]


def test_processes_make_the_same_bytes(tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        generate("team", n=9, out=tmp_path / name, difficulty="group", turns=(24, 40), workers=workers)
    one, two = (tmp_path / name / "questions.jsonl" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_the_curve_against_length_is_drawn_from_one_dataset(tmp_path: Path) -> None:
    generate("restaurant", n=24, out=tmp_path / "out", turns=[8, 14, 20])
    (metrics,) = evaluate(tmp_path / "out", ["baseline/last-before"])
    (curve,) = (one for one in metrics.curves if one.name == "length")
    assert [point.name for point in curve.lines[0].points] == ["8", "14", "20"]


def test_a_single_length_is_a_number_in_the_manifest(tmp_path: Path) -> None:
    assert generate("restaurant", n=1, out=tmp_path / "out", turns=[12]).config["turns"] == 12


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([], "turns is empty; give a number, or leave it out"),
        ([8, "x"], "turns has 'x' in it; each has to be a whole number"),
        ([8, True], "turns has True in it; each has to be a whole number"),
        ([8, 14, 8], "turns has 8 twice; name each length once"),
        ([8, 401], "turns is 401; it has to be from 6 to 400"),
        (list(range(6, 23)), "turns has 17 numbers; give 16 at most"),
    ],
)
def test_lengths_that_are_none_are_refused(tmp_path: Path, turns: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        generate("restaurant", n=1, out=tmp_path / "out", turns=turns)
    assert str(caught.value) == message
    assert not (tmp_path / "out").exists()


def test_a_length_that_is_too_short_for_the_dials_is_told_beforehand() -> None:
    with pytest.raises(InputError, match="turns=7 have no room for topics=1"):
        make_job("team", n=1, difficulty="hard", turns=(60, 7))


def test_a_scenario_of_ones_own_has_to_fit_the_length_of_its_slot(tmp_path: Path) -> None:
    (long,) = (one.dialogue.scenario for one in dialogues("restaurant", n=1, turns=30))
    make_job("restaurant", n=8, turns=(30, 8), scenarios=[long])
    with pytest.raises(InputError, match="scenario 0: "):
        make_job("restaurant", n=8, turns=(8, 30), scenarios=[long])


def calls(turns: tuple[int, ...], n: int, first: int = 0) -> int:
    """The calls of an actor, by the estimate."""
    job = make_job("restaurant", n=first + n, turns=turns, actor_model="openai/x")
    return sum(stage.calls for stage in estimate(job, n, first).stages)


def test_an_estimate_counts_each_length_as_often_as_it_comes() -> None:
    assert calls((10, 40), 8) == 4 * 10 + 4 * 40
    assert calls((10, 40), 12) == 8 * 10 + 4 * 40
    assert calls((10, 40), 13) == 8 * 10 + 5 * 40
    assert calls((10,), 7) == 70


def test_what_is_left_of_a_run_is_estimated_by_its_own_lengths() -> None:
    assert calls((10, 40), 4, first=4) == 4 * 40
    assert calls((10, 40), 3, first=6) == 2 * 40 + 10


def test_lags_are_grouped_alike_in_dialogues_of_all_lengths(tmp_path: Path) -> None:
    generate("restaurant", n=16, out=tmp_path / "out", turns=[8, 14])
    starts = {
        int(group.partition("-")[0])
        for item in items_of(tmp_path / "out")
        for name, group in item.groups.items()
        if name in {"lag", "since"}
    }
    assert starts <= set(range(0, 14, 3)), "steps of three turns, a sixth of the longest"
    shown = [one.item for each in shown_dialogues(tmp_path / "out", 16) for one in each.items]
    of_page = {one.id: one.groups.get("lag") for one in shown}
    assert of_page == {one.id: one.groups.get("lag") for one in items_of(tmp_path / "out")}
    (tmp_path / "out" / "manifest.json").unlink()
    assert longest_in(tmp_path / "out") == 14


@pytest.mark.parametrize("n", [1, 4])
def test_a_length_of_which_there_would_be_no_dialogue_is_refused(n: int) -> None:
    with pytest.raises(InputError) as caught:
        make_job("restaurant", n=n, turns=(8, 14))
    assert str(caught.value) == (
        f"n is {n}, and of 2 lengths each has 4 dialogues (four of each domain) before the next: ask for n=8, or for "
        "fewer lengths"
    )
    with pytest.raises(InputError, match="each has 8 dialogues"):
        make_job(["restaurant", "travel"], n=8, turns=(8, 14))
    make_job("restaurant", n=5, turns=(8, 14))
