"""Comparing the evaluations of a dataset, in the library and on the command line."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import commands
import pytest
from examinee import write_slots

from dtomtrack import compare, evaluate
from dtomtrack.errors import DatasetError
from dtomtrack.suites.dtom.slot_result import SlotResult

Slots = dict[str, list[SlotResult]]
BASELINES = ("baseline/overlap", "baseline/oracle", "baseline/random")


@pytest.fixture
def data(tmp_path: Path, slots: Slots) -> Path:
    """Ten dialogues and three evaluations."""
    folder = write_slots(tmp_path / "data", slots["travel"][:10])
    evaluate(folder, BASELINES)
    return folder


def run(*arguments: str) -> CompletedProcess[str]:
    return commands.run("compare", *arguments, env={"COLUMNS": "100"})


def test_all_finished_evaluations_are_compared(data: Path) -> None:
    found = compare(data)
    assert found.subjects == ("baseline_oracle", "baseline_overlap", "baseline_random")
    assert [(pair.one, pair.other) for pair in found.pairs] == [
        ("baseline_oracle", "baseline_overlap"),
        ("baseline_oracle", "baseline_random"),
        ("baseline_overlap", "baseline_random"),
    ]
    for pair in found.pairs:
        assert pair.compared.left_out == 0
        assert pair.holm is not None
        assert pair.holm >= (pair.compared.overall.p_value or 0.0)
    assert found.pairs[0].compared.overall.one == 1.0


def test_who_reads_the_records_is_told_from_rivals(data: Path) -> None:
    assert compare(data).references == ("baseline_oracle",)
    named = run(str(data)).stdout.splitlines()[:3]
    assert named == [" 1  baseline_oracle (reads the records)", " 2  baseline_overlap", " 3  baseline_random"]


def test_two_of_them_by_either_name(data: Path) -> None:
    found = compare(data, ["baseline/random", "baseline_oracle"])
    assert found.subjects == ("baseline_random", "baseline_oracle")
    (pair,) = found.pairs
    assert pair.holm == pair.compared.overall.p_value


def test_items_that_one_did_not_answer_are_left_out(data: Path) -> None:
    evaluate(data, "baseline/longest", limit=4)
    (pair,) = compare(data, ["baseline/longest", "baseline/random"]).pairs
    assert pair.compared.overall.dialogues == 4
    assert pair.compared.left_out > 0


def stop(evaluation: Path, answers: int) -> None:
    """Leave an evaluation as one that was killed after so many answers, in the middle of the next."""
    (evaluation / "metrics.json").unlink()
    lines = (evaluation / "answers.jsonl").read_bytes().splitlines(keepends=True)
    torn = lines[answers][:20] if answers else b""
    (evaluation / "answers.jsonl").write_bytes(b"".join(lines[:answers]) + torn)


def test_a_stopped_evaluation_is_compared_as_far_as_it_got(data: Path) -> None:
    stop(data / "eval" / "baseline_random", 20)
    found = compare(data, ["baseline/random", "baseline/oracle"])
    assert found.stopped == ("baseline_random",)
    assert found.pairs[0].compared.overall.items == 20
    done = run(str(data))
    assert done.returncode == 0
    assert done.stderr.startswith("dtomtrack: baseline_random was stopped: the items that it answered so far are")


def test_an_evaluation_without_answers_is_none(data: Path) -> None:
    for name in ("baseline_random", "baseline_overlap"):
        stop(data / "eval" / name, 0)
    with pytest.raises(DatasetError, match="comparing takes two evaluations with answers"):
        compare(data)


def test_evaluations_that_are_not_there_or_of_other_questions_are_told(data: Path, slots: Slots) -> None:
    with pytest.raises(DatasetError, match="no evaluation of 'baseline/magic'"):
        compare(data, ["baseline/magic", "baseline/random"])
    write_slots(data, slots["travel"][:9])
    with pytest.raises(DatasetError, match="answers to other questions"):
        compare(data)


def test_the_command_line_shows_a_row_a_pair(data: Path) -> None:
    done = run(str(data))
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("1  baseline_oracle", "2  baseline_overlap", "1 - 2", "2 - 3", "points [", "p < 0.001"):
        assert word in done.stdout


def test_the_command_line_says_what_is_missing(data: Path) -> None:
    done = run(str(data), "--subject", "baseline/random")
    assert done.returncode == 2
    assert "comparing takes two evaluations with answers" in done.stderr
