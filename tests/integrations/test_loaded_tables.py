"""A loaded dataset as tables of Hugging Face's `datasets`."""

from __future__ import annotations

from pathlib import Path

from dtomtrack import evaluate, generate, load


def test_all_of_it_is_a_table_of_hugging_face(tmp_path: Path) -> None:
    generate("restaurant", n=4, out=tmp_path / "out")
    evaluate(tmp_path / "out", "baseline/recency")
    dataset = load(tmp_path / "out")
    assert dataset.to_datasets()["id"][:] == [one.id for one in dataset.items]
    assert len(dataset.to_datasets("dialogues")) == 4
    assert set(dataset.to_datasets("answers", "baseline/recency")["subject"][:]) == {"baseline/recency"}
