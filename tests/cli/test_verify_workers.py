"""``dtomtrack verify`` by several processes: the bytes of one, one budget, nothing paid for twice."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import sys
from pathlib import Path

import pytest
from commands import ended, run
from killed_runs import killed
from log_lines import lines_of
from loopback import Loopback
from model_folder import journaled
from route_persuader import persuade
from route_plays import plays, scenes
from whole_company import do_all

from dtomtrack import generate
from dtomtrack.llm.spec import ModelSpec
from dtomtrack.runs.lines import read_lines
from dtomtrack.suites.dtom.verdict_line import VerdictLine
from dtomtrack.suites.dtom.verification import VerifyRequest, verify_folder

WORKERS = ("--engine", "processes", "--workers", "2", "--quiet")
FILES = ("verdicts.jsonl", "config.json")


N = 12
"""More than a worker is handed at a time, so that two have some."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve dialogues."""
    folder = tmp_path_factory.mktemp("verify") / "data"
    generate("restaurant", n=N, out=folder)
    return folder


@pytest.fixture
def dataset(made: Path, tmp_path: Path) -> Path:
    """The same for the test's own."""
    return Path(shutil.copytree(made, tmp_path / "data"))


def verifying(folder: Path, server: Loopback, *more: str) -> list[str]:
    asked = ["--model", "vllm/judge", "--base-url", server.base_url, "--concurrency", "4"]
    return [sys.executable, "-m", "dtomtrack", "verify", str(folder), *asked, *more]


def judge_of(folder: Path) -> Path:
    """The folder of the one judge that was asked."""
    (own,) = (folder / "verify").iterdir()
    return own


def verdicts(folder: Path) -> dict[str, bytes]:
    own = judge_of(folder)
    return {name: (own / name).read_bytes() for name in FILES}


def test_a_killed_verification_goes_on_and_ends_in_the_bytes_of_one_process(dataset: Path, tmp_path: Path) -> None:
    whole = Path(shutil.copytree(dataset, tmp_path / "whole"))
    with Loopback(do_all, latency=0.02) as server:
        assert ended(verifying(whole, server, "--quiet")).returncode == 0
        once, logs = server.count, [tmp_path / "first.log", tmp_path / "second.log"]
        own = dataset / "verify" / judge_of(whole).name
        status, _ = killed(verifying(dataset, server, *WORKERS, "--log", str(logs[0])), server, own, 30)
        assert status == -signal.SIGKILL
        stored = journaled(own)
        assert 15 <= len(stored) < once
        done = ended(verifying(dataset, server, *WORKERS, "--log", str(logs[1])))
        assert (done.returncode, done.stderr) == (0, "")
    assert verdicts(dataset) == verdicts(whole)
    first, second = map(lines_of, logs)
    # what was under way may have come in unlogged; what was stored is not asked again
    assert len(second) == once - len(stored)
    assert {one.call for one in second}.isdisjoint(map(str, stored))
    traces = {(one.slot, one.trace) for one in (*first, *second)}
    assert len(traces) == len({slot for slot, _ in traces}) == len({trace for _, trace in traces}) == N


def test_verdicts_that_are_too_many_for_memory_are_the_same(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spilt = Path(shutil.copytree(dataset, tmp_path / "spilt"))
    with Loopback(do_all) as server:
        model = ModelSpec("vllm", "judge", server.base_url)
        asyncio.run(verify_folder(VerifyRequest(dataset, model)))
        monkeypatch.setattr("dtomtrack.suites.dtom.verification._IN_MEMORY", 1)
        tally = asyncio.run(verify_folder(VerifyRequest(spilt, model)))
    assert tally.dialogues.total() == N
    assert verdicts(spilt) == verdicts(dataset)


def test_workers_share_the_budget(dataset: Path) -> None:
    with Loopback(do_all) as server:
        stopped = ended(verifying(dataset, server, *WORKERS, "--max-tokens-total", "9000"))
        assert stopped.returncode == 1
        assert "budget" in stopped.stderr
        assert 0 < 18 * server.count <= 9000
        assert ended(verifying(dataset, server, *WORKERS)).returncode == 0
        assert server.count == len({json.dumps(one) for one in server.requests})
    (own,) = (dataset / "verify").iterdir()
    assert sum(line.kind == "dialogue" for line in read_lines(own / FILES[0], VerdictLine)) == N


def test_the_table_is_that_of_one_process(dataset: Path) -> None:
    with Loopback(do_all) as server:
        alone = ended(verifying(dataset, server))
        shutil.rmtree(dataset / "verify")
        together = ended(verifying(dataset, server, *WORKERS[:-1]))
    assert (alone.returncode, alone.stderr) == (together.returncode, together.stderr) == (0, "")
    assert alone.stdout == together.stdout


def test_a_second_judge_may_be_asked_by_workers(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 2)
    plays(folder, "policy/faithful")
    tables = []
    with Loopback(persuade) as server:
        for more in ((), ("--engine", "processes", "--workers", "2")):
            done = ended(verifying(folder, server, *more))
            assert done.returncode == 0, done.stderr
            tables.append(done.stdout)
            for judged in folder.glob("play/*/judges"):
                shutil.rmtree(judged)
    assert tables[0] == tables[1]
    assert "kappa" in tables[0]


def test_a_calibration_by_workers_is_that_of_one_process(dataset: Path) -> None:
    found, asked = [], []
    with Loopback(do_all) as server:
        for more in (("--quiet",), WORKERS):
            shutil.rmtree(dataset / "verify", ignore_errors=True)
            before = server.count
            done = ended(verifying(dataset, server, "--calibrate", "--limit", "3", *more))
            assert (done.returncode, done.stderr) == (0, "")
            manifest = json.loads((dataset / "manifest.json").read_bytes())
            found.append(manifest["calibration"])
            asked.append(server.count - before)
    assert found[0] == found[1]
    assert asked[0] == asked[1] > 0


def test_a_judge_of_plays_is_calibrated_in_one_process(tmp_path: Path) -> None:
    folder = scenes(tmp_path / "data", 2)
    told = run("verify", folder, "--model", "vllm/judge", "--calibrate", "--workers", "2")
    assert told.returncode == 2
    assert "--calibrate of a judge of plays works in this process" in told.stderr
