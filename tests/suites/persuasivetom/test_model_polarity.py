"""Attitudes whose polarity a language model says, in an import by the command line."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import run
from loopback import Answer, Loopback, Request, completion
from persuasion_files import persuasion_files, write_files

from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.items.records import ItemLine


def imported(clone: Path, out: Path, *more: str) -> CompletedProcess[str]:
    return run("import", "persuasivetom", clone, "--out", out, *more, "--polarity-model", "vllm/x")


def test_a_model_may_say_which_attitudes_are_positive(tmp_path: Path) -> None:
    """One call a word; a word to which no letter can be read is of no known polarity."""
    clone, out = write_files(tmp_path / "clone", persuasion_files(dialogues=2)), tmp_path / "out"

    def says(request: Request) -> Answer:
        return completion("C" if "eager" in request["messages"][0]["content"] else "perhaps")

    with Loopback(says) as server:
        done = imported(clone, out, "--base-url", server.base_url)
    assert done.returncode == 0, done.stderr
    assert server.count == 4
    beliefs = [line for line in read_lines(out / "questions.jsonl", ItemLine) if line.groups["type"] == "belief_er"]
    roles = {text: (one.option_roles or {})[letter] for one in beliefs for letter, text in one.options.items()}
    assert roles == {"eager": "negative", "calm": "other", "worried": "other", "grateful": "other"}
    assert "the polarity of 1 of 4 attitudes is what vllm/x says" in " ".join(done.stdout.split())
    assert (out / "polarity.sqlite").exists()


def test_what_a_model_said_before_it_failed_is_not_asked_again(tmp_path: Path) -> None:
    clone, out = write_files(tmp_path / "clone", persuasion_files(dialogues=2)), tmp_path / "out"

    refusing = [True]

    def refuses(request: Request) -> Answer:
        refused = refusing[0] and "worried" in request["messages"][0]["content"]
        return Answer(b'{"error": {"message": "no"}}', status=401) if refused else completion("A")

    with Loopback(refuses) as server:
        stopped = imported(clone, out, "--base-url", server.base_url, "--concurrency", "1")
        assert (stopped.returncode, out.exists(), server.count) == (1, False, 4)
        refusing[0] = False
        assert imported(clone, out, "--base-url", server.base_url).returncode == 0
        assert server.count == 5


@pytest.mark.parametrize(
    ("more", "message"),
    [(("--variant", "outcome"), "outcome has no questions on attitudes"), ((), "and neither is there")],
)
def test_a_polarity_model_needs_attitudes(tmp_path: Path, more: tuple[str, ...], message: str) -> None:
    files = {name: items for name, items in persuasion_files().items() if not name.startswith("belief")}
    clone, out = write_files(tmp_path / "clone", files), tmp_path / "out"
    done = imported(clone, out, *more)
    assert (done.returncode, message in done.stderr) == (2, True)
    assert done.stderr.count("\n") == 1 and not out.exists()
