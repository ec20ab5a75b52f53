"""The tutorial's commands, in order, print what it shows."""

from __future__ import annotations

import os
import re
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from commands import run, script
from written_pages import REPOSITORY, code_blocks

TUTORIAL = REPOSITORY / "docs" / "tutorial.md"
OTHERS = [REPOSITORY / "docs" / name for name in ("install.md", "howto/models.md")]


@pytest.mark.parametrize("page", [TUTORIAL, *OTHERS], ids=lambda page: page.stem)
def test_the_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    blocks = [one for one in code_blocks(page) if one.language in {"console", "python"}]
    assert blocks
    for block in blocks:
        if block.language == "python":
            file = tmp_path / "shown.py"
            file.write_text(block.text, encoding="utf-8")
            assert quoted(page, output(script(file, tmp_path)))
            continue
        for command, shown in re.findall(r"^\$ dtomtrack (.+)\n((?:[^$].*\n)*)", block.text, re.MULTILINE):
            printed = output(run(*command.split(), cwd=tmp_path, env={**os.environ, "COLUMNS": "80"}))
            assert plain(printed).startswith(plain(shown)), command


def output(done: CompletedProcess[str]) -> str:
    """What was printed, where all ended well; what takes its time on a busy machine says what it does."""
    assert (done.returncode, done.stderr.removesuffix("dtomtrack: drawing the figures\n")) == (0, "")
    return done.stdout


def plain(text: str) -> str:
    """Text without times and without blanks at the ends of lines."""
    return re.sub(r"\d+\.\d s", "N s", re.sub(r"\s+", " ", text)).strip()


def quoted(page: Path, printed: str) -> bool:
    """Whether a page shows what was printed, however its lines are broken."""
    return plain(printed) in plain(page.read_text(encoding="utf-8"))
