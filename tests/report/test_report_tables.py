"""The tables of a report, and the answers in its browser."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from planted_subjects import Planted, plant
from report_pages import cells, columns_of, dialogues_of, overview_of, page_of, questions_of, whole_cells

from dtomtrack.library import make_report

pytestmark = pytest.mark.usefixtures("undrawn")


def test_the_best_and_second_best_models_are_marked(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "ranked"))
    skills = {"openai/best": 1.0, "openai/middle": 0.6, "openai/worst": 0.0, "baseline/oracle": 1.0}
    plant(dataset, [Planted(name, skill) for name, skill in skills.items()])
    make_report(dataset, audit=False)
    page = page_of(dataset)
    best, middle, worst, oracle = cells(page, "Overall")
    assert (best, worst, oracle) == ("*100.0", "0.0", "100.0")
    assert middle.startswith("_")


def test_a_rule_that_reads_the_records_is_not_the_best_baseline(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "told"))
    skills = {"baseline/recency": 0.6, "baseline/random": 0.2, "baseline/actual": 1.0}
    plant(dataset, [Planted(name, skill) for name, skill in skills.items()])
    make_report(dataset, audit=False)
    page = page_of(dataset)
    assert [one[0] for one in cells(page, "Overall")] == ["*", "_", "1"]
    assert "of the baselines, baseline/recency answers" in page.source
    assert "actual <small>reads the records</small>" in page.source
    assert "recency <small>" not in page.source


def test_where_nobody_else_has_answered_who_reads_the_records_is_called_no_baseline(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "alone"))
    plant(dataset, [Planted("baseline/actual", 0.8)])
    make_report(dataset, audit=False)
    assert "Nobody has answered but who reads the records: baseline/actual answers" in page_of(dataset).source


def test_equal_figures_share_a_mark(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "equal"))
    plant(dataset, [Planted("openai/a", 1.0), Planted("openai/b", 1.0), Planted("openai/c", 0.0)])
    make_report(dataset, audit=False)
    assert cells(page_of(dataset), "Temporal") == ["*100.0", "*100.0", "_0.0"]


def test_columns_stand_in_the_order_of_the_papers_table(answered: Path) -> None:
    paper = ["Temporal", "Update detection", "Post-update", "False belief", "Second-order", "Pre-update"]
    assert columns_of(page_of(answered), "Accuracy") == ["Subject", "Overall", "Mean of types", *paper]


def test_the_unread_share_stands_beside_the_accuracy(answered: Path) -> None:
    assert re.search(r"[1-9]\d?\.\d % unread", whole_cells(page_of(answered), "Overall")[3])


def test_every_answer_is_in_the_browser(answered: Path) -> None:
    page = page_of(answered)
    questions = (answered / "questions.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    golds = {question["id"]: question["answer"] for question in map(json.loads, questions)}
    subjects = overview_of(page)["subjects"]
    shown = questions_of(page)
    assert {question["id"]: question["gold"] for question in shown} == golds
    place = [subject["label"] for subject in subjects].index("baseline/recency")
    answers = (answered / "eval" / "baseline_recency" / "answers.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    given = {answer["question_id"]: answer["answer"] for answer in map(json.loads, answers)}
    assert {question["id"]: question["answers"][place] for question in shown} == given


def test_rotations_of_a_question_stand_together(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "rotated"))
    plant(dataset, [Planted("openai/sure", 1.0, permutations=4)])
    make_report(dataset, audit=False)
    page = page_of(dataset)
    shown = questions_of(page)
    assert all(question["answers"] == [" ".join(question["gold"] * 4)] for question in shown)
    assert "Right under all rotations" in page.source


def test_subjects_of_the_same_name_are_told_apart(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "namesakes"))
    long = "a-model-whose-name-is-much-too-long-for-a-figure"
    plant(dataset, [Planted(f"{maker}/{long}", 0.5) for maker in ("openai", "vllm", "vllm/other")])
    make_report(dataset, audit=False)
    subjects = overview_of(page_of(dataset))["subjects"]
    assert len({subject["label"] for subject in subjects}) == 3
    assert len({subject["short"] for subject in subjects}) == 3
    assert all(len(subject["short"]) < 35 for subject in subjects)


def test_figures_come_from_the_answers_whatever_is_stored(made: Path, tmp_path: Path) -> None:
    dataset = Path(shutil.copytree(made, tmp_path / "edited"))
    plant(dataset, [Planted("openai/sure", 1.0)])
    path = dataset / "eval" / "openai_sure" / "metrics.json"
    stored = json.loads(path.read_bytes())
    # as version 0.2 wrote it, and with a figure that nobody measured
    path.write_text(json.dumps({key: stored[key] for key in ("config", "calls", "tokens", "cost")} | {"gap": 0.99}))
    make_report(dataset, audit=False)
    assert cells(page_of(dataset), "Overall") == ["100.0"]


def test_differences_stand_in_a_matrix(answered: Path) -> None:
    table = re.search(r'<table class="differences">(.*?)</table>', page_of(answered).source, re.DOTALL)
    assert table
    rows = re.findall(r'<th scope="row">', table.group(1))
    assert len(rows) == 6
    assert len(re.findall(r"<td", table.group(1))) == 36


def test_every_grouping_has_a_table_of_its_own(answered: Path) -> None:
    text = page_of(answered).source
    for label in ("mental state", "marker", "trigger", "updates", "changes", "lag", "order"):
        assert f"<summary>By {label}</summary>" in text


def test_a_dialogue_is_shown_with_its_inner_speech_records_and_changes(answered: Path) -> None:
    page = page_of(answered)
    dialogues = [json.loads(line) for line in (answered / "dialogues.jsonl").read_text("utf-8").split("\n")[:-1]]
    for told, shown in zip(dialogues, dialogues_of(page), strict=True):
        lines = shown["lines"]
        assert [(line["speaker"], line["text"]) for line in lines] == [
            (turn["speaker"], turn["utterance"]) for turn in told["turns"]
        ]
        thoughts = [[thought["text"] for thought in turn["inner_speech"]] for turn in told["turns"]]
        assert [[aside["text"] for aside in line["asides"]] for line in lines] == thoughts
        changes = {update["turn"] for update in told["scenario"]["updates"]}
        assert {number for number, line in enumerate(lines) if line["note"]} == changes
        spans = [span["text"] for track in shown["tracks"] for span in track["spans"]]
        assert sorted(spans) == sorted(belief["content"] for belief in told["beliefs"])
