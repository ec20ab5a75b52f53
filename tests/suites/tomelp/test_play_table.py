"""What plays print: nothing is cut on 80 columns, however long a name is."""

from __future__ import annotations

from pathlib import Path

import pytest
from route_plays import scenes
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError

WIDE = 80


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten scenes."""
    return scenes(tmp_path_factory.mktemp("scenes") / "data", 10)


def printed(*command: str) -> str:
    done = CliRunner().invoke(app, list(command), env={"COLUMNS": str(WIDE), "TERM": "dumb"})
    assert done.exit_code == 0, done.output
    return done.stdout


def lines_of(text: str) -> list[str]:
    """The lines but those that name folders."""
    return [line for line in text.split("\n") if ": /" not in line]


def test_table_2_fits_and_names_every_variant(data: Path, tmp_path: Path) -> None:
    given = [part for name in ("inferred", "gold", "shuffled") for part in ("--tom", name)]
    ablated = ["--ablate", "elaboration-swapped", "--ablate", "tags-stripped"]
    text = printed("play", "tomelp", str(data), "-m", "policy/faithful", "--out", str(tmp_path), *given, *ablated)
    assert max(map(len, lines_of(text))) <= WIDE
    assert "…" not in text
    for said in ("policy/faithful, judged by rules", "no_tom", "tom_aware", "tom gold", "tom shuffled", "Robust"):
        assert said in text
    assert text.count("elaboration-swapped, tom shuffled: high_cog,") == 2


def test_the_closed_loop_fits_too(data: Path, tmp_path: Path) -> None:
    text = printed("play", "tomelp", str(data), "--closed-loop", "-m", "policy/adaptive", "--out", str(tmp_path))
    assert max(map(len, lines_of(text))) <= WIDE
    assert "…" not in text
    for said in ("policy/adaptive, tom_aware", "Last message by its route", "Changes over after a miss"):
        assert said in text


def test_too_few_scenes_for_intervals_are_told(tmp_path: Path) -> None:
    few = scenes(tmp_path / "few", 3)
    text = printed("play", "tomelp", str(few), "-m", "policy/faithful", "--ablate", "tags-stripped")
    assert "no intervals: they take replies in 10 scenes, and there are 3" in text


@pytest.mark.parametrize("idle", [("--need", "0,1"), ("--turns", "9"), ("--topics", "mine.yaml")])
def test_options_of_the_closed_loop_are_refused_outside_it(idle: tuple[str, str], data: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["play", "tomelp", str(data), *idle, "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, InputError)
    assert str(done.exception) == f"{idle[0]} is of the closed loop; leave it out, or give --closed-loop, too"
    assert not (tmp_path / "out").exists()
