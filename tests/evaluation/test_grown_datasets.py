"""A dataset that grows after it was evaluated."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from examinee import MODEL, files_of, prompt_of, write_slots
from loopback import Answer as Reply
from loopback import Loopback, Request, completion

from dtomtrack.errors import DatasetError
from dtomtrack.library import compare, evaluate, rescore
from dtomtrack.report.evaluations import read_evaluations
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

Slots = dict[str, list[SlotResult]]


def replying(request: Request) -> Reply:
    """Different letters for different prompts."""
    return completion(Random(prompt_of(request)).choice("ABCD"))


@pytest.fixture
def data(tmp_path: Path, slots: Slots) -> Path:
    """Eight dialogues."""
    return write_slots(tmp_path / "data", slots["medical"][:8])


def seeds(server: Loopback) -> list[int]:
    return [int(request["seed"]) for request in server.requests]


@pytest.mark.parametrize("options", [{}, {"permutations": 2}, {"limit": 9}, {"types": ["pre_update"]}])
def test_of_a_dataset_that_grew_the_new_questions_alone_are_asked(
    data: Path, slots: Slots, options: dict[str, Any]
) -> None:
    more = write_slots(data.with_name("more"), slots["medical"][:11])
    with Loopback(replying) as server:
        (whole,) = evaluate(more, MODEL, base_url=server.base_url, **options)
        wanted, before = sorted(seeds(server)), server.count
        evaluate(data, MODEL, base_url=server.base_url, **options)
        assert before < server.count < 2 * before
        write_slots(data, slots["medical"][:11])
        with pytest.raises(DatasetError, match="had before it was enlarged; give the same evaluate command again"):
            rescore(data)
        (found,) = evaluate(data, MODEL, base_url=server.base_url, **options)
        assert sorted(seeds(server)[before:]) == wanted
        evaluate(data, MODEL, base_url=server.base_url, **options)
        assert server.count == 2 * before
    assert found == whole
    ours, theirs = ([files_of(one) for one in (folder / "eval").iterdir()] for folder in (data, more))
    assert ours == theirs


def test_baselines_answer_a_dataset_that_grew_anew(data: Path, slots: Slots) -> None:
    more = write_slots(data.with_name("more"), slots["medical"][:11])
    for subject in ("baseline/frequent-gold", "baseline/random"):
        evaluate(data, subject)
    write_slots(data, slots["medical"][:11])
    for subject in ("baseline/frequent-gold", "baseline/random"):
        assert evaluate(data, subject) == evaluate(more, subject)
        name = subject.replace("/", "_")
        assert files_of(data / "eval" / name) == files_of(more / "eval" / name)


@pytest.mark.parametrize(
    ("before", "now"), [({"shots": 2}, {"shots": 2}), ({"sample": 4}, {"sample": 4}), ({}, {"limit": 5})]
)
def test_what_of_the_first_dialogues_may_be_asked_otherwise_is_no_beginning(
    data: Path, slots: Slots, before: dict[str, int], now: dict[str, int]
) -> None:
    with Loopback(replying) as server:
        evaluate(data, MODEL, base_url=server.base_url, **before)  # type: ignore[arg-type]
        (folder,) = (data / "eval").iterdir()
        there, asked = files_of(folder), server.count
        write_slots(data, slots["medical"][:11])
        with pytest.raises(DatasetError, match=r"answers to other questions: .* enlarged"):
            evaluate(data, MODEL, base_url=server.base_url, **now)  # type: ignore[arg-type]
        assert server.count == asked
    assert files_of(folder) == there


def test_all_that_have_fallen_behind_are_named_at_once(data: Path, slots: Slots) -> None:
    for subject in ("baseline/recency", "baseline/overlap"):
        evaluate(data, subject)
    evaluate(data, "baseline/longest", sample=4)
    drawn, *others = sorted((data / "eval").iterdir())
    write_slots(data, slots["medical"][:11])
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file() and path.name != ".lock"}
    for command in (rescore, compare, partial(read_evaluations, SUITE)):
        with pytest.raises(DatasetError) as told:
            command(data)
        assert f"{drawn}: holds answers to other questions: " in str(told.value)
        assert f"{others[0]}, {others[1]}: hold answers to the questions that the dataset had bef" in str(told.value)
    assert {path: path.read_bytes() for path in before} == before


def test_what_the_error_says_asks_for_new_replies_alone(data: Path, slots: Slots, tmp_path: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, MODEL, base_url=server.base_url, sample=4)
        before = server.count
        write_slots(data, slots["medical"][:11])
        with pytest.raises(DatasetError, match=r"Move config\.json, answers\.jsonl and metrics\.json out of there"):
            evaluate(data, MODEL, base_url=server.base_url, sample=4)
        (folder,) = (data / "eval").iterdir()
        for name in ("config.json", "answers.jsonl", "metrics.json"):
            (folder / name).rename(tmp_path / name)
        (found,) = evaluate(data, MODEL, base_url=server.base_url, sample=9)
        assert before < found.answers <= server.count
        assert len(set(seeds(server))) == server.count
