"""Models whose names make one name of a folder: each has a folder, which all that reads evaluations finds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest
from commands import run
from examinee import answers_in, files_of, prompt_of
from loopback import Answer as Reply
from loopback import Loopback, Request, completion

from dtomtrack import generate
from dtomtrack.library import compare, evaluate, make_report, rescore
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage

NAMES = ("vllm/a/b", "vllm/a_b")


def replying(request: Request) -> Reply:
    """Other letters to each model."""
    return completion("ABCD"[Random(f"{request['model']} {prompt_of(request)}").randrange(4)])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two dialogues."""
    generate("medical", n=2, out=tmp_path / "data")
    return tmp_path / "data"


def folders(data: Path) -> dict[str, Path]:
    """The folders of evaluations, by subject."""
    return {json.loads((one / "config.json").read_bytes())["subject"]: one for one in (data / "eval").iterdir()}


def test_each_goes_on_in_its_own_whichever_is_named_first(data: Path) -> None:
    with Loopback(replying) as server:
        first = evaluate(data, NAMES, base_url=server.base_url, limit=1)
        evaluate(data, [*reversed(NAMES)], base_url=server.base_url)
        once = server.count
        again = evaluate(data, [*reversed(NAMES)], base_url=server.base_url)
        assert server.count == once == sum(one.answers for one in again)
    assert [one.config.subject for one in (*first, *again)] == [*NAMES, *reversed(NAMES)]
    found = folders(data)
    assert found[NAMES[0]].name == "vllm_a_b"
    assert found[NAMES[1]].name.startswith("vllm_a_b-")
    assert answers_in(found[NAMES[0]]) != answers_in(found[NAMES[1]])


def test_one_is_found_when_the_other_was_moved_away(data: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, NAMES, base_url=server.base_url)
        shutil.rmtree(data / "eval" / "vllm_a_b")
        before = server.count
        evaluate(data, NAMES[1], base_url=server.base_url)
        assert server.count == before


def test_a_folder_that_is_there_keeps_its_name(data: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, NAMES[1], base_url=server.base_url)
        before = files_of(data / "eval" / "vllm_a_b")
        evaluate(data, NAMES, base_url=server.base_url)
    assert files_of(data / "eval" / "vllm_a_b") == before
    assert folders(data)[NAMES[1]].name == "vllm_a_b"


def test_one_of_them_is_read_again_without_the_other(data: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, NAMES, base_url=server.base_url)
        evaluate(data, NAMES, base_url=server.base_url, prompt="cot")
    for name in NAMES:
        assert {one.metrics.config.subject for one in rescore(data, name) if one.metrics} == {name}
    (one,) = rescore(data, "vllm/a/b.cot")
    assert one.name == "vllm_a_b.cot"


def test_they_are_compared_and_reported_apart(data: Path) -> None:
    with Loopback(replying) as server:
        evaluate(data, NAMES, base_url=server.base_url)
    (pair,) = compare(data, NAMES).pairs
    assert {pair.one, pair.other} == {one.name for one in folders(data).values()}
    assert sorted(make_report(data, audit=False).subjects) == [*NAMES]


def test_the_command_line_names_the_folder_of_each(data: Path) -> None:
    with Loopback(replying) as server:
        models = [word for name in NAMES for word in ("-m", name)]
        told = run("evaluate", data, *models, "--base-url", server.base_url).stdout
    assert [f"answers: {folders(data)[name]}" in told.split("\n") for name in NAMES] == [True, True]


class Own:
    """A model of the caller's own, which may have any name."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def chat(self, request: ChatRequest) -> ChatReply:
        return ChatReply("A" if self.name == "x/y" else "B", "stop", Usage(1, 1))


def test_a_name_that_is_the_folder_of_another_is_a_label_of_its_own(data: Path) -> None:
    """Two of one label are told apart by their folders' names."""
    evaluate(data, Own("x/y"))
    evaluate(data, Own("x/y"), permutations=2)
    evaluate(data, Own("x_y"))
    labels = make_report(data, audit=False).subjects
    assert {"x_y", "x_y.x2"} < set(labels)
    assert len(set(labels)) == 3
