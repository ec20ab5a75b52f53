"""The command that holds two datasets against each other tells what is the same and what is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from same_dataset import compared

from dtomtrack.api import generate
from dtomtrack.errors import DatasetError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset") / "dataset"
    generate("restaurant", n=2, out=folder)
    return folder


def changed(dataset: Path, folder: Path, **fields: Any) -> Path:
    """A copy in which these fields of the third question have these values."""
    shutil.copytree(dataset, folder)
    lines = (dataset / "questions.jsonl").read_text(encoding="utf-8").split("\n")
    lines[2] = json.dumps(json.loads(lines[2]) | fields)
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder


def as_format_2(folder: Path) -> Path:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | {"format_version": 2}), encoding="utf-8")
    return folder


def same(before: Path, after: Path) -> dict[str, bool]:
    return {name: verdict.same for name, verdict in compared(before, after).items()}


def test_a_copy_is_the_same(dataset: Path, tmp_path: Path) -> None:
    assert all(same(dataset, shutil.copytree(dataset, tmp_path / "copy")).values())


def test_a_change_is_found_and_its_field_named(dataset: Path, tmp_path: Path) -> None:
    found = compared(dataset, changed(dataset, tmp_path / "copy", topic="zebra"))
    assert found["questions.jsonl"] == (False, "line 3 is not the same bytes: topic")
    assert found["dialogues.jsonl"].same
    assert found["rejected.jsonl"].same


def test_a_line_too_few_is_found(dataset: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(dataset, tmp_path / "copy")
    (copy / "dialogues.jsonl").write_bytes((dataset / "dialogues.jsonl").read_bytes().split(b"\n")[0] + b"\n")
    assert same(dataset, copy) == {"dialogues.jsonl": False, "questions.jsonl": True, "rejected.jsonl": True}
    assert not same(copy, dataset)["dialogues.jsonl"]


def test_questions_of_format_2_are_compared_by_field(dataset: Path, tmp_path: Path) -> None:
    written_otherwise = as_format_2(changed(dataset, tmp_path / "written", select="one"))
    found = compared(dataset, written_otherwise)["questions.jsonl"]
    assert found.same
    assert found.said.endswith("equal field by field; new: select")
    assert not same(written_otherwise, dataset)["questions.jsonl"]
    assert not same(dataset, as_format_2(changed(dataset, tmp_path / "other", answer="zebra")))["questions.jsonl"]


def test_a_folder_without_a_dataset_is_refused(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"there is no manifest\.json"):
        compared(dataset, tmp_path)
