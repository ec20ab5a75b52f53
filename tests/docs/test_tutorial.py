"""The tutorial's commands, in order, print what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from written_pages import REPOSITORY, code_blocks

TUTORIAL = REPOSITORY / "docs" / "tutorial.md"
OTHERS = [REPOSITORY / "docs" / name for name in ("install.md", "howto/models.md")]


@pytest.mark.parametrize("page", [TUTORIAL, *OTHERS], ids=lambda page: page.stem)
def test_the_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    blocks = [one for one in code_blocks(page) if one.language in {"console", "python"}]
    assert blocks
    for block in blocks:
        if block.language == "python":
            assert quoted(page, output(tmp_path, [sys.executable, "-c", block.text]))
            continue
        for command, shown in re.findall(r"^\$ dtomtrack (.+)\n((?:[^$].*\n)*)", block.text, re.MULTILINE):
            printed = output(tmp_path, [sys.executable, "-m", "dtomtrack", *command.split()])
            assert plain(printed).startswith(plain(shown)), command


def output(folder: Path, command: list[str]) -> str:
    """What a command prints, which has to end well."""
    environment = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def plain(text: str) -> str:
    """Text without times and without blanks at the ends of lines."""
    return re.sub(r"\d+\.\d s", "N s", re.sub(r"\s+", " ", text)).strip()


def quoted(page: Path, printed: str) -> bool:
    """Whether a page shows what was printed, however its lines are broken."""
    return plain(printed) in plain(page.read_text(encoding="utf-8"))
