"""Numbers that are too small or too large are refused in one sentence, on the command line and in Python."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from commands import PYTHON, run, started, told

import dtomtrack
from dtomtrack import InputError
from dtomtrack.options import check_range

HUGE = str(10**24)
MOST = "1,000,000,000"
SEEDS = "from 0 to 9,223,372,036,854,775,807"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ranges") / "made"
    dtomtrack.generate("restaurant", n=1, out=folder)
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--concurrency", HUGE), f"concurrency is {HUGE}; it has to be from 1 to 10,000"),
        (("--concurrency", "10001"), "concurrency is 10001; it has to be from 1 to 10,000"),
        (("--suite", "persuasivetom", "--concurrency", "0"), "concurrency is 0; it has to be from 1 to 10,000"),
        (("--suite", "tomelp", "--concurrency", "0"), "concurrency is 0; it has to be from 1 to 10,000"),
        (("--suite", "rhetbench", "--concurrency", "0"), "concurrency is 0; it has to be from 1 to 10,000"),
        (("--suite", "rhetbench", "--max-attempts", "0"), f"max-attempts is 0; it has to be from 1 to {MOST}"),
    ],
)
def test_generate_does_nothing_with_a_number_that_cannot_be(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert told("generate", "--n", "1", "--out", tmp_path / "out", *words) == said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--samples", HUGE), f"samples is {HUGE}; it has to be from 1 to {MOST}"),
        (("--concurrency", HUGE), f"concurrency is {HUGE}; it has to be from 1 to 10,000"),
        (("--seed", "-1"), f"seed is -1; it has to be {SEEDS}"),
        (("--declare",), "--declare: no language model persuades; give --model PROVIDER/NAME, too, or leave it out"),
    ],
)
def test_neither_does_a_play(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert told("play", "rhetbench", "-m", "policy/cycle", "--out", tmp_path / "out", *words) == said
    assert not (tmp_path / "out").exists()


def test_a_play_of_scenes_takes_no_seed_below_zero(tmp_path: Path) -> None:
    assert run("generate", "--suite", "tomelp", "--n", "1", "-q", "--out", tmp_path / "scenes").returncode == 0
    said = f"seed is -1; it has to be {SEEDS}"
    assert told("play", "tomelp", tmp_path / "scenes", "--seed", "-1") == said
    assert told("play", "tomelp", tmp_path / "scenes", "--closed-loop", "--seed", "-1") == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("evaluate", "-m", "baseline/random", "--seed", "-1"), f"seed is -1; it has to be {SEEDS}"),
        (
            ("evaluate", "-m", "openai/x", "--base-url", "http://localhost:9", "--concurrency", HUGE),
            f"concurrency is {HUGE}; it has to be from 1 to 10,000",
        ),
        (("report", "--no-audit", "--dialogues", HUGE), f"dialogues is {HUGE}; it has to be from 1 to {MOST}"),
        (("verify", "-m", "openai/x", "--limit", HUGE), f"limit is {HUGE}; it has to be from 1 to {MOST}"),
    ],
)
def test_nor_do_commands_on_a_dataset(made: Path, words: tuple[str, ...], said: str) -> None:
    assert told(words[0], made, *words[1:]) == said


@pytest.mark.parametrize("option", ["--requests-per-minute", "--tokens-per-minute"])
def test_a_rate_at_which_nothing_would_ever_come_is_refused(made: Path, option: str) -> None:
    said = told("evaluate", made, "-m", "openai/x", "--base-url", "http://localhost:9", option, "1e-320")
    assert said == f"{option.removeprefix('--')} is 1e-320; it has to be from 0.01 to {MOST}"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n": 10**30}, f"n is {10**30}; it has to be from 1 to {MOST}"),
        ({"concurrency": 10**8}, f"concurrency is {10**8}; it has to be from 1 to 10,000"),
    ],
)
def test_python_has_the_same_bounds(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        dtomtrack.generate(**{"domains": "restaurant", "n": 1, "out": tmp_path / "out", **options})
    assert str(caught.value) == said
    assert not (tmp_path / "out").exists()


def test_a_report_in_python_has_them_too(made: Path) -> None:
    with pytest.raises(InputError, match=f"it has to be from 1 to {MOST}"):
        dtomtrack.make_report(made, dialogues=10**30)


@pytest.mark.parametrize("number", [-0.5, 2.5, float("nan"), float("inf")])
def test_what_is_not_between_two_bounds_is_told_with_both(number: float) -> None:
    for inside in (0, 0.5, 2):
        check_range("share", inside, 0, 2)
    with pytest.raises(InputError) as caught:
        check_range("share", number, 0, 2)
    assert str(caught.value) == f"share is {number}; it has to be from 0 to 2"


def test_a_play_of_a_billion_episodes_can_be_stopped(tmp_path: Path) -> None:
    words = ["play", "rhetbench", "-m", "policy/cycle", "-q", "--samples", "1000000000", "--concurrency", "10000"]
    begun = started([*PYTHON, *words, "--out", tmp_path / "out"])
    while begun.poll() is None and not list((tmp_path / "out").glob("*/progress.jsonl")):
        time.sleep(0.05)
    os.kill(begun.pid, signal.SIGTERM)
    status, errors = begun.ended()
    assert status == 130, errors
    assert "Go on with:" in errors
