"""Exports of a benchmark by others that was imported: options of different numbers, one or several right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from dtomtrack.export.exporting import FORMATS, ExportFormat
from dtomtrack.library import export_dataset
from dtomtrack.suites.items.importing import import_items

MAP = "question=ask,options=among,gold=right,context=said,cluster=talk,select=how,group=kind,group.room=room"
RECORDS = (
    {"ask": "Who?", "among": ["Ada", "Bo", "Cleo"], "right": ["Ada", "Cleo"], "how": "any", "kind": "who"},
    {"ask": "Who else?", "among": ["Ada", "Bo"], "right": ["Bo"], "how": "one", "kind": "who"},
    {"ask": "Where?", "among": list("vwxyz"), "right": ["z"], "how": "one", "kind": "where", "room": "attic"},
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three items of two types."""
    folder = tmp_path_factory.mktemp("imported")
    said = {"said": "Ada: I was there.\nBo: So was I.", "talk": "t1", "room": "hall"}
    lines = [json.dumps({**said, **record}) for record in RECORDS]
    (folder / "theirs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    import_items(folder / "theirs.jsonl", folder / "items", MAP)
    return folder / "items"


@pytest.mark.parametrize("to", FORMATS)
def test_an_import_is_exported_to_everything(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    assert any(export_dataset(dataset, to, tmp_path / "out").path.iterdir())


def test_a_type_with_items_of_both_kinds_becomes_two_tasks(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, "lm-eval", tmp_path / "out")
    group = yaml.safe_load((tmp_path / "out" / "items_items.yaml").read_text(encoding="utf-8"))
    assert group["task"] == ["items_items_who_any", "items_items_who", "items_items_where"]


def test_options_that_an_item_lacks_are_null_and_a_row_has_its_prompt(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, "huggingface", tmp_path / "out")
    rows: list[dict[str, Any]] = pq.read_table(tmp_path / "out" / "questions" / "test.parquet").to_pylist()
    assert [row["options"]["C"] for row in rows] == ["Cleo", None, "x"]
    assert [row["answer"] for row in rows] == [["A", "C"], ["B"], ["E"]]
    assert [row["groups"] for row in rows] == [
        {"room": "hall", "type": "who"},
        {"room": "hall", "type": "who"},
        {"room": "attic", "type": "where"},
    ]
    for row in rows:
        assert "So was I." in row["prompt"]
        assert row["question"] in row["prompt"]


@pytest.mark.parametrize("types", [("a_b", "a_b_2", "a b"), ("a_b", "a b", "a_b_1", "a-b", "a/b"), ("A", "a")])
def test_types_whose_names_meet_are_tasks_of_their_own(tmp_path: Path, types: tuple[str, ...]) -> None:
    lines = [json.dumps({"ask": "Who?", "among": ["Ada", "Bo"], "right": "Bo", "kind": kind}) for kind in types]
    (tmp_path / "theirs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    import_items(tmp_path / "theirs.jsonl", tmp_path / "items", "question=ask,options=among,gold=right,group=kind")
    export_dataset(tmp_path / "items", "lm-eval", tmp_path / "out")
    files = [path.name for path in (tmp_path / "out" / "data").iterdir()]
    assert len({name.casefold() for name in files}) == len(types)
    for task in (tmp_path / "out").glob("items_items_*.yaml"):
        settings = yaml.safe_load(task.read_text(encoding="utf-8"))
        data = (tmp_path / "out" / "data" / settings["dataset_kwargs"]["data_files"]["test"]).read_text("utf-8")
        assert [line["groups"] for line in map(json.loads, data.splitlines())] == [
            [{"name": "type", "value": settings["task_alias"]}]
        ]
