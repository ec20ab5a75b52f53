"""Exports in the hands of the tools that they are for, each with a model of its own or on loopback; no network.

`make test-integrations` installs the tools; without them these tests fail.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fake_hub import FakeHub
from loopback import Answer, Loopback, Request, completion
from real_tools import BIN, as_lines, inspect_eval, inspect_log, lines, loaded, offline, run_tool
from toy_suite.dataset import write_toy
from toy_suite.examinee import toy_examinee
from toy_suite.reader import LISTENERS
from toy_suite.suite import ToySuite

from dtomtrack.api import generate
from dtomtrack.export.exporting import write_export
from dtomtrack.library import export_dataset


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight dialogues with some hundred questions."""
    folder = tmp_path_factory.mktemp("dataset") / "dataset"
    assert generate("restaurant", n=8, out=folder).status == "complete"
    return folder


@pytest.fixture(scope="module")
def questions(dataset: Path) -> list[dict[str, Any]]:
    """The questions of the dataset."""
    return lines(dataset / "questions.jsonl")


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine scenes with two questions each: one with ten options of which several are right, one with two."""
    return write_toy(tmp_path_factory.mktemp("toy") / "toy", scenes=9)


# -- Inspect AI ---

REPLIES = {
    "pre_update": "Let me see. The answer is **{gold}**.",
    "post_update": "({wrong})",
    "temporal": "That can't be said.",
}
"""By question type; all others are answered with the letter."""
FILTERED = "second_order"
"""The type of the questions whose replies a filter cuts."""
MOCK = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

task, samples, logs = sys.argv[1:]
targets = {sample["input"]: sample["target"] for sample in map(json.loads, open(samples, encoding="utf-8"))}


def reply(messages, tools, choice, config):
    (message,) = messages
    output = ModelOutput.from_content("mockllm/model", ", ".join(targets[message.text]))
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # counting them takes a download
    return output


eval(task, model=get_model("mockllm/model", custom_outputs=reply), log_dir=logs, display="none")
"""


def planned(question: Mapping[str, Any]) -> str:
    """The reply to a question."""
    gold = question["answer"]
    wrong = "ABCD"[("ABCD".index(gold) + 1) % 4]
    return REPLIES.get(question["type"], "{gold}").format(gold=gold, wrong=wrong)


def test_inspect_eval_asks_a_server_and_groups_by_type_and_clusters_by_dialogue(
    dataset: Path, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    exported = export_dataset(dataset, "inspect", tmp_path / "out")
    by_id = {question["id"]: question for question in questions}
    samples = lines(tmp_path / "out" / "questions.jsonl")
    replies = {one["input"]: planned(by_id[one["id"]]) for one in samples}
    types = {one["input"]: by_id[one["id"]]["type"] for one in samples}

    def answer(request: Request) -> Answer:
        (message,) = request["messages"]
        assert (message["role"], request["temperature"]) == ("user", 0.0)
        filtered = types[message["content"]] == FILTERED
        return completion(replies[message["content"]], finish="content_filter" if filtered else "stop")

    with Loopback(answer) as server:
        log = inspect_eval(exported, server, tmp_path)
    assert sorted(request["messages"][0]["content"] for request in server.requests) == sorted(replies)
    assert (log["status"], log["task"]) == ("success", "dtom_dataset")
    _check_scores(log, questions)


def _check_scores(log: Mapping[str, Any], questions: list[dict[str, Any]]) -> None:
    value = {"post_update": "I", "temporal": "N"}
    assert log["choices"] == {question["id"]: list(question["options"].values()) for question in questions}
    unscored = {question["id"] for question in questions if question["type"] == FILTERED}
    assert {name for name, one in log["values"].items() if isinstance(one, float) and math.isnan(one)} == unscored
    assert unscored
    questions = [question for question in questions if question["id"] not in unscored]
    scored = {question["id"]: value.get(question["type"], "C") for question in questions}
    assert {name: one for name, one in log["values"].items() if name in scored} == scored
    types = [question["type"] for question in questions]
    right = [kind not in value for kind in types]
    metrics = log["metrics"]
    assert metrics["accuracy"] == pytest.approx(sum(right) / len(right))
    assert metrics["unparsed"] == pytest.approx(types.count("temporal") / len(types))
    assert metrics["chance"] == 0.25
    assert "jaccard" not in metrics
    assert metrics["stderr"] == pytest.approx(_clustered(questions, right))
    for kind in {*types}:
        assert metrics[kind] == (kind not in value)
        assert metrics[f"{kind}_stderr"] == 0.0


def _clustered(questions: list[dict[str, Any]], right: list[bool]) -> float:
    """The standard error of the accuracy, clustered by dialogue."""
    mean = sum(right) / len(right)
    sums: dict[str, float] = {}
    for question, one in zip(questions, right, strict=True):
        sums[question["dialogue_id"]] = sums.get(question["dialogue_id"], 0.0) + one - mean
    clusters = len(sums)
    spread = sum(value**2 for value in sums.values()) * clusters / (clusters - 1)
    return float(spread**0.5 / len(right))


def test_inspects_mock_model_that_answers_right_scores_one(
    dataset: Path, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    export_dataset(dataset, "inspect", out)
    arguments = [f"{out / 'dtomtrack_task.py'}@dtomtrack", str(out / "questions.jsonl"), "logs"]
    run_tool([sys.executable, "-c", MOCK, *arguments], tmp_path, offline(tmp_path))
    log = inspect_log(tmp_path)
    assert log["status"] == "success"
    assert log["values"] == {question["id"]: "C" for question in questions}
    assert log["metrics"]["accuracy"] == 1.0


def test_inspect_reads_sets_as_evaluate_does(toy: Path, tmp_path: Path) -> None:
    exported = write_export(ToySuite(), toy, "inspect", tmp_path / "out")
    with Loopback(toy_examinee(toy)) as server:
        log = inspect_eval(exported, server, tmp_path)
    quizzes = lines(toy / "quiz.jsonl")
    assert log["choices"] == {quiz["id"]: quiz["choices"] for quiz in quizzes}
    values = ["CIN"[number % 3] for number in range(9)]
    assert [log["values"][quiz["id"]] for quiz in quizzes if quiz["kind"] == LISTENERS] == values
    for quiz in quizzes:
        right = "".join("ABCDEFGHIJ"[number] for number in quiz["right"])
        said = {"C": right, "I": right[1:], "N": None}
        assert log["answers"][quiz["id"]] == said[log["values"][quiz["id"]]]
    metrics = log["metrics"]
    assert (metrics[LISTENERS], metrics["whether"]) == (pytest.approx(1 / 3), 1.0)
    assert metrics["unparsed"] == pytest.approx(3 / 18)
    assert metrics["chance"] == pytest.approx((0.5 + 1 / 1023) / 2)
    assert 1 / 3 < metrics["jaccard"] < 2 / 3


# -- lm-evaluation-harness ---


def test_lm_eval_runs_the_tasks_and_compares_the_letters(
    dataset: Path, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    exported = export_dataset(dataset, "lm-eval", tmp_path / "out")
    tasks = exported.use[exported.use.index("--tasks") :]
    command = ["--model", "dummy", *tasks, "--limit", "5", "--log_samples", "--output_path", "results"]
    run_tool([str(BIN / "lm_eval"), *command], tmp_path, offline(tmp_path))
    (results,) = (tmp_path / "results").rglob("results_*.json")
    found = json.loads(results.read_text(encoding="utf-8"))
    types = {question["type"] for question in questions}
    assert set(found["group_subtasks"]["dtom_dataset"]) == {f"dtom_dataset_{kind}" for kind in types}
    assert 0 <= found["results"]["dtom_dataset"]["acc,none"] <= 1
    by_id = {question["id"]: question for question in questions}
    seen = [sample for path in (tmp_path / "results").rglob("samples_*.jsonl") for sample in lines(path)]
    assert len(seen) == 5 * len(types)
    for sample in seen:
        question, calls = by_id[sample["doc"]["id"]], [*sample["arguments"].values()]
        assert [call["arg_1"] for call in calls] == [" A", " B", " C", " D"]
        assert all(call["arg_0"] == f"{sample['doc']['query']} Answer:" for call in calls)
        likeliest = max(range(4), key=lambda place: float(sample["filtered_resps"][place][0]))
        assert sample["acc"] == float("ABCD"[likeliest] == question["answer"])


def test_lm_eval_reads_sets_and_compares_as_many_letters_as_there_are(toy: Path, tmp_path: Path) -> None:
    exported = write_export(ToySuite(), toy, "lm-eval", tmp_path / "out")
    tasks = exported.use[exported.use.index("--tasks") :]
    command = ["--model", "dummy", *tasks, "--log_samples", "--output_path", "results"]
    run_tool([str(BIN / "lm_eval"), *command], tmp_path, offline(tmp_path))
    samples = [sample for path in (tmp_path / "results").rglob("samples_*.jsonl") for sample in lines(path)]
    offered = {sample["doc"]["id"]: [call["arg_1"] for call in sample["arguments"].values()] for sample in samples}
    for quiz in lines(toy / "quiz.jsonl"):
        assert quiz["kind"] == LISTENERS or offered[quiz["id"]] == [" A", " B"]
    assert len(samples) == 18
    (results,) = (tmp_path / "results").rglob("results_*.json")
    found = json.loads(results.read_text(encoding="utf-8"))["results"]
    accuracies = [found[name]["acc,none"] for name in ("toy_toy_listeners_any", "toy_toy_whether")]
    assert found["toy_toy"]["acc,none"] == pytest.approx(sum(accuracies) / 2)


def test_lm_eval_scores_sets_of_a_servers_replies(toy: Path, tmp_path: Path) -> None:
    write_export(ToySuite(), toy, "lm-eval", tmp_path / "out")
    with Loopback(toy_examinee(toy)) as server:
        model = f"model=examinee,base_url={server.base_url}/chat/completions,num_concurrent=1"
        command = ["--model", "local-chat-completions", "--model_args", model, "--apply_chat_template"]
        task = ["--tasks", "toy_toy_listeners_any", "--include_path", str(tmp_path / "out"), "--output_path", "results"]
        run_tool([str(BIN / "lm_eval"), *command, *task], tmp_path, offline(tmp_path, OPENAI_API_KEY="none"))
    (results,) = (tmp_path / "results").rglob("results_*.json")
    found = json.loads(results.read_text(encoding="utf-8"))["results"]["toy_toy_listeners_any"]
    assert (found["acc,none"], found["unparsed,none"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))


# -- Hugging Face ---


def test_datasets_loads_the_exported_folder(dataset: Path, questions: list[dict[str, Any]], tmp_path: Path) -> None:
    export_dataset(dataset, "huggingface", tmp_path / "out")
    found = loaded(tmp_path / "out", tmp_path)
    prompts = [row.pop("prompt") for row in found["rows"]["questions"]]
    for name, written in {"questions": questions, "dialogues": lines(dataset / "dialogues.jsonl")}.items():
        assert [as_lines(row, line) for row, line in zip(found["rows"][name], written, strict=True)] == written
    assert all(question["question"] in prompt for question, prompt in zip(questions, prompts, strict=True))
    assert found["default"] == len(questions)
    assert found["configs"] == ["questions", "dialogues"]
    assert "theory-of-mind" in found["tags"]


def test_datasets_loads_an_export_of_sets(toy: Path, tmp_path: Path) -> None:
    write_export(ToySuite(), toy, "huggingface", tmp_path / "out")
    found = loaded(tmp_path / "out", tmp_path)
    assert found["configs"] == ["quiz", "scenes"]
    assert found["rows"]["scenes"] == lines(toy / "scenes.jsonl")
    for row, quiz in zip(found["rows"]["quiz"], lines(toy / "quiz.jsonl"), strict=True):
        assert (row["choices"], row["right"]) == (quiz["choices"], quiz["right"])
        assert {name: count for name, count in row["told"].items() if count is not None} == quiz["told"]


def test_datasets_loads_the_dataset_folder_itself(
    dataset: Path, questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    found = loaded(dataset, tmp_path)
    assert [row["id"] for row in found["rows"]["questions"]] == [question["id"] for question in questions]
    assert len(found["rows"]["dialogues"]) == 8


def test_the_command_that_the_export_names_pushes_it_to_the_hub(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported = export_dataset(dataset, "huggingface", out)
    command = [part.replace("OWNER/NAME", "owner/name") for part in exported.use]
    with FakeHub() as hub:
        environment = offline(tmp_path, HF_ENDPOINT=hub.url, HF_HUB_OFFLINE="0", **{"HF_TOKEN": "none"})
        run_tool([str(BIN / command[0]), *command[1:]], tmp_path, environment)
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert hub.created == [("dataset", "owner/name")]
    assert hub.committed == files
    assert hub.validated == [files["README.md"].decode()]
