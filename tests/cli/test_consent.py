"""How many dialogues are made if nobody says, and who is asked before it becomes dear."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from asking import KEY
from commands import PYTHON, ended
from loopback import Loopback
from model_folder import command
from performer import perform
from terminals import at_a_terminal

from dtomtrack.runs.manifest import Manifest


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def dear(out: Path, server: Loopback, *more: str) -> list[str]:
    """A command that would take many calls."""
    return command(server, out, "--scenarios", "pack", *more, n=400)


def test_with_a_model_a_few_dialogues_are_made_if_nobody_says_how_many(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        arguments = [one for one in command(server, tmp_path / "out", "--dry-run", "--scenarios", "pack") if one]
        place = arguments.index("--n")
        estimated = ended(arguments[:place] + arguments[place + 2 :])
    assert "for 20 dialogues" in " ".join(estimated.stdout.split())


def test_without_a_model_the_default_stays(tmp_path: Path) -> None:
    """It stands in the manifest, which is written first."""
    manifest = tmp_path / "out" / "manifest.json"
    with subprocess.Popen(
        [*PYTHON, "generate", "--quiet", "--out", str(manifest.parent)], stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and not manifest.exists():
            time.sleep(0.01)
        process.terminate()
    assert Manifest.model_validate_json(manifest.read_bytes()).n == 500


def test_somebody_at_a_terminal_is_asked_before_many_calls(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        status, shown = at_a_terminal(dear(tmp_path / "out", server), b"n\n")
        assert server.count == 0
    assert status == 1
    assert "calls for 400 dialogues" in shown
    assert "nothing was begun" in shown
    assert not (tmp_path / "out").exists()


def test_nobody_is_asked_without_a_terminal(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        run = ended(dear(tmp_path / "out", server, "--max-tokens-total", "2000"))
    # it began, and stopped where it was told to
    assert "raise it to go on" in run.stderr
    assert "Begin?" not in run.stderr


def test_who_says_yes_is_not_asked(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        _, shown = at_a_terminal(dear(tmp_path / "out", server, "--max-tokens-total", "2000", "--yes"), b"n\n")
    assert "raise it to go on" in shown
    assert "Begin?" not in shown


@pytest.mark.parametrize("suite", ["persuasivetom", "rectom", "tomelp"])
def test_other_suites_ask_too(suite: str, tmp_path: Path) -> None:
    options = ["--suite", suite, "--model", "openai/x", "--n", "2000", "--out", str(tmp_path / "out")]
    status, shown = at_a_terminal([*PYTHON, "generate", *options], b"n\n")
    assert status == 1, shown
    assert "calls for 2000 dialogues" in shown
    assert not (tmp_path / "out").exists()


def test_who_wants_quiet_is_asked_all_the_same(tmp_path: Path) -> None:
    with Loopback(perform) as server:
        status, shown = at_a_terminal(dear(tmp_path / "out", server, "--quiet"), b"n\n")
        assert server.count == 0
    assert status == 1
    assert "calls for 400 dialogues" in shown
