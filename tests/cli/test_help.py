"""What ``--help`` prints: whole sentences in groups, 80 columns wide, with examples that are commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import run
from shown_commands import is_command
from typer.testing import CliRunner

from dtomtrack.cli.main import app


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands that do something, with the words that name them."""
    subcommands = getattr(command, "commands", {})
    if not subcommands:
        yield path, command
    for name, own in subcommands.items():
        yield from commands(own, (*path, name))


COMMANDS = list(commands(typer.main.get_command(app)))


def shown(*words: str) -> str:
    """The help of a command on a terminal of 80 columns."""
    done = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80"})
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("words", [words for words, _ in COMMANDS], ids=" ".join)
def test_help_fits_and_ends_with_examples(words: tuple[str, ...]) -> None:
    text = shown(*words)
    assert [line for line in text.split("\n") if len(line) > 80] == []
    assert "list[" not in text
    examples = text.partition("\nExamples:\n")[2].strip().split("\n")
    for line in examples:
        assert line.strip().startswith(f"dtomtrack {' '.join(words)}")
        assert is_command(line.strip())


@pytest.mark.parametrize("command", [own for _, own in COMMANDS], ids=lambda own: str(own.name))
def test_each_option_is_a_sentence(command: Any) -> None:
    for one in command.params:
        text = one.help.strip()
        assert re.fullmatch(r"(?s)[A-Za-z].*(?:\.|\.  \[default: .+\])", text), text
        assert not text.startswith(("Of ", "To ")), text


def test_no_command_is_described_by_half_a_sentence() -> None:
    for name in ("", "import", "play", "domains"):
        assert "..." not in shown(*name.split()).replace("[ARGS]...", "")
    for words, command in COMMANDS:
        assert f"  {words[-1]} " in shown(*words[:-1])
        assert command.short_help is None or command.short_help.endswith(".")


def test_options_stand_in_groups() -> None:
    text = shown("generate")
    headings = re.findall(r"^(\S.*):$", text, re.MULTILINE)
    assert headings[0] == "The dataset"
    assert {"Language models", "Limits and budgets", "The run"} <= set(headings)
    assert "apart:" in text
    assert text.index("--difficulty") < text.index("Language models:") < text.index("--actor-model")


def test_a_model_is_m_wherever_one_is_asked_for() -> None:
    for words, command in COMMANDS:
        for one in command.params:
            if "--model" in one.opts:
                assert "-m" in one.opts, words


def test_help_imports_no_records_and_no_workflow() -> None:
    code = (
        "import sys\nfrom dtomtrack.cli.main import app\nsys.argv = ['dtomtrack', 'generate', '--help']\n"
        "try:\n    app()\nexcept SystemExit:\n    pass\n"
        "print([one for one in ('langgraph', 'aiohttp', 'rich', 'yaml', 'dtomtrack.records') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")


def test_a_subject_that_is_none_is_answered_with_all_there_are(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["generate", "--n", "1", "--out", str(tmp_path / "made"), "--quiet"])
    done = run("evaluate", tmp_path / "made", "-m", "nope")
    assert done.returncode == 2
    assert "openai" in done.stderr
    assert "baseline/NAME, with one of random" in done.stderr
    assert "oracle" in done.stderr
