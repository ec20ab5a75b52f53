"""Items go to worker processes: those of every suite that makes some."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.suites.registry import suite_of


@pytest.mark.parametrize("suite", ["dtom", "persuasivetom", "rectom"])
def test_items_can_be_sent(suite: str, tmp_path: Path) -> None:
    """`evaluate --workers 2` ended with an error where RecToM asks for no labels: a book of none could not be sent."""
    folder = tmp_path / suite
    made = CliRunner().invoke(app, ["generate", "--suite", suite, "--n", "2", "--out", str(folder)])
    assert made.exit_code == 0
    items = list(suite_of(folder).items(folder))
    assert len(items) > 5
    received = pickle.loads(pickle.dumps(items))  # noqa: S301
    assert [one.id for one in received] == [one.id for one in items]
