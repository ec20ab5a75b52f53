"""Damaged evaluations and datasets: what is wrong is said, and nothing that is there is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from loopback import Loopback, completion

from dtomtrack.api import generate
from dtomtrack.errors import DatasetError, InputError
from dtomtrack.library import compare, evaluate, make_report, rescore


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    generate("travel", n=4, out=folder)
    evaluate(folder, ["baseline/recency", "baseline/random"])
    return folder


@pytest.mark.parametrize("damage", [lambda whole: b"\x00\xff\xfe", lambda whole: whole[:5000]], ids=["other", "cut"])
def test_damaged_answers_of_a_finished_evaluation_are_not_overwritten(
    data: Path, damage: Callable[[bytes], bytes]
) -> None:
    folder = data / "eval" / "baseline_recency"
    answers, metrics = folder / "answers.jsonl", folder / "metrics.json"
    whole, summed = answers.read_bytes(), metrics.read_bytes()
    answers.write_bytes(damage(whole))
    for reads in (rescore, compare, make_report):
        with pytest.raises(
            DatasetError, match=r"answers\.jsonl: holds \d+ of the \d+ answers of a finished evaluation"
        ):
            reads(data)
    assert (answers.read_bytes(), metrics.read_bytes()) == (damage(whole), summed)
    evaluate(data, "baseline/recency")
    assert answers.read_bytes() == whole


def test_a_line_that_is_no_answer_is_named_with_what_to_do(data: Path) -> None:
    """Whoever reads the evaluation asks for this command, which has to say more than that."""
    answers = data / "eval" / "baseline_recency" / "answers.jsonl"
    number = answers.read_bytes().count(b"\n") + 1
    with answers.open("ab") as file:
        file.write(b"oops\n")
    with pytest.raises(
        DatasetError, match=rf"answers\.jsonl:{number}: .* or move .*baseline_recency away to ask again"
    ):
        evaluate(data, "baseline/recency")
    assert answers.read_bytes().endswith(b"oops\n")


def test_an_answer_edited_by_hand_is_found_before_more_are_paid_for(data: Path) -> None:
    with Loopback(lambda _: completion("B")) as server:
        evaluate(data, "openai/x", base_url=server.base_url)
        (answers,) = (data / "eval").glob("openai_x*/answers.jsonl")
        lines = answers.read_bytes().splitlines(keepends=True)
        edited = [one.replace(b'"outcome":"wrong"', b'"outcome":"correct"') for one in lines[: len(lines) // 2]]
        answers.write_bytes(b"".join(edited))
        (answers.parent / "metrics.json").unlink()
        (answers.parent / "journal.sqlite").unlink()
        before = server.count
        with pytest.raises(DatasetError, match="counts as correct, which does not go with the question's options"):
            evaluate(data, "openai/x", base_url=server.base_url)
        assert server.count == before
    assert answers.read_bytes() == b"".join(edited) != b"".join(lines[: len(lines) // 2])


def test_a_damaged_question_is_named_where_evaluations_are_of_the_whole_one(data: Path) -> None:
    path = data / "questions.jsonl"
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], b'{"half', *lines[3:]]))
    for reads in (rescore, compare, make_report, lambda folder: evaluate(folder, "baseline/recency")):
        with pytest.raises(DatasetError, match=r"questions\.jsonl:3"):
            reads(data)


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "gguf/nosuch.gguf", "langchain/foo"])
def test_a_subject_that_cannot_be_asked_leaves_no_folder(
    data: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError):
        evaluate(data, model)
    assert sorted(path.name for path in (data / "eval").iterdir()) == ["baseline_random", "baseline_recency"]
