"""``dtomtrack report``: what it prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import dtomtrack
from dtomtrack.cli.report import command

RUNNER = CliRunner()


@pytest.fixture
def app() -> typer.Typer:
    """The command on its own."""
    app = typer.Typer()
    app.command()(command)
    return app


def test_it_says_where_the_page_is(app: typer.Typer, tmp_path: Path) -> None:
    dtomtrack.generate("travel", n=3, out=tmp_path / "out")
    (tmp_path / "out" / "eval" / "half").mkdir(parents=True)
    done = RUNNER.invoke(app, [str(tmp_path / "out"), "--no-audit", "--dialogues", "2"])
    assert done.exit_code == 0, done.output
    page = tmp_path / "out" / "report" / "report.html"
    assert f"0 evaluations, 0 figure files, 2 dialogues to look at: {page}" in done.stdout
    assert "eval/half is not finished" in done.stderr
    assert page.is_file()
