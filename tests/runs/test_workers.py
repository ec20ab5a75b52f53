"""Runs with language models in several processes: the same bytes, one budget, one journal, whoever is killed."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path

import pytest
from commands import Started, ended, started
from killed_runs import a_worker_of, killed
from killing import workers_of
from loopback import Loopback
from model_folder import command, contents, dialogues, journaled, seeds
from performer import perform

from dtomtrack.api import Options, agenerate, generate
from dtomtrack.errors import BudgetError, InputError
from dtomtrack.llm.chat import ChatReply, ChatRequest, Usage

N = 12
WORKERS = ("--workers", "2", "--quiet")


async def test_workers_change_no_byte_and_their_calls_are_counted(tmp_path: Path) -> None:
    made = {}
    with Loopback(perform, keep=False) as server:
        for workers in (1, 3):
            out = tmp_path / str(workers)
            models: Options = {"actor_model": "vllm/x", "base_url": server.base_url, "concurrency": 6}
            options: Options = {**models, "workers": workers}
            made[workers] = await agenerate("restaurant", n=N, out=out, **options)
    assert contents(tmp_path / "1") == contents(tmp_path / "3")
    one, three = made[1], made[3]
    assert three.calls == len(journaled(tmp_path / "3")) == one.calls
    assert (three.tokens, three.cost, three.counts) == (one.tokens, one.cost, one.counts)


async def test_no_more_calls_are_under_way_than_without_workers(tmp_path: Path) -> None:
    with Loopback(perform, latency=0.02, keep=False) as server:
        models: Options = {"actor_model": "vllm/x", "base_url": server.base_url, "concurrency": 3, "workers": 2}
        await agenerate("restaurant", n=N, out=tmp_path / "out", **models)
    assert 1 <= server.most_at_once <= 3


async def test_workers_share_one_budget_and_none_stops_while_there_is_money(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("vllm/x: {input: 1000.0, output: 3000.0}\n", encoding="utf-8")
    cost = (11 * 1000 + 7 * 3000) / 1e6
    with Loopback(perform, latency=0.01) as server, pytest.raises(BudgetError, match=r"the budget of \$5 "):
        models: Options = {"actor_model": "vllm/x", "base_url": server.base_url, "concurrency": 8}
        options: Options = {**models, "workers": 2, "max_cost": 5.0, "prices": prices}
        await agenerate("restaurant", n=50, out=tmp_path / "out", **options)
    paid = len(journaled(tmp_path / "out"))
    assert paid == server.count
    # a call may take 2.2 dollars at most, which is all that may be left
    assert 2.5 < paid * cost <= 5.0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert (manifest["status"], manifest["calls"]) == ("interrupted", paid)
    assert manifest["cost"] == pytest.approx(paid * cost)


def wait_for(process: Started, server: Loopback, requests: int) -> None:
    """Until the server has seen so many requests, or the run has ended."""
    while process.poll() is None and server.count < requests:
        time.sleep(0.002)


def asked_since(server: Loopback, seen: int) -> set[int]:
    """The seeds of all requests but the first so many."""
    return {request["seed"] for request in server.requests[seen:]}


def test_killed_parents_and_workers_lose_nothing_and_nothing_is_paid_twice(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(perform, latency=0.02) as server:
        assert ended(command(server, tmp_path / "reference", "--quiet", n=N)).returncode == 0
        once = server.count
        status, errors = killed(command(server, out, *WORKERS, n=N), server, out, 30)
        assert (status, errors) == (-signal.SIGKILL, "")
        stored, seen = seeds(journaled(out)), server.count
        assert len(stored) >= 15
        status, errors = killed(command(server, out, *WORKERS, n=N), server, out, 30, a_worker_of)
        assert status == 1
        assert "a worker process died" in errors
        assert "Traceback" not in errors
        assert not stored & asked_since(server, seen)
        stored, seen = seeds(journaled(out)), server.count
        last = ended(command(server, out, *WORKERS, n=N))
        assert (last.returncode, last.stderr) == (0, "")
        assert not stored & asked_since(server, seen)
    assert contents(out) == contents(tmp_path / "reference")
    assert len(journaled(out)) == once
    assert [dialogue.slot for dialogue in dialogues(out)] == list(range(N))


def test_what_came_in_before_ctrl_c_is_stored_and_said_in_the_log(tmp_path: Path) -> None:
    out, log = tmp_path / "out", tmp_path / "calls.log"
    with Loopback(perform, latency=0.02) as server:
        arguments = command(server, out, *WORKERS, "--log", str(log), n=200)
        process = started(arguments)
        wait_for(process, server, 40)
        # as a terminal sends it to all of them
        for one in (process.pid, *workers_of(process.pid)):
            os.kill(one, signal.SIGINT)
        status, errors = process.ended()
    assert status == 130, errors
    manifest = json.loads((out / "manifest.json").read_bytes())
    lines = log.read_text(encoding="utf-8").count(" tokens, ")
    assert lines == manifest["calls"] == len(journaled(out)) > 0


class Own:
    """A model of somebody's own, which can't be pickled."""

    name = "own"

    def __init__(self) -> None:
        self.reply: Callable[[], ChatReply] = lambda: ChatReply("", "stop", Usage(1, 1))

    async def chat(self, request: ChatRequest) -> ChatReply:
        """The same reply always."""
        return self.reply()


async def test_a_model_that_cannot_be_sent_to_workers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="worker processes can't be given this job"):
        await agenerate("restaurant", n=4, out=tmp_path / "out", actor_model=Own(), workers=2)


async def test_a_worker_tells_what_it_could_not_go_on_with(tmp_path: Path) -> None:
    from dtomtrack.errors import ModelError

    with pytest.raises(ModelError, match="can't be reached"):
        models: Options = {"actor_model": "vllm/x", "base_url": "http://127.0.0.1:9/v1"}
        options: Options = {**models, "workers": 2, "timeout": 5.0}
        await agenerate("restaurant", n=4, out=tmp_path / "out", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "abacus"}, "engine is 'abacus'; it has to be one of 'local', 'processes', 'ray'"),
        ({"engine": "local", "workers": 2}, "workers is 2; the engine local has one"),
    ],
)
async def test_an_engine_that_there_is_not_is_refused(tmp_path: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        await agenerate("restaurant", n=4, out=tmp_path / "out", **options)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_there_are_no_more_workers_than_slots(tmp_path: Path) -> None:
    """A thousand for two dialogues took all of a machine's memory."""
    there: list[int] = []
    generate("travel", n=2, out=tmp_path / "out", workers=24, report=lambda _: there.append(len(active_children())))
    assert max(there) == 2
