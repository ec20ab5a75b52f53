"""A folder as an object: records, items, answers and tables of any suite."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import dtomtrack
from dtomtrack import Dialogue, InputError, Question, evaluate, generate, load
from dtomtrack.errors import DatasetError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("loaded") / "out"
    generate("restaurant", n=4, out=out)
    evaluate(out, ["baseline/recency", "baseline/random"])
    evaluate(out, "baseline/random", permutations=2)
    return out


def test_what_is_in_the_files_is_in_the_dataset(folder: Path) -> None:
    dataset = load(folder)
    assert (dataset.suite.name, dataset.names) == ("dtom", ("dialogues", "questions"))
    assert all(isinstance(one, Question) for one in dataset.questions)
    assert all(isinstance(one, Dialogue) for one in dataset.dialogues)
    assert dataset.manifest is not None
    assert (len(dataset.dialogues), len(dataset.questions)) == (4, dataset.manifest.counts.questions)
    assert len(list(dataset.items)) == len(dataset.questions)


def test_evaluations_are_found_by_folder_and_by_subject(folder: Path) -> None:
    dataset = load(folder)
    assert len(dataset.subjects) == 3
    assert [one.question_id for one in dataset.answers("baseline/recency")] == [one.id for one in dataset.items]
    (permuted,) = {*dataset.subjects} - {"baseline_recency", "baseline_random"}
    assert len(dataset.answers(permuted)) == 2 * len(dataset.answers("baseline_random"))
    assert {one.config.subject for one in dataset.metrics} == {"baseline/recency", "baseline/random"}
    with pytest.raises(DatasetError, match=r"'baseline/random' was asked in several ways: .*; name one of these"):
        dataset.answers("baseline/random")
    with pytest.raises(DatasetError, match="there is no evaluation of 'gpt'"):
        dataset.answers("gpt")


def test_all_of_it_is_a_table(folder: Path) -> None:
    dataset = load(folder)
    for name, rows in {"questions": len(dataset.questions), "dialogues": 4, "metrics": None}.items():
        frame = dataset.to_frame(name)
        assert len(frame) == (rows or len(frame)) > 0
    assert {"id", "type", "options"} <= set(dataset.to_arrow().column_names)
    metrics = dataset.to_frame("metrics").set_index(["evaluation", "by", "name"])
    assert metrics.index.is_unique, "two ways to ask a subject are told apart"
    answers = dataset.to_frame("answers", "baseline/recency")
    assert set(answers["subject"]) == {"baseline/recency"}
    with pytest.raises(InputError, match="whose answers"):
        dataset.to_arrow("answers")
    with pytest.raises(InputError, match="has no 'turns'; there are dialogues, questions, metrics, answers"):
        dataset.to_arrow("turns")


def test_a_table_that_has_no_subject_takes_none(folder: Path) -> None:
    dataset = load(folder)
    for name in ("questions", "dialogues", "metrics"):
        for table in (dataset.to_frame, dataset.to_arrow):
            with pytest.raises(InputError, match=f"^{name} are not of one subject, such as 'baseline/recency': leave"):
                table(name, subject="baseline/recency")
    with pytest.raises(InputError, match="has no 'answer'; did you mean answers"):
        dataset.to_frame("answer", subject="baseline/recency")


def test_answers_join_metrics_by_their_subject_whatever_name_was_given(folder: Path) -> None:
    dataset = load(folder)
    asked = set(dataset.to_frame("metrics")["subject"])
    for name in dataset.subjects:
        assert set(dataset.to_frame("answers", name)["subject"]) <= asked == {"baseline/recency", "baseline/random"}


def test_of_a_stopped_evaluation_the_whole_answers_are_given(folder: Path, tmp_path: Path) -> None:
    stopped = Path(shutil.copytree(folder, tmp_path / "stopped"))
    answers = stopped / "eval" / "baseline_recency" / "answers.jsonl"
    (stopped / "eval" / "baseline_recency" / "metrics.json").unlink()
    lines = answers.read_bytes().splitlines(keepends=True)
    answers.write_bytes(b"".join(lines[:5]) + lines[5][:40])
    assert [one.question_id for one in load(stopped).answers("baseline_recency")] == [
        one.question_id for one in load(folder).answers("baseline_recency")[:5]
    ]
    assert len(load(stopped).to_arrow("answers", "baseline_recency")) == 5


def test_without_an_evaluation_there_are_no_subjects(folder: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(folder, tmp_path / "moved"))
    for evaluation in (moved / "eval").iterdir():
        shutil.rmtree(evaluation)
    assert (load(moved).subjects, load(moved).metrics) == ((), ())
    with pytest.raises(DatasetError, match="there is no evaluation; make one"):
        load(moved).answers("baseline/recency")


def test_a_dataset_that_grew_is_not_mixed_with_what_was_read_before(tmp_path: Path) -> None:
    generate("restaurant", n=2, out=tmp_path / "out")
    dataset = load(tmp_path / "out")
    read = dataset.questions
    generate("restaurant", n=4, out=tmp_path / "out")
    for ask in (lambda: dataset.dialogues, lambda: dataset.items, lambda: dataset.to_arrow("questions")):
        with pytest.raises(DatasetError, match="out: is not what it was when it was loaded; load it again"):
            ask()
    assert len(read) < len(load(tmp_path / "out").questions) == load(tmp_path / "out").to_arrow("questions").num_rows


def test_metrics_of_a_dataset_that_grew_or_was_edited_are_refused(folder: Path, tmp_path: Path) -> None:
    grown = Path(shutil.copytree(folder, tmp_path / "grown"))
    generate("restaurant", n=5, out=grown)
    with pytest.raises(DatasetError, match="had before it was enlarged"):
        _ = load(grown).metrics
    edited = Path(shutil.copytree(folder, tmp_path / "edited"))
    questions = edited / "questions.jsonl"
    questions.write_text(questions.read_text(encoding="utf-8").replace('"question":"', '"question":"So, '), "utf-8")
    with pytest.raises(DatasetError, match="answers to other questions"):
        load(edited).to_frame("metrics")


def test_a_table_of_hugging_face_needs_its_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match="pip install datasets"):
        load(folder).to_datasets()


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
def test_a_pandas_table_needs_two_extras(missing: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(InputError, match=r"a pandas table needs an extra: pip install 'dtomtrack\[evaluate,parquet\]'"):
        load(folder).to_frame()


def test_a_folder_that_is_no_dataset_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="holds no dataset"):
        load(tmp_path)


def test_the_version_is_told() -> None:
    assert dtomtrack.__version__ == dtomtrack.version.VERSION
