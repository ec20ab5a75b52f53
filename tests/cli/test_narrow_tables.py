"""Tables of figures fit a terminal of 80 columns, and nothing of them is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dtomtrack.cli.main import app

NARROW = {"COLUMNS": "80"}


@pytest.mark.parametrize("suite", ["dtom", "rectom"])
def test_figures_of_an_evaluation_are_never_cut(tmp_path: Path, suite: str) -> None:
    out = str(tmp_path / "made")
    CliRunner().invoke(app, ["generate", "--suite", suite, "--n", "4", "--out", out, "--quiet"])
    done = CliRunner().invoke(app, ["evaluate", out, "-m", "baseline/random"], env=NARROW)
    assert done.exit_code == 0
    heading, *rows = done.stdout.split("\n")[1:]
    table = [heading, *rows[: next(number for number, row in enumerate(rows) if row.startswith("mean of"))]]
    assert heading.split()[0] == "answers"
    assert heading.split()[-1] == "errors"
    assert [row for row in table if len(row) > 80 or "…" in row] == []
    assert all(row.split()[-1].isdigit() for row in table[1:] if "%" in row)
