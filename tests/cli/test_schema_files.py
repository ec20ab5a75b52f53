"""``dtomtrack schema --out``: what is there already stays."""

from __future__ import annotations

from pathlib import Path

from commands import run, told

from dtomtrack import generate


def test_a_file_of_somebody_else_is_kept(tmp_path: Path) -> None:
    mine = tmp_path / "questions.schema.json"
    mine.write_text("mine", encoding="utf-8")
    said = f"{mine}: is there already, and is another; choose another --out, or move it away"
    assert told("schema", "--out", tmp_path) == said
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["mine"]


def test_the_same_may_be_written_again_and_no_other_suite_beside_it(tmp_path: Path) -> None:
    written = [run("schema", "--out", tmp_path).stdout for _ in range(2)]
    assert written[0] == written[1] != ""
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert "is there already, and is another" in told("schema", "--suite", "tomelp", "--out", tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_nothing_is_strewn_among_the_files_of_a_dataset(tmp_path: Path) -> None:
    generate("restaurant", n=1, out=tmp_path)
    assert "holds a dataset" in told("schema", "--out", tmp_path)
    assert not list(tmp_path.glob("*.schema.json"))
