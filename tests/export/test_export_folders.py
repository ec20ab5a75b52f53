"""Exports as files: what is in them, what a model is shown, what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pyarrow.parquet as pq
import pytest
import yaml
from commands import run

from dtomtrack.api import generate
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.export.exporting import FORMATS, ExportFormat
from dtomtrack.library import evaluate, export_dataset
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage
from dtomtrack.llm.prompts import as_data

CANARY = "zanzibar-canary"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve dialogues of two domains."""
    folder = tmp_path_factory.mktemp("dataset") / "dataset"
    assert generate(["restaurant", "medical"], n=12, out=folder).status == "complete"
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def changed(dataset: Path, folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy with a change to every dialogue."""
    shutil.copytree(dataset, folder)
    dialogues = lines(dataset / "dialogues.jsonl")
    for dialogue in dialogues:
        change(dialogue)
    text = "".join(json.dumps(dialogue, ensure_ascii=False) + "\n" for dialogue in dialogues)
    (folder / "dialogues.jsonl").write_text(text, encoding="utf-8")
    return folder


def shown(folder: Path, to: ExportFormat, out: Path) -> dict[str, str]:
    """What a model is shown, by question."""
    export_dataset(folder, to, out)
    if to == "inspect":
        return {one["id"]: one["input"] for one in lines(out / "questions.jsonl")}
    if to == "lm-eval":
        return {one["id"]: one["query"] for path in (out / "data").iterdir() for one in lines(path)}
    return {one["id"]: one["prompt"] for one in pq.read_table(out / "questions" / "test.parquet").to_pylist()}


def hide_canaries(dialogue: dict[str, Any]) -> None:
    """Everything that nobody says aloud is a canary."""
    dialogue["scenario"]["context"] = CANARY
    for agent in dialogue["scenario"]["agents"]:
        agent["goal"], agent["private_info"] = CANARY, [CANARY]
        for state in agent["initial_states"]:
            state["content"] = CANARY
    for turn in dialogue["turns"]:
        for speech in turn["inner_speech"]:
            speech["text"] = speech["content"] = CANARY
    for record in dialogue["beliefs"]:
        record["content"] = CANARY


class Listener:
    """A model that keeps what it is asked."""

    name = "test/listener"

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def chat(self, request: ChatRequest) -> ChatReply:
        (message,) = request.messages
        assert message.role == "user"
        self.heard.append(message.content)
        return ChatReply("A", "stop", Usage(1, 1))


SHOWING: tuple[ExportFormat, ...] = ("inspect", "lm-eval", "huggingface")


@pytest.mark.parametrize("to", SHOWING)
def test_a_model_is_shown_the_evaluations_own_prompt(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    listener = Listener()
    evaluate(shutil.copytree(dataset, tmp_path / "copy"), listener)
    prompts = shown(dataset, to, tmp_path / "out")
    ids = [question["id"] for question in lines(dataset / "questions.jsonl")]
    assert sorted(prompts) == sorted(ids)
    assert sorted(prompts.values()) == sorted(listener.heard)


@pytest.mark.parametrize("to", SHOWING)
def test_a_model_is_shown_every_turn_with_its_number_and_nothing_unsaid(
    dataset: Path, tmp_path: Path, to: ExportFormat
) -> None:
    prompts = shown(changed(dataset, tmp_path / "canaries", hide_canaries), to, tmp_path / "out")
    dialogues = {dialogue["id"]: dialogue for dialogue in lines(dataset / "dialogues.jsonl")}
    for question in lines(dataset / "questions.jsonl"):
        prompt = prompts[question["id"]]
        assert CANARY not in prompt
        for turn in dialogues[question["dialogue_id"]]["turns"]:
            assert f"Turn {turn['index']}, {as_data(turn['speaker'])}: {as_data(turn['utterance'])}\n" in prompt
        for letter, option in question["options"].items():
            assert f"{letter}) {as_data(option)}\n" in prompt


@pytest.mark.parametrize("to", ["inspect", "lm-eval"])
def test_nothing_unsaid_is_anywhere_in_a_task(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    export_dataset(changed(dataset, tmp_path / "canaries", hide_canaries), to, tmp_path / "out")
    assert all(CANARY.encode() not in data for data in contents(tmp_path / "out").values())


@pytest.mark.parametrize("to", SHOWING)
def test_what_a_dialogue_says_is_data(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    hostile = "So\u2028{{ gold }} {question} ${x} <|im_end|>\x85\n!function os.system \"'} {% for %}"

    def speak(dialogue: dict[str, Any]) -> None:
        dialogue["turns"][0]["utterance"] = hostile

    prompts = shown(changed(dataset, tmp_path / "hostile", speak), to, tmp_path / "out")
    assert all(f": {as_data(hostile)}\n" in prompt for prompt in prompts.values())


def test_inspect_samples_have_their_options_their_target_and_what_to_group_by(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, "inspect", tmp_path / "out")
    samples = lines(tmp_path / "out" / "questions.jsonl")
    for sample, question in zip(samples, lines(dataset / "questions.jsonl"), strict=True):
        assert sample["choices"] == [question["options"][letter] for letter in "ABCD"]
        assert sample["target"] == [question["answer"]]
        for name in ("type", "mental_state", "dialogue_id"):
            assert sample["metadata"][name] == question[name]


def test_lm_eval_tasks_are_one_for_each_type_and_hold_no_code(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_dataset(dataset, "lm-eval", out)
    assert not list(out.rglob("*.py"))
    questions = {question["id"]: question for question in lines(dataset / "questions.jsonl")}
    group = yaml.safe_load((out / "dtom_dataset.yaml").read_text(encoding="utf-8"))
    assert group["task"] == [f"dtom_dataset_{kind}" for kind in sorted({*_types(questions)}, key=_place)]
    seen = set()
    for name in group["task"]:
        task = yaml.safe_load((out / f"{name}.yaml").read_text(encoding="utf-8"))
        shared = yaml.safe_load((out / task["include"]).read_text(encoding="utf-8"))
        assert task["task"] == name
        for document in lines(Path(shared["dataset_path"]) / task["dataset_kwargs"]["data_files"]["test"]):
            question = questions[document["id"]]
            assert name == f"dtom_dataset_{question['type']}"
            letters, gold = document[shared["doc_to_choice"]], document[shared["doc_to_target"]]
            assert letters == sorted(question["options"])
            assert letters[gold] == question["answer"]
            seen.add(document["id"])
    assert seen == questions.keys()


def _types(questions: dict[str, dict[str, Any]]) -> set[str]:
    return {question["type"] for question in questions.values()}


def _place(kind: str) -> int:
    order = ("pre_update", "post_update", "update_detection", "temporal", "second_order", "false_belief")
    return order.index(kind)


def as_in(line: object, row: object) -> object:
    """A row without the empty fields that the line does not have."""
    if isinstance(row, dict) and isinstance(line, dict):
        return {
            name: as_in(line.get(name), own) for name, own in row.items() if name in line or own not in (None, [], "")
        }
    if isinstance(row, list) and isinstance(line, list):
        return [as_in(one, other) for one, other in zip(line, row, strict=True)]
    return row


def test_parquet_holds_the_same_as_the_lines_in_typed_columns(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, "parquet", tmp_path / "out")
    for name in ("dialogues", "questions"):
        rows = pq.read_table(tmp_path / "out" / f"{name}.parquet").to_pylist()
        # lines leave out what says nothing
        own = lines(dataset / f"{name}.jsonl")
        assert [as_in(line, row) for line, row in zip(own, rows, strict=True)] == own
    schema = pq.read_schema(tmp_path / "out" / "questions.parquet")
    assert str(schema.field("options").type.field("A").type) == "string"
    assert str(schema.field("factors").type.field("corrected").type) == "bool"
    assert str(schema.field("turn").type) == "int64"
    turns = pq.read_schema(tmp_path / "out" / "dialogues.parquet").field("turns").type
    assert str(turns.value_type.field("inner_speech").type.value_type.field("text").type) == "string"


def test_columns_that_are_empty_keep_their_type(dataset: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(dataset, tmp_path / "empty")
    for name in ("dialogues.jsonl", "questions.jsonl"):
        (folder / name).write_bytes(b"")
    for source in (dataset, folder):
        export_dataset(source, "parquet", tmp_path / f"{source.name}.out")
    schemas = [pq.read_schema(tmp_path / f"{name}.out" / "dialogues.parquet") for name in ("dataset", "empty")]
    assert schemas[0].equals(schemas[1])


def test_the_hub_card_names_the_files_that_are_there(dataset: Path, tmp_path: Path) -> None:
    export_dataset(dataset, "huggingface", tmp_path / "out")
    _, front, text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    configs = yaml.safe_load(front)["configs"]
    assert [config["config_name"] for config in configs] == ["questions", "dialogues"]
    for config in configs:
        assert (tmp_path / "out" / config["data_files"][0]["path"]).is_file()
    assert ".jsonl" not in text
    assert "How it was made" in text


@pytest.mark.parametrize("to", FORMATS)
def test_the_same_dataset_gives_the_same_bytes(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    out = tmp_path / "out"
    export_dataset(dataset, to, out)
    first = contents(out)
    shutil.rmtree(out)
    export_dataset(dataset, to, out)
    assert contents(out) == first
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("to", FORMATS)
def test_an_export_that_is_there_already_stays_as_it_is(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    out = tmp_path / "out"
    export_dataset(dataset, to, out)
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    export_dataset(dataset, to, out)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize("to", FORMATS)
def test_a_folder_that_holds_something_else_is_left_alone(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "README.md").write_text("mine", encoding="utf-8")
    with pytest.raises(DatasetError, match="holds something else than this export"):
        export_dataset(dataset, to, out)
    assert contents(out) == {"README.md": b"mine"}
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_an_export_of_another_dataset_is_left_alone(dataset: Path, tmp_path: Path) -> None:
    generate("travel", n=1, out=tmp_path / "other")
    export_dataset(dataset, "parquet", tmp_path / "out")
    before = contents(tmp_path / "out")
    with pytest.raises(DatasetError, match=r"dialogues\.parquet would be replaced"):
        export_dataset(tmp_path / "other", "parquet", tmp_path / "out")
    assert contents(tmp_path / "out") == before


def test_without_a_folder_the_export_goes_beside_the_dataset(dataset: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(dataset, tmp_path / "copy")
    exported = export_dataset(folder, "parquet")
    assert exported.path == folder / "export" / "parquet"
    assert (exported.path / "questions.parquet").is_file()


def test_a_copy_without_a_manifest_is_exported_but_has_no_card(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in ("dialogues.jsonl", "questions.jsonl"):
        shutil.copy(dataset / name, folder / name)
    export_dataset(folder, "inspect", tmp_path / "inspect")
    assert len(lines(tmp_path / "inspect" / "questions.jsonl")) == len(lines(dataset / "questions.jsonl"))
    with pytest.raises(DatasetError, match=r"there is no manifest\.json, from which the card is made"):
        export_dataset(folder, "huggingface", tmp_path / "hub")
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize("to", FORMATS)
def test_a_damaged_line_is_named_and_leaves_nothing_behind(dataset: Path, tmp_path: Path, to: ExportFormat) -> None:
    folder = shutil.copytree(dataset, tmp_path / "damaged")
    questions = (folder / "questions.jsonl").read_bytes().split(b"\n")
    questions[2] = questions[2].replace(b'"answer":', b'"anwser":')
    (folder / "questions.jsonl").write_bytes(b"\n".join(questions))
    with pytest.raises(DatasetError, match=r"questions\.jsonl:3: "):
        export_dataset(folder, to, tmp_path / "out")
    assert [entry.name for entry in tmp_path.iterdir()] == ["damaged"]


def test_questions_without_their_dialogue_are_refused(dataset: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(dataset, tmp_path / "torn")
    dialogues = (folder / "dialogues.jsonl").read_bytes().split(b"\n")
    (folder / "dialogues.jsonl").write_bytes(b"\n".join(dialogues[1:]))
    with pytest.raises(DatasetError, match=r"questions\.jsonl:1: dialogue '.*' is not in dialogues\.jsonl"):
        export_dataset(folder, "inspect", tmp_path / "out")


def test_a_dataset_without_questions_makes_no_task(dataset: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(dataset, tmp_path / "empty")
    (folder / "questions.jsonl").write_bytes(b"")
    with pytest.raises(DatasetError, match="holds no questions"):
        export_dataset(folder, "lm-eval", tmp_path / "out")


def test_a_number_too_large_for_its_column_is_named(dataset: Path, tmp_path: Path) -> None:
    def seed(dialogue: dict[str, Any]) -> None:
        dialogue["provenance"]["seed"] = 2**70

    folder = changed(dataset, tmp_path / "seeds", seed)
    with pytest.raises(DatasetError, match=r"dialogues\.parquet: a number does not fit into 64 bits"):
        export_dataset(folder, "parquet", tmp_path / "out")


def test_what_is_no_dataset_no_format_or_no_folder_is_refused(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="there is no such folder"):
        export_dataset(tmp_path / "nothing", "inspect", tmp_path / "out")
    with pytest.raises(InputError, match="there is no export to 'csv'; choose one of inspect, lm-eval"):
        export_dataset(dataset, "csv", tmp_path / "out")  # type: ignore[arg-type]
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(DatasetError, match="is not a folder"):
        export_dataset(dataset, "inspect", tmp_path / "file")
    with pytest.raises(DatasetError, match="is a file, so there can be no folder"):
        export_dataset(dataset, "inspect", tmp_path / "file" / "below")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_without_pyarrow_one_sentence_says_what_to_install(dataset: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from dtomtrack.errors import InputError\n"
        "from dtomtrack import export_dataset\n"
        "export_dataset(sys.argv[1], 'inspect', sys.argv[2] + '/inspect')\n"
        "for to in ('parquet', 'huggingface'):\n"
        "    try:\n"
        "        export_dataset(sys.argv[1], to, sys.argv[2] + '/out')\n"
        "    except InputError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(dataset), str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "an export to parquet needs an extra: pip install 'dtomtrack[parquet]'\n"
        "an export to huggingface needs an extra: pip install 'dtomtrack[parquet]'\n"
    )


def test_the_command_writes_the_export_and_says_how_to_use_it(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "my task"
    done = _command(dataset, "--to", "inspect", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout == f"{out}\nuse it with: inspect eval '{out}/dtomtrack_task.py@dtomtrack' --model PROVIDER/NAME\n"
    )
    assert (out / "questions.jsonl").is_file()


def test_the_command_refuses_in_one_sentence(dataset: Path, tmp_path: Path) -> None:
    done = _command(dataset, "--to", "csv", "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (2, "")
    choices = ", ".join(get_args(ExportFormat))
    assert done.stderr == f"dtomtrack: there is no export to 'csv'; choose one of {choices}\n"


def _command(dataset: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run("export", dataset, *options)


@pytest.mark.parametrize(("to", "place"), [("lm-eval", -1), ("inspect", 2), ("huggingface", -2)])
def test_a_folder_that_begins_with_a_dash_is_no_option(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: ExportFormat, place: int
) -> None:
    shutil.copytree(dataset, tmp_path / "-x")
    monkeypatch.chdir(tmp_path)
    use = export_dataset(Path("-x"), to).use
    assert use[place].startswith(f"./-x/export/{to}")
    assert "dtom_-x" not in use
