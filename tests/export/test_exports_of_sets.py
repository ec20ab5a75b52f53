"""Exports of items of any number of options of which several may be right: the toy suite's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from toy_suite.dataset import write_toy
from toy_suite.reader import LISTENERS
from toy_suite.suite import ToySuite

from dtomtrack.export.exporting import write_export
from dtomtrack.items.item import Item

LETTERS = "ABCDEFGHIJ"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine scenes with two questions each."""
    return write_toy(tmp_path_factory.mktemp("dataset") / "my evenings", scenes=9)


@pytest.fixture(scope="module")
def quizzes(dataset: Path) -> dict[str, dict[str, Any]]:
    return {quiz["id"]: quiz for quiz in lines(dataset / "quiz.jsonl")}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def right(quiz: dict[str, Any]) -> list[str]:
    return [LETTERS[number] for number in quiz["right"]]


def test_inspect_samples_have_all_options_and_the_set_of_right_ones(
    dataset: Path, quizzes: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    write_export(ToySuite(), dataset, "inspect", tmp_path / "out")
    samples = lines(tmp_path / "out" / "questions.jsonl")
    assert [sample["id"] for sample in samples] == list(quizzes)
    for sample in samples:
        quiz = quizzes[sample["id"]]
        several = quiz["kind"] == LISTENERS
        assert sample["choices"] == quiz["choices"]
        assert sample["target"] == right(quiz)
        assert sample["metadata"] == {
            "type": quiz["kind"],
            "room": quiz["room"],
            "dialogue_id": quiz["scene"],
            "select": "any" if several else "one",
            "chance": pytest.approx(1 / 1023 if several else 0.5),
            "turn": None,
            "option_roles": {},
        }
    task = json.loads((tmp_path / "out" / "task.json").read_text(encoding="utf-8"))
    assert task == {"name": "toy_my_evenings", "sets": True}


def test_a_group_that_is_called_like_a_fact_of_the_item_stays(dataset: Path, tmp_path: Path) -> None:
    class Grouped(ToySuite):
        def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
            for item in super().items(folder, limit):
                yield Item(item.id, item.cluster, item.question, item.options, item.gold, item.select, {"turn": "late"})

    write_export(Grouped(), dataset, "inspect", tmp_path / "out")
    metadata = lines(tmp_path / "out" / "questions.jsonl")[0]["metadata"]
    assert (metadata["group_turn"], metadata["turn"], metadata["type"]) == ("late", None, "untyped")


def test_lm_eval_never_compares_letters_where_several_are_right(
    dataset: Path, quizzes: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    exported = write_export(ToySuite(), dataset, "lm-eval", out)
    assert exported.use[exported.use.index("--tasks") + 1] == "toy_my_evenings"
    assert [path.name for path in out.rglob("*.py")] == ["lm_eval_sets.py"]
    group = yaml.safe_load((out / "toy_my_evenings.yaml").read_text(encoding="utf-8"))
    assert group["task"] == ["toy_my_evenings_listeners_any", "toy_my_evenings_whether"]
    by_reply, by_letter = (settings(out, name) for name in group["task"])
    assert (by_reply["output_type"], by_letter["output_type"]) == ("generate_until", "multiple_choice")
    assert by_reply["process_results"] == "lm_eval_sets.process_results"
    assert by_letter["doc_to_choice"] == "letters"
    for document in documents(by_letter):
        quiz = quizzes[document["id"]]
        assert document["letters"] == ["A", "B"]
        assert [document["letters"][document["gold"]]] == right(quiz)
    for document in documents(by_reply):
        assert document["gold"] == right(quizzes[document["id"]])
        assert document["options"] == quizzes[document["id"]]["choices"]
        assert document["letters"] == list(LETTERS)


class _Loader(yaml.SafeLoader):
    """Functions are read by their names."""


_Loader.add_constructor("!function", lambda loader, node: str(node.value))


def settings(out: Path, name: str) -> dict[str, Any]:
    task = yaml.safe_load((out / f"{name}.yaml").read_text(encoding="utf-8"))
    shared = yaml.load((out / task["include"]).read_text(encoding="utf-8"), _Loader)  # noqa: S506
    return {**shared, **task}


def documents(task: dict[str, Any]) -> list[dict[str, Any]]:
    return lines(Path(task["dataset_path"]) / task["dataset_kwargs"]["data_files"]["test"])


def test_types_that_no_file_can_be_called_have_tasks_of_their_own(dataset: Path, tmp_path: Path) -> None:
    kinds = ("a/b", "a:b", "", "..", "!function os.system", "x" * 300)

    class Typed(ToySuite):
        def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
            for number, item in enumerate(super().items(folder, limit)):
                groups = {"type": kinds[number % len(kinds)]}
                yield Item(item.id, item.cluster, item.question, item.options, item.gold, item.select, groups)

    out = tmp_path / "out"
    write_export(Typed(), dataset, "lm-eval", out)
    tasks = [settings(out, name) for name in yaml.safe_load((out / "toy_my_evenings.yaml").read_bytes())["task"]]
    assert len({task["task"] for task in tasks}) == len(tasks)
    assert {task["task_alias"].removesuffix(" (several right)") for task in tasks} == {*kinds}
    assert sum(len(documents(task)) for task in tasks) == 18
    assert {path.parent for path in out.rglob("*") if path.is_file()} == {out, out / "data"}


def test_parquet_keeps_lists_of_any_length_and_mappings_of_any_keys(dataset: Path, tmp_path: Path) -> None:
    write_export(ToySuite(), dataset, "parquet", tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "quiz.parquet")
    found = [without_absent(row) for row in table.to_pylist()]
    assert found == lines(dataset / "quiz.jsonl")
    assert str(table.schema.field("right").type.value_type) == "int64"
    told = table.schema.field("told").type
    names = [told.field(number).name for number in range(told.num_fields)]
    assert names == sorted({name for quiz in lines(dataset / "quiz.jsonl") for name in quiz["told"]})


def without_absent(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "told": {name: count for name, count in row["told"].items() if count is not None}}


def test_the_hub_gets_the_suites_own_card_and_files(dataset: Path, tmp_path: Path) -> None:
    write_export(ToySuite(), dataset, "huggingface", tmp_path / "out")
    _, front, text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    configs = yaml.safe_load(front)["configs"]
    assert [(config["config_name"], config.get("default", False)) for config in configs] == [
        ("quiz", True),
        ("scenes", False),
    ]
    assert "9 evenings in `scenes`, 18 questions" in text
    assert ".jsonl" not in text
    rows = pq.read_table(tmp_path / "out" / "quiz" / "test.parquet").to_pylist()
    assert columns(text, "quiz") == list(rows[0])
    assert all(row["ask"] in row["prompt"] for row in rows)
    assert all("One or several of the options are right." in row["prompt"] for row in rows if row["kind"] == LISTENERS)


def columns(text: str, name: str) -> Sequence[str]:
    """The columns of a table, as the card lists them."""
    (line,) = (line for line in text.split("\n") if line.startswith(f"- `{name}`: "))
    return line.replace("`", "").partition(": ")[2].split(", ")
