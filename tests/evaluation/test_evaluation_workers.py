"""Evaluations by several processes: the bytes of one, one budget, one journal, whoever is killed."""

from __future__ import annotations

import re
import shutil
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from commands import ended
from examinee import MODEL, answers_in, files_of, prompt_of, write_slots
from killed_runs import a_worker_of, killed
from loopback import Answer, Loopback, Request, completion
from model_folder import journaled
from typer.testing import CliRunner

from dtomtrack.cli.main import app
from dtomtrack.errors import BudgetError, InputError, ModelError
from dtomtrack.evaluation import asking_work
from dtomtrack.evaluation.asking_work import AskingWork, engine_for
from dtomtrack.evaluation.evaluate import run_evaluation
from dtomtrack.evaluation.examples import NO_EXAMPLES
from dtomtrack.evaluation.records import AskConfig
from dtomtrack.evaluation.request import EvaluateOptions, request_evaluation
from dtomtrack.items.item import Item
from dtomtrack.library import aevaluate
from dtomtrack.llm.chat import ChatReply, ChatRequest
from dtomtrack.llm.options import AnyModel
from dtomtrack.llm.settings import ClientSettings
from dtomtrack.llm.spec import parse_spec
from dtomtrack.runs.engines import processes
from dtomtrack.runs.engines.local import LocalEngine
from dtomtrack.runs.engines.processes import ProcessEngine
from dtomtrack.suites.dtom.slot_result import SlotResult
from dtomtrack.suites.dtom.suite import SUITE

EXAMINEE = "vllm_examinee"
WORKERS = ("--engine", "processes", "--workers", "2", "--quiet")


def replying(request: Request) -> Answer:
    """Different letters for different prompts, at times none."""
    drawn = Random(prompt_of(request)).random()
    return completion("no idea" if drawn < 0.1 else "ABCD"[int(drawn * 1000) % 4])


@pytest.fixture
def data(tmp_path: Path, slots: dict[str, list[SlotResult]]) -> Path:
    """Twenty dialogues."""
    return write_slots(tmp_path / "data", slots["medical"][:20])


def copy(data: Path, name: str) -> Path:
    return Path(shutil.copytree(data, data.with_name(name)))


def evaluating(data: Path, server: Loopback, *more: str) -> list[str]:
    asked = ["--model", MODEL, "--base-url", server.base_url, "--concurrency", "4"]
    return [sys.executable, "-m", "dtomtrack", "evaluate", str(data), *asked, *more]


async def test_workers_change_no_byte_and_their_calls_are_counted(data: Path) -> None:
    found = {}
    with Loopback(replying, latency=0.005, keep=False) as server:
        for workers in (1, 3):
            asked: EvaluateOptions = {"base_url": server.base_url, "concurrency": 5, "permutations": 2, "limit": 12}
            options: EvaluateOptions = {**asked, "workers": workers}
            (found[workers],) = await aevaluate(copy(data, str(workers)), MODEL, **options)
        assert server.most_at_once <= 5
        assert server.count == 2 * found[1].calls == 2 * found[3].calls
    one, three = (data.with_name(name) / "eval" / f"{EXAMINEE}.x2" for name in ("1", "3"))
    assert files_of(one) == files_of(three)
    assert found[1] == found[3]


@pytest.mark.parametrize(
    ("answers", "at_once", "workers"),
    [(9_999, 64, 1), (10_000, 64, 2), (10_000, 31, 1), (15_000, 64, 3), (1_000_000, 64, 4), (1_000_000, 400, 8)],
)
def test_very_many_answers_are_asked_for_in_processes(
    answers: int, at_once: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    taken: list[int] = []
    monkeypatch.setattr(processes, "ProcessEngine", taken.append)
    engine_for(work_of(parse_spec(MODEL), at_once), answers)
    assert taken == [workers] * (workers > 1)


def test_what_is_computed_here_or_cannot_be_sent_is_asked_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    for model in (parse_spec("gguf/model.gguf"), OwnModel()):
        assert isinstance(engine_for(work_of(model, 64), 1_000_000), LocalEngine)


def test_where_nobody_says_it_the_command_line_leaves_it_to_the_number_of_answers(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    monkeypatch.setattr(asking_work, "_ANSWERS_A_PROCESS", 10)
    engines: list[int] = []

    def engine(workers: int | None, address: str | None) -> ProcessEngine:
        engines.append(workers or 0)
        return ProcessEngine(workers or 1)

    monkeypatch.setattr(processes, "engine", engine)
    one = copy(data, "one")
    with Loopback(replying, keep=False) as server:
        asked = ("--model", MODEL, "--base-url", server.base_url, "--concurrency", "32", "--sample", "4", "--quiet")
        assert CliRunner().invoke(app, ["evaluate", str(data), *asked]).exit_code == 0
        assert engines == [2]
        assert CliRunner().invoke(app, ["evaluate", str(one), *asked, "--workers", "1"]).exit_code == 0
    assert engines == [2]
    (by_two,), (by_one,) = ((folder / "eval").iterdir() for folder in (data, one))
    assert files_of(by_two) == files_of(by_one)


class OwnModel:
    """An object of the caller's own."""

    name = "own"

    async def chat(self, request: ChatRequest) -> ChatReply:
        raise NotImplementedError


def work_of(model: AnyModel, at_once: int) -> AskingWork:
    config = AskConfig(subject=MODEL, questions="-", context="dialogue")
    return AskingWork(model, config, "", NO_EXAMPLES, ClientSettings(concurrency=at_once))


async def test_workers_share_one_budget_and_the_same_call_goes_on(data: Path) -> None:
    with Loopback(replying, latency=0.005) as server:
        asked: EvaluateOptions = {"base_url": server.base_url, "concurrency": 4, "max_tokens": 16}
        options: EvaluateOptions = {**asked, "engine": "processes", "workers": 2}
        limited: EvaluateOptions = {**options, "max_tokens_total": 2500}
        with pytest.raises(BudgetError):
            await aevaluate(data, MODEL, **limited)
        (path,) = (data / "eval").iterdir()
        paid = server.count
        assert 0 < 18 * paid <= 2500
        assert len(answers_in(path)) <= paid
        (found,) = await aevaluate(data, MODEL, **options)
        assert found.calls == server.count == len({request["seed"] for request in server.requests})
        # all is answered: nobody is asked, and no process is started
        assert await aevaluate(data, MODEL, **options) == (found,)
        assert server.count == found.calls


def test_killed_parents_and_workers_lose_nothing_and_nothing_is_paid_twice(data: Path) -> None:
    whole = copy(data, "whole")
    own = data / "eval" / EXAMINEE
    with Loopback(replying, latency=0.02) as server:
        assert ended(evaluating(whole, server, "--quiet")).returncode == 0
        once = server.count
        status, errors = killed(evaluating(data, server, *WORKERS), server, own, 40)
        assert (status, errors) == (-signal.SIGKILL, "")
        status, errors = killed(evaluating(data, server, *WORKERS), server, own, 40, a_worker_of)
        assert status == 1
        assert "a worker process died" in errors
        assert "Traceback" not in errors
        held, seen = journaled(own), server.count
        assert len(held) >= 2 * 20
        last = ended(evaluating(data, server, *WORKERS))
        assert (last.returncode, last.stderr) == (0, "")
        assert server.count - seen == once - len(held)
    assert files_of(own) == files_of(whole / "eval" / EXAMINEE)
    assert set(journaled(own)) == set(journaled(whole / "eval" / EXAMINEE))


def test_each_item_is_a_trace_whoever_asks(data: Path, tmp_path: Path) -> None:
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    with Loopback(replying) as server:
        limits = ("--sample", "3"), ("--sample", "6", "--engine", "processes", "--workers", "2")
        for log, more in zip(logs, limits, strict=True):
            done = ended(evaluating(data, server, "--quiet", "--permutations", "2", "--log", str(log), *more))
            assert done.returncode == 0, done.stderr
        assert server.count
    lines = [line for log in logs for line in log.read_text(encoding="utf-8").splitlines()]
    ids = [found.groups() for line in lines if (found := re.search(r"trace_id=(\w{32}) span_id=(\w{16}) ", line))]
    assert len(ids) == len(lines) == server.count
    # an item as it is shown once is asked once here
    assert len({trace for trace, _ in ids}) == len({span for _, span in ids}) == server.count


@pytest.mark.parametrize("options", [{"engine": "processes"}, {"workers": 2}, {"engine": "local", "workers": 1}])
async def test_baselines_take_no_engine(data: Path, options: EvaluateOptions) -> None:
    with pytest.raises(InputError, match="baselines take no such option"):
        await aevaluate(data, "baseline/recency", **options)
    assert not (data / "eval").exists()


class Unsendable:
    """DToM-Track's items, over contexts that no other process can be given."""

    def __getattr__(self, name: str) -> Any:
        return getattr(SUITE, name)

    def items(self, folder: Path, limit: int | None = None) -> Iterator[Item]:
        """The items."""
        for item in SUITE.items(folder, limit):
            context: Any = type("Local", (), {"lines": (), "text": lambda self, condition: "..."})()
            yield replace(item, context=context)


async def test_items_that_cannot_be_sent_are_told(data: Path) -> None:
    with Loopback(replying) as server:
        request = request_evaluation(SUITE, data, MODEL, base_url=server.base_url, engine="processes", workers=2)
        with pytest.raises(InputError, match="worker processes can't be given what these slots are about"):
            await run_evaluation(replace(request, benchmark=Unsendable()))
        assert server.count == 0


async def test_a_worker_tells_what_it_could_not_go_on_with(data: Path) -> None:
    asked: EvaluateOptions = {"base_url": "http://127.0.0.1:9/v1", "timeout": 5.0}
    options: EvaluateOptions = {**asked, "engine": "processes", "workers": 2}
    with pytest.raises(ModelError, match="can't be reached"):
        await aevaluate(data, MODEL, **options)
