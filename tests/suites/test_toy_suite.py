"""A suite is added by adding files: ten options, several right, groups, a measure and a figure of its own.

What it brings is in ``tests/toy_suite``; nothing in dtomtrack knows of it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from loopback import Loopback
from toy_suite.dataset import write_toy
from toy_suite.examinee import toy_examinee
from toy_suite.reader import LISTENERS
from toy_suite.records import QUIZ, SCENES, Quiz
from toy_suite.suite import ToySuite

from dtomtrack.auditing import audit_benchmark
from dtomtrack.errors import InputError
from dtomtrack.evaluation.records import Answer
from dtomtrack.export.exporting import FORMATS, ExportFormat
from dtomtrack.library import compare, evaluate, export_dataset, make_report, rescore
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.registry import register, suite_names, suite_of
from dtomtrack.suites.schemas import json_schemas

SCENES_MADE = 12
EVERY_RULE = ("random", "first-letter", "longest", "frequent-gold", "first-mention", "overlap", "last-letter")


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    if "toy" not in suite_names():
        register("toy", ToySuite)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twelve scenes with two questions each."""
    return write_toy(tmp_path / "evenings", SCENES_MADE)


def examined(data: Path, **options: int) -> Path:
    """The folder of the evaluation of a model that answers with sets."""
    with Loopback(toy_examinee(data)) as server:
        evaluate(data, "vllm/examinee", base_url=server.base_url, **options)  # type: ignore[arg-type]
    (folder,) = (data / "eval").iterdir()
    return folder


def test_a_folder_is_known_by_its_manifest(data: Path) -> None:
    assert isinstance(suite_of(data), ToySuite)
    with pytest.raises(InputError, match="there is a suite 'toy' already"):
        register("toy", ToySuite)


def test_rules_answer_its_items(data: Path) -> None:
    found = evaluate(data, [f"baseline/{name}" for name in EVERY_RULE])
    for metrics in found:
        assert metrics.suite == "toy"
        assert metrics.outcomes["correct"] + metrics.outcomes["wrong"] == 2 * SCENES_MADE
        by_type = {group.name: group for group in metrics.groups["type"]}
        assert by_type[LISTENERS].chance == pytest.approx(1 / (2**10 - 1), abs=1e-6)
        assert by_type["whether"].chance == 0.5
        assert [group.name for group in metrics.groups["room"]] == ["attic", "kitchen"]


def test_a_model_answers_with_sets(data: Path) -> None:
    folder = examined(data)
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["outcomes"] == {"correct": 16, "wrong": 4, "unparsed": 4, "error": 0}
    accuracy = {group["name"]: group["accuracy"]["value"] for group in metrics["groups"]["type"]}
    assert accuracy == {LISTENERS: pytest.approx(1 / 3, abs=1e-3), "whether": 1.0}
    further = {one["name"]: one["estimate"]["value"] for one in metrics["further"]}
    assert 0 < further["left_out"] < 0.5
    assert 0.3 < further["jaccard"] < 2 / 3


def test_letters_are_shown_in_every_rotation_and_meant_in_none(data: Path) -> None:
    folder = examined(data, permutations=3)
    answers = list(read_lines(folder / "answers.jsonl", Answer))
    quizzes = {quiz.id: quiz for quiz in read_lines(data / QUIZ, Quiz)}
    # of ten options three rotations, of two options both that there are
    assert len(answers) == SCENES_MADE * (3 + 2)
    for answer in answers:
        if answer.outcome == "correct":
            assert answer.answer is not None
            assert [ord(letter) - ord("A") for letter in answer.answer] == list(quizzes[answer.question_id].right)


def test_replies_that_are_read_again_give_the_same_bytes(data: Path) -> None:
    folder = examined(data)
    before = {name: (folder / name).read_bytes() for name in ("answers.jsonl", "metrics.json")}
    (found,) = rescore(data)
    assert (found.answers, found.changed) == (2 * SCENES_MADE, 0)
    assert before == {name: (folder / name).read_bytes() for name in before}


def test_it_is_audited(tmp_path: Path) -> None:
    found = audit_benchmark(write_toy(tmp_path / "many", scenes=40))
    assert (found.items, found.clusters, found.selects) == (80, 40, "any, of 40 items")
    assert not found.problems
    rows = {(row.rule, row.group): row for row in found.rows}
    assert {group for _, group in rows} == {"all", LISTENERS, "whether"}
    listeners, whether = rows["always the same set", LISTENERS], rows["always B", "whether"]
    assert listeners.chance == pytest.approx(1 / (2**10 - 1), abs=1e-6)
    assert listeners.jaccard is not None
    assert (whether.chance, whether.jaccard) == (0.5, None)


def test_its_evaluations_are_compared(data: Path) -> None:
    examined(data)
    evaluate(data, "baseline/first-letter")
    compared = compare(data)
    assert len(compared.pairs) == 1


def test_its_report_has_its_groups_its_measure_and_its_figure(data: Path) -> None:
    examined(data)
    evaluate(data, "baseline/last-letter")
    written = make_report(data)
    page = written.page.read_text(encoding="utf-8")
    assert (len(written.subjects), written.dialogues) == (2, SCENES_MADE)
    assert "left-out" in {path.stem for path in written.figures}
    assert "always the same set" in page
    for text in ("Whispers", "Who was told", "Whether one was told", "Listeners left out", "Evenings", "attic"):
        assert text in page


@pytest.mark.parametrize("to", FORMATS)
def test_it_is_exported_to_everything(data: Path, to: ExportFormat) -> None:
    exported = export_dataset(data, to)
    assert any(exported.path.iterdir())
    if to == "parquet":
        rows = {name: pq.read_table(exported.path / f"{name}.parquet").num_rows for name in ("quiz", "scenes")}
        assert rows == {"quiz": 2 * SCENES_MADE, "scenes": SCENES_MADE}


def test_its_files_have_schemas(data: Path) -> None:
    schemas = json_schemas(suite_of(data))
    assert {"quiz.schema.json", "scenes.schema.json", "manifest.schema.json", "answers.schema.json"} <= schemas.keys()
    assert "seed" in schemas["manifest.schema.json"]["$defs"]["ToyConfig"]["properties"]
    assert {f"{Path(name).stem}.schema.json" for name in (SCENES, QUIZ)} <= schemas.keys()
