"""Exports of generated conversations of suites that read published files, too: the card is that of what was made."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

from dtomtrack.export.exporting import FORMATS, ExportFormat
from dtomtrack.library import export_dataset

FORMS = [(suite, to) for suite in ("persuasivetom", "rectom") for to in FORMATS]


@pytest.mark.parametrize(("suite", "to"), FORMS)
def test_what_was_generated_is_exported_to_everything(suite: str, to: ExportFormat, tmp_path: Path) -> None:
    made = run("generate", "--suite", suite, "--n", "1", "--out", tmp_path / "data", "-q")
    assert made.returncode == 0, made.stderr
    exported = export_dataset(tmp_path / "data", to).path
    if to == "huggingface":
        own, card = ((path / "README.md").read_text(encoding="utf-8") for path in (tmp_path / "data", exported))
        title = next(line for line in own.split("\n") if line.startswith("# "))
        assert title in card
        assert "scripted" in card.lower()
