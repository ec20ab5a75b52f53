"""Runs that are refused before they begin leave nothing behind; those that have begun keep all."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from commands import PYTHON, ended, run, started
from loopback import Loopback
from model_folder import command
from performer import perform

from dtomtrack import generate
from dtomtrack.errors import DatasetError, ModelError
from dtomtrack.runs.leftovers import without_leftovers
from dtomtrack.runs.locks import writing

MODEL = ("--model", "openai/gpt-4o-mini", "--quiet")
TOLD = "dtomtrack: openai/gpt-4o-mini needs a key: set the environment variable OPENAI_API_KEY\n"


@pytest.fixture(autouse=True)
def _without_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def tree(folder: Path) -> dict[str, bytes]:
    """Everything below a folder, folders, too."""
    return {
        str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes() for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize(
    "more",
    [
        ("generate", "--n", "2", "--out", "a/b"),
        ("generate", "--n", "2", "--out", "out", "--engine", "processes", "--workers", "2"),
        ("generate", "--n", "2", "--out", "out", "--suite", "rectom"),
        ("play", "rhetbench", "--scenarios", "cold_skeptic", "--out", "out"),
    ],
)
def test_without_a_key_nothing_is_made(tmp_path: Path, more: tuple[str, ...]) -> None:
    refused = run(*more, *MODEL, cwd=tmp_path)
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", TOLD)
    assert not tree(tmp_path)


def test_a_folder_of_parts_is_not_made_either(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    assert run("generate", "--n", "2", "--out", "out", "--format", "parquet", *MODEL, cwd=tmp_path).returncode == 2
    assert not tree(tmp_path)


def test_an_empty_folder_stays_empty(tmp_path: Path) -> None:
    assert run("generate", "--n", "2", "--out", tmp_path, *MODEL).returncode == 2
    assert tmp_path.is_dir()
    assert not tree(tmp_path)


@pytest.mark.parametrize("more", [("verify",), ("verify", "--calibrate"), ("evaluate",)])
def test_a_dataset_stays_as_it_is(tmp_path: Path, more: tuple[str, ...]) -> None:
    generate("restaurant", n=1, out=tmp_path / "out")
    before = tree(tmp_path)
    refused = run(more[0], tmp_path / "out", *more[1:], *MODEL)
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", TOLD)
    assert tree(tmp_path) == before


NOBODY = ("--model", "vllm/x", "--base-url", "http://127.0.0.1:9/v1", "--quiet")


def test_where_no_server_answers_all_stays_as_it_is(tmp_path: Path) -> None:
    """At once: each of them tries for two seconds."""
    for name in ("verified", "evaluated"):
        generate("restaurant", n=1, out=tmp_path / name)
    before = tree(tmp_path)
    commands = [
        ("generate", "--n", "2", "--out", tmp_path / "a" / "b"),
        ("generate", "--n", "2", "--out", tmp_path / "parts", "--format", "parquet"),
        ("play", "rhetbench", "--scenarios", "cold_skeptic", "--out", tmp_path / "play"),
        ("verify", tmp_path / "verified"),
        ("evaluate", tmp_path / "evaluated"),
    ]
    for process in [started([*PYTHON, *more, *NOBODY]) for more in commands]:
        status, said = process.ended()
        assert status == 1
        assert "can't be reached" in said
    assert tree(tmp_path) == before


def test_a_run_that_nobody_answered_and_that_has_its_log_beside_it_goes_on(tmp_path: Path) -> None:
    out, log = tmp_path / "out", tmp_path / "out" / "calls.txt"
    assert run("generate", "--n", "1", "--out", out, "--log", log, *NOBODY).returncode == 1
    before = log.read_bytes()
    with Loopback(perform) as server:
        assert ended(command(server, out, "--quiet", "--log", str(log), n=1)).returncode == 0
    assert log.read_bytes().startswith(before)
    assert b"asked again" in before


def test_a_folder_that_another_run_begins_to_write_at_that_moment_stays_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(DatasetError, match="another run is writing"), without_leftovers(out), ExitStack() as held:
        out.mkdir()
        held.enter_context(writing(out))
        (out / "dialogues.jsonl").write_bytes(b"theirs")
        with writing(out):
            pass
    assert (out / "dialogues.jsonl").read_bytes() == b"theirs"


def test_a_run_that_has_begun_keeps_what_it_has_when_it_cannot_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(perform) as server:
        assert ended(command(server, out, "--quiet", n=2)).returncode == 0
        before = tree(out)
        refused = ended(command(server, out, "--quiet", "--max-cost", "1", n=3))
    assert refused.returncode == 2
    assert "its price is unknown" in refused.stderr
    changing = {"manifest.json", ".lock"}
    assert {name: content for name, content in tree(out).items() if name not in changing} == {
        name: content for name, content in before.items() if name not in changing
    }


def test_what_somebody_puts_beside_a_run_that_comes_to_nothing_stays(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(ModelError), without_leftovers(folder):
        folder.mkdir()
        (folder / "config.json.my-backup").write_text("mine")
        (folder / "dialogues.jsonl").touch()
        raise ModelError("nobody answers")
    with pytest.raises(ModelError), without_leftovers(tmp_path / "notes"):
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "todo.txt").touch()
        raise ModelError("nobody answers")
    assert {"out/config.json.my-backup", "notes/todo.txt"} <= tree(tmp_path).keys()
