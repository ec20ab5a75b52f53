"""Rescoring: stored replies are read again, without a call."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from commands import run
from competent_reader import weighed
from examinee import MODEL, answers_in, files_of, prompt_of, write_slots
from loopback import Answer as Reply
from loopback import Loopback, Request, completion

from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.evaluate import run_evaluation
from dtomtrack.evaluation.records import Answer
from dtomtrack.evaluation.request import EvaluateOptions, request_evaluation
from dtomtrack.library import evaluate, rescore
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.runs.lines import to_lines
from dtomtrack.runs.locks import LOCK
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

Slots = dict[str, list[SlotResult]]
EXAMINEE = "vllm_examinee"
FORMS = ("{}", "The answer is {}.", "**{}**", '{{"answer": "{}"}}', "Let me think.\nAnswer: {}", "no idea", "")
ASKED: list[EvaluateOptions] = [
    {"permutations": 2},
    {"prompt": "cot"},
    {"mode": "json"},
    {"mode": "json", "prompt": "cot"},
]


def replying(request: Request) -> Reply:
    rng = Random(prompt_of(request))
    finish = rng.choice(["stop", "stop", "stop", "length", "content_filter"])
    return completion(rng.choice(FORMS).format(rng.choice("ABCD")), finish=finish)


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory, slots: Slots) -> Path:
    """Four dialogues, with evaluations of every kind."""
    folder = write_slots(tmp_path_factory.mktemp("evaluated") / "data", slots["travel"][:4])
    with Loopback(replying) as server:
        for options in ASKED:
            asked: EvaluateOptions = {**options, "base_url": server.base_url}
            request = request_evaluation(SUITE, folder, MODEL, **asked)
            # what is no JSON is asked for again, after pauses that double each time
            asyncio.run(run_evaluation(replace(request, client=ClientSettings(first_pause=0.001))))
    with Loopback(lambda _: weighed({"C": 0.6, "A": 0.4}, text="A")) as server:
        evaluate(folder, MODEL, base_url=server.base_url, mode="logprobs")
    evaluate(folder, ["baseline/recency", "baseline/random"])
    return folder


@pytest.fixture
def data(evaluated: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(evaluated, tmp_path / "data"))


def test_an_unchanged_parser_changes_no_byte(data: Path) -> None:
    folders = sorted((data / "eval").iterdir())
    assert len(folders) == 7
    before = {folder.name: files_of(folder) for folder in folders}
    outcomes = {answer.outcome for folder in folders for answer in answers_in(folder)}
    assert outcomes == {"correct", "wrong", "unparsed", "error"}
    found = rescore(data)
    assert {one.name: one.changed for one in found} == dict.fromkeys(before, 0)
    assert {folder.name: files_of(folder) for folder in folders} == before
    assert {path.name for path in data.rglob(".*")} <= {LOCK}


def test_an_evaluation_of_before_samples_and_sets_is_read_and_written_anew(data: Path) -> None:
    """Format 1: no samples in answers and configurations, other figures in metrics."""
    now = {folder: files_of(folder) for folder in sorted((data / "eval").iterdir())}
    for folder in now:
        as_before(folder)
    assert {one.changed for one in rescore(data)} == {0}
    for folder, files in now.items():
        assert json.loads((folder / "config.json").read_bytes()).keys() >= {"subject", "questions"}
        assert {name: (folder / name).read_bytes() for name in ("answers.jsonl", "metrics.json")} == {
            name: files[name] for name in ("answers.jsonl", "metrics.json")
        }


def as_before(folder: Path) -> None:
    """Write an evaluation as the first version did."""
    config = json.loads((folder / "config.json").read_bytes())
    del config["repeats"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").replace('"repeat":0,', "")
    (folder / "answers.jsonl").write_text(lines, encoding="utf-8")
    told = json.loads((folder / "metrics.json").read_bytes())
    older = {name: told[name] for name in ("questions", "answers", "outcomes", "calls", "tokens", "cost")}
    metrics = older | {"config": config, "gap": {"pairs": 3}, "intrusion": {"wrong": 2, "chance": 0.333333}}
    (folder / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")


def test_what_a_filter_kept_back_stays_an_error(tmp_path: Path, slots: Slots) -> None:
    folder = write_slots(tmp_path / "filtered", slots["travel"][:1])
    with Loopback(lambda _: completion("B", finish="content_filter")) as server:
        evaluate(folder, MODEL, base_url=server.base_url)
    before = files_of(folder / "eval" / EXAMINEE)
    (found,) = rescore(folder)
    assert found.changed == 0
    assert {(one.outcome, one.reply) for one in answers_in(folder / "eval" / EXAMINEE)} == {("error", "B")}
    assert files_of(folder / "eval" / EXAMINEE) == before


def misread(answers: list[Answer]) -> tuple[list[Answer], int]:
    """As an older parser may have read them: the first three that hold an answer as unparsed."""
    left, read = 3, []
    for answer in answers:
        if left and answer.answer is not None:
            left -= 1
            read.append(answer.model_copy(update={"shown": None, "answer": None, "outcome": "unparsed"}))
        else:
            read.append(answer)
    return read, 3 - left


def test_what_was_misread_is_read_rightly(data: Path) -> None:
    folder = data / "eval" / f"{EXAMINEE}.cot"
    before = files_of(folder)
    older, count = misread(answers_in(folder))
    (folder / "answers.jsonl").write_bytes(to_lines(older))
    (found,) = rescore(data, f"{EXAMINEE}.cot")
    assert (found.name, found.changed) == (folder.name, count)
    assert files_of(folder) == before


def test_what_was_answered_by_probabilities_stays(data: Path) -> None:
    (found,) = rescore(data, f"{EXAMINEE}.logprobs")
    assert found.changed == 0
    assert {answer.shown for answer in answers_in(data / "eval" / found.name)} == {"C"}


def test_a_subject_is_named_by_its_own_name_or_its_folder(data: Path) -> None:
    assert [one.name for one in rescore(data, "baseline/random")] == ["baseline_random"]
    assert [one.name for one in rescore(data, "baseline_random")] == ["baseline_random"]
    assert len(rescore(data, MODEL)) == 5
    with pytest.raises(DatasetError, match=r"no evaluation of 'vllm/other'"):
        rescore(data, "vllm/other")


def test_an_unfinished_evaluation_gets_no_file_of_metrics(data: Path) -> None:
    folder = data / "eval" / f"{EXAMINEE}.cot"
    answers = answers_in(folder)
    (folder / "answers.jsonl").write_bytes(to_lines(answers[:5]))
    (folder / "metrics.json").unlink()
    (found,) = rescore(data, folder.name)
    assert (found.answers, found.changed) == (5, 0)
    assert found.metrics is not None
    assert found.metrics.missing == len(answers) - 5
    assert not (folder / "metrics.json").exists()


def test_a_dataset_without_evaluations_is_told(tmp_path: Path, slots: Slots) -> None:
    data = write_slots(tmp_path / "bare", slots["travel"][:1])
    with pytest.raises(DatasetError, match="there is no evaluation; make one with dtomtrack evaluate"):
        rescore(data)


def test_answers_to_other_questions_are_not_rescored(data: Path, slots: Slots) -> None:
    before = files_of(data / "eval" / "baseline_random")
    write_slots(data, slots["travel"][1:5])
    with pytest.raises(DatasetError, match="answers to other questions"):
        rescore(data)
    assert files_of(data / "eval" / "baseline_random") == before


@pytest.mark.parametrize("name", ["answers.jsonl", "config.json", "metrics.json"])
def test_a_damaged_file_is_told(data: Path, name: str) -> None:
    path = data / "eval" / "baseline_recency" / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"', "'", 1), encoding="utf-8")
    with pytest.raises(DatasetError, match=name):
        rescore(data)
    assert {path.name for path in data.rglob(".*")} <= {LOCK}


def test_the_command_line_says_how_many_are_read_otherwise(data: Path) -> None:
    folder = data / "eval" / f"{EXAMINEE}.cot"
    older, count = misread(answers_in(folder))
    (folder / "answers.jsonl").write_bytes(to_lines(older))
    done = run("rescore", data, "--subject", folder.name)
    assert done.returncode == 0
    assert f"{folder.name}: {count} of {len(older)} answers are read otherwise than before" in done.stderr
    assert "pre_update" in done.stdout
    metrics = json.loads((folder / "metrics.json").read_bytes())
    assert metrics["answers"] == len(older)
