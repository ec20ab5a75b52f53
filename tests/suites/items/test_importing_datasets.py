"""Who imports a dataset of ours is told that it is one already."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import InputError


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "data"
    command = ["generate", "--suite", "rectom", "--domain", "movies", "--n", "1", "--out", str(out), "-q"]
    assert CliRunner().invoke(app, command).exit_code == 0
    return out


@pytest.mark.parametrize("suite", ["items", "rectom", "persuasivetom"])
def test_a_dataset_needs_no_import(suite: str, made: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["import", suite, str(made), "--out", str(tmp_path / "out")])
    assert isinstance(result.exception, InputError)
    said = str(result.exception)
    assert "is a dataset of dtomtrack already (of the suite rectom), which needs no import" in said
    assert f"dtomtrack evaluate {made} -m baseline/random" in said
    assert not (tmp_path / "out").exists()


def test_a_manifest_of_somebody_else_is_none_of_ours(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "manifest.json").write_text('[{"question": "Which?", "options": ["a", "b"], "answer": "A"}]')
    result = CliRunner().invoke(app, ["import", "items", str(folder), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output


def test_movies_are_films(made: Path) -> None:
    assert "films" in (made / "manifest.json").read_text(encoding="utf-8")
