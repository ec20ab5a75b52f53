"""Pipes in the place of files of a dataset: nobody waits for what never comes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commands import run

from dtomtrack import evaluate, generate

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "-m", "baseline/longest"),
        ("report", "--no-audit"),
        ("export", "--to", "inspect"),
        ("verify", "-m", "openai/x", "--base-url", "http://127.0.0.1:9"),
    ],
)
@pytest.mark.parametrize("name", ["rejected.jsonl", "progress.jsonl", "manifest.json"])
def test_a_pipe_in_place_of_a_file_is_one_sentence(tmp_path: Path, name: str, words: tuple[str, ...]) -> None:
    generate("restaurant", n=1, out=tmp_path)
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    done = run(words[0], tmp_path, *words[1:])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert f"{tmp_path / name}: is not an ordinary file" in done.stderr


@pytest.mark.parametrize("name", ["answers.jsonl", "config.json", "metrics.json"])
def test_neither_does_a_report_wait_for_an_evaluation(tmp_path: Path, name: str) -> None:
    generate("restaurant", n=1, out=tmp_path)
    evaluate(tmp_path, "baseline/longest")
    (path,) = (tmp_path / "eval").glob(f"*/{name}")
    path.unlink()
    os.mkfifo(path)
    done = run("report", tmp_path, "--no-audit")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert f"{path}: is not an ordinary file" in done.stderr
