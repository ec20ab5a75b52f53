"""What a new user tried first: options that mean nothing, names that are nearly right, folders that meet."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import PYTHON, ended, run

from dtomtrack.api import generate


@pytest.mark.parametrize("words", [["--out", ""], ["--out="]])
def test_an_empty_folder_name_is_refused(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a variable of the shell that is not set: everything was written into the folder that one was in."""
    monkeypatch.chdir(tmp_path)
    done = ended([*PYTHON, "generate", "--n", "1", "--quiet", *words])
    assert (done.returncode, done.stderr) == (
        2,
        "dtomtrack: --out is empty; name a folder, or . for the one that you are in\n",
    )
    assert list(tmp_path.iterdir()) == []


def test_plays_and_characters_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play = ("--scenarios", "needle_finder", "--samples", "1", "-m", "policy/cycle", "--turns", "2", "-q")
    assert run("generate", "--suite", "rhetbench", "--n", "1", "-q").returncode == 0
    assert run("play", "rhetbench", *play).returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["rhetbench-0", "rhetbench-play-0"]


@pytest.mark.parametrize("name", ["README.md", "questions.jsonl", "dialogues.jsonl"])
def test_a_play_writes_over_no_file_of_somebody_else(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    play = ("--scenarios", "needle_finder", "--samples", "1", "-m", "policy/cycle", "--turns", "2", "-q")
    done = run("play", "rhetbench", *play, "--out", tmp_path)
    said = f"dtomtrack: {tmp_path}: holds {name!r} but no manifest.json, so it is no dataset; choose another --out\n"
    assert (done.returncode, done.stderr) == (2, said)
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["mine"]


def test_a_table_has_no_blanks_behind_its_rows(tmp_path: Path) -> None:
    printed = run("generate", "--n", "2", "--out", str(tmp_path / "out")).stdout
    assert "dialogues kept" in printed
    assert [line for line in printed.split("\n") if line != line.rstrip()] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("generate", "--difficulty", "hrad"), "no difficulty 'hrad'; did you mean hard?"),
        (("evaluate", "DIR", "-m", "baseline/randm"), "there is no such baseline; did you mean random?"),
        (("evaluate", "DIR", "-m", "baseline/xyz"), "there is no such baseline; there are random, "),
        (("compare", "DIR", "--subject", "baseline/random"), "takes two evaluations with answers; make them with"),
    ],
)
def test_what_is_nearly_right_is_told_with_what_is(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path / "data")
    assert run("evaluate", str(tmp_path / "data"), "-m", "baseline/random", "-q").returncode == 0
    done = run(*(str(tmp_path / "data") if word == "DIR" else word for word in words))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
