"""Results as tables."""

from __future__ import annotations

import csv
import subprocess
import sys
from dataclasses import replace

import pytest
from made_questions import ASKED, a_question, about_an_update, an_answer, measured, sum_of

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.cli.metrics_table import show_metrics
from dtomtrack.errors import DatasetError
from dtomtrack.evaluation.accuracy_table import accuracy_table, as_csv
from dtomtrack.evaluation.metrics import metrics
from dtomtrack.evaluation.records import Answer, Metrics
from dtomtrack.evaluation.tables import (
    ANSWER_COLUMNS,
    COLUMNS,
    answers_to_arrow,
    answers_to_frame,
    to_arrow,
    to_frame,
)
from dtomtrack.items.item import Item
from dtomtrack.suites.dtom.items import item_of
from dtomtrack.suites.items.suite import SUITE

QUESTIONS = [*(one for dialogue in range(12) for one in about_an_update(dialogue)), a_question(number=99, turn=None)]
ITEMS = [item_of(one) for one in QUESTIONS]
ANSWERS = [an_answer(one, ["A", "B", "C", "unparsed", "error"][number % 5]) for number, one in enumerate(QUESTIONS)]


@pytest.fixture(scope="module")
def results() -> dict[str, Metrics]:
    config = ASKED.model_copy(update={"subject": "baseline/first-letter", "permutations": 2, "prompt": "cot"})
    rotated = [an_answer(one, "A", rotation) for one in QUESTIONS for rotation in (0, 1)]
    return {"model": sum_of(QUESTIONS, ANSWERS), "first.x2": sum_of(QUESTIONS, rotated, config)}


def test_every_number_has_a_row(results: dict[str, Metrics]) -> None:
    frame = to_frame(results)
    assert list(frame.columns) == list(COLUMNS)
    one = frame[frame.subject == "some/model"].set_index(["by", "name"])
    assert one.index.is_unique
    assert list(one.loc["overall"].index) == ["micro", "macro", *(one.name for one in results["model"].further)]
    assert one.loc[("overall", "micro"), "value"] == results["model"].micro.accuracy.value
    assert one.loc[("overall", "gap"), "p_value"] == measured(results["model"], "gap").p_value
    assert one.loc[("overall", "intrusion"), "count"] == measured(results["model"], "intrusion").count
    reference = measured(results["model"], "trajectory").reference
    assert reference is not None
    assert one.loc[("overall", "trajectory"), "chance"] == reference.value
    for by, groups in results["model"].groups.items():
        assert [(row.name[1], row["items"], row["value"]) for _, row in one.loc[[by]].iterrows()] == [
            (group.name, group.items, group.accuracy.value) for group in groups
        ]
    assert list(frame.evaluation.unique()) == ["model", "first.x2"]
    other = frame[(frame.subject == "baseline/first-letter") & (frame.name == "balanced")]
    assert list(other.value) == [1.0]
    assert set(other.prompt) == {"cot"}


def test_arrow_and_pandas_say_the_same(results: dict[str, Metrics]) -> None:
    table = to_arrow(results)
    frame = to_frame(results)
    assert table.num_rows == len(frame)
    for name in COLUMNS:
        assert table.column(name).to_pylist() == [
            None if missing else value for value, missing in zip(frame[name], frame[name].isna(), strict=True)
        ]


def test_no_results_make_an_empty_table() -> None:
    assert len(to_frame({})) == to_arrow({}).num_rows == 0
    assert to_arrow({}).column_names == list(COLUMNS)


def test_an_answer_stands_beside_its_question() -> None:
    frame = answers_to_frame(ITEMS, ANSWERS, "some/model")
    assert list(frame.columns)[: len(ANSWER_COLUMNS)] == list(ANSWER_COLUMNS)
    assert {"type", "lag", "topic"} <= set(frame.columns)
    assert list(frame.outcome[:5]) == ["correct", "wrong", "wrong", "unparsed", "error"]
    first = frame.iloc[0]
    assert (first.subject, first.type, first.role, first.gold, first.gold_text, first.lag, first.correct) == (
        "some/model",
        QuestionType.PRE_UPDATE.value,
        "gold",
        "A",
        "Option A",
        "4-5",
        True,
    )
    assert list(frame.correct.isna()[:5]) == [False, False, False, False, True]
    assert frame.groupby("type").correct.mean().to_dict().keys() == {
        "pre_update",
        "post_update",
        "update_detection",
        "temporal",
    }
    table = answers_to_arrow(ITEMS, ANSWERS, "some/model")
    assert table.column_names == list(frame.columns)
    assert table.column("turn").to_pylist()[-1] is None
    assert table.column("role").to_pylist()[:5] == ["gold", "pre_value", "never_said", None, None]


def test_a_grouping_that_is_called_as_a_column_has_one_of_its_own() -> None:
    clashing = {"role": "buyer", "turn": "late", "group_turn": "x", "mood": "calm"}
    items = [replace(item, groups=clashing) for item in ITEMS]
    frame = answers_to_frame(items, ANSWERS, "some/model")
    usual = answers_to_frame(ITEMS, ANSWERS, "some/model")
    assert list(frame.columns) == [*ANSWER_COLUMNS, "group_role", "group_turn", "group_group_turn", "mood"]
    assert [set(frame[name]) for name in ("group_role", "group_turn", "group_group_turn", "mood")] == [
        {"buyer"},
        {"late"},
        {"x"},
        {"calm"},
    ]
    assert frame[[*ANSWER_COLUMNS]].equals(usual[[*ANSWER_COLUMNS]])


def test_an_answer_without_its_question_is_refused() -> None:
    with pytest.raises(DatasetError, match="not among the questions"):
        answers_to_frame(ITEMS[1:], ANSWERS)


@pytest.mark.parametrize(
    ("package", "call", "extra"), [("pandas", "to_frame", "evaluate"), ("pyarrow", "to_arrow", "parquet")]
)
def test_a_missing_library_is_one_sentence(package: str, call: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from dtomtrack.errors import InputError\n"
        f"from dtomtrack.evaluation.tables import {call}\n"
        f"try:\n    {call}([])\nexcept InputError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f" table needs an extra: pip install 'dtomtrack[{extra}]'\n")


def test_chance_of_the_mean_of_the_types_is_the_mean_of_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    options = {"yes or no": ("yes", "no"), "ten": tuple("abcdefghij")}
    items = [
        Item(f"{name} {number}", f"{number}", "?", options[name], frozenset((0,)), groups={"type": name})
        for name, count in (("yes or no", 90), ("ten", 10))
        for number in range(count)
    ]
    answers = [Answer(question_id=one.id, dialogue_id=one.cluster, answer="A", outcome="correct") for one in items]
    found = metrics(SUITE, ASKED, items, answers)
    frame = to_frame({"model": found}).set_index(["by", "name"])
    assert frame.loc[("overall", "micro"), "chance"] == pytest.approx(0.46)
    assert frame.loc[("overall", "macro"), "chance"] == pytest.approx(0.3)
    rows = list(csv.DictReader(as_csv(accuracy_table({"a": found})).splitlines()))
    assert [row["chance"] for row in rows] == ["0.1", "0.5", "0.46", "0.3"]
    show_metrics(found)
    (mean,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("mean of the types")]
    assert mean.split()[-1] == "30.0%"
