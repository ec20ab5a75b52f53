"""Runs on a Ray cluster: nodes on this machine stand for machines.

More nodes and many kills are for ``benchmarks/ray_kills.py``. `make test-integrations` installs Ray; without it these
tests fail.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from collector import Collector
from loopback import Answer, Loopback, Request, completion
from model_folder import command, contents, journaled, seeds
from performer import perform
from ray_machines import RayMachines
from whole_company import do_all

from dtomtrack.errors import InputError
from dtomtrack.runs.messages import ShardName
from dtomtrack.runs.ray_cluster import on_cluster
from dtomtrack.runs.shards import SHARDS, Shards
from dtomtrack.version import VERSION

N = 10


@pytest.fixture(scope="module")
def machines() -> Iterator[RayMachines]:
    """A head without cores, and two nodes of a core each."""
    with RayMachines(2) as started:
        yield started


@pytest.fixture
def engine(machines: RayMachines) -> list[str]:
    """The options that send a run there."""
    return ["--quiet", "--engine", "ray", "--ray-address", machines.address]


def scripted(out: Path, *more: str, n: int = 300) -> list[str]:
    """The command of a run without a model."""
    return [sys.executable, "-m", "dtomtrack", "generate", "--n", str(n), "--out", str(out), *more]


def answer_first(request: Request) -> Answer:
    """The first letter, whatever is asked."""
    return completion("A")


def done(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """A command that has come to its end, started as users start it: Ray minds what is forked."""
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def wait_for(process: subprocess.Popen[bytes], server: Loopback, requests: int) -> None:
    """Until the server has seen so many requests, or the run has ended."""
    while process.poll() is None and server.count < requests:
        time.sleep(0.002)


def a_node_dies(command: list[str], after: int, server: Loopback, machines: RayMachines, folder: Path) -> None:
    """A run loses a node after so many requests, and ends all the same; what its journal held is not asked again."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(process, server, server.count + after)
    held, seen = seeds(journaled(folder)), server.count
    machines.kill_one()
    machines.start_one()
    output, errors = process.communicate()
    assert (process.returncode, output, without_ray(errors)) == (0, b"", b"")
    assert held
    assert not held & {request["seed"] for request in server.requests[seen:]}


def without_ray(errors: bytes) -> bytes:
    """What was written to standard error, but for Ray's layer below Python, of what was lost with a node."""
    return b"".join(line for line in errors.splitlines(keepends=True) if b" core_worker.cc:" not in line)


def test_scripted_bytes_are_those_of_one_process_though_a_node_dies(
    tmp_path: Path, machines: RayMachines, engine: list[str]
) -> None:
    assert done(scripted(tmp_path / "one", "--quiet", "--engine", "local")).returncode == 0
    process = subprocess.Popen(scripted(tmp_path / "ray", *engine), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    progress = tmp_path / "ray" / "progress.jsonl"
    while process.poll() is None and not (progress.exists() and progress.stat().st_size):
        time.sleep(0.01)
    machines.kill_one()
    machines.start_one()
    output, errors = process.communicate()
    assert (process.returncode, output, without_ray(errors)) == (0, b"", b"")
    assert contents(tmp_path / "one") == contents(tmp_path / "ray")


def test_neither_a_killed_node_nor_a_killed_run_has_a_reply_paid_for_twice(
    tmp_path: Path, machines: RayMachines, engine: list[str]
) -> None:
    out = tmp_path / "ray"
    with Loopback(perform, latency=0.2) as server:
        assert done(command(server, tmp_path / "one", "--quiet", n=N)).returncode == 0
        once = server.count
        run = command(server, out, *engine, n=N)
        for kill_node in (False, True):
            seen = server.count
            process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            wait_for(process, server, seen + 25)
            if kill_node:
                held = seeds(journaled(out))
                seen = server.count
                machines.kill_one()
                machines.start_one()
            else:
                os.kill(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            ended = 0 if kill_node else -signal.SIGKILL
            assert (process.returncode, output, without_ray(errors)) == (ended, b"", b"")
            if not kill_node:
                held = seeds(journaled(out))
                seen = server.count
                assert (out / SHARDS).exists()
                continue
            assert held
            assert not held & {request["seed"] for request in server.requests[seen:]}
    assert contents(out) == contents(tmp_path / "one")
    assert len(journaled(out)) == once
    assert not (out / SHARDS).exists()


def test_an_evaluation_is_that_of_one_process_though_a_node_dies(
    tmp_path: Path, machines: RayMachines, engine: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    one, ray = tmp_path / "one", tmp_path / "ray"
    assert done(scripted(one, "--quiet", "--engine", "local", n=8)).returncode == 0
    shutil.copytree(one, ray)
    with Loopback(answer_first, latency=0.2) as server, Collector() as collector:
        asked = ["--model", "vllm/x", "--base-url", server.base_url, "--concurrency", "4"]
        evaluate = [sys.executable, "-m", "dtomtrack", "evaluate"]
        assert done([*evaluate, str(one), *asked, "--quiet"]).returncode == 0
        once = server.count
        log = tmp_path / "ray.log"
        more = [*engine, "--log", str(log), "--trace", collector.url]
        a_node_dies([*evaluate, str(ray), *asked, *more], 25, server, machines, ray / "eval" / "vllm_x")
    for name in ("answers.jsonl", "metrics.json", "config.json"):
        assert (one / "eval" / "vllm_x" / name).read_bytes() == (ray / "eval" / "vllm_x" / name).read_bytes()
    assert len(journaled(ray / "eval" / "vllm_x")) == once
    assert not (ray / "eval" / "vllm_x" / SHARDS).exists()
    # lines and spans of actors come here; each item is a trace, also where it was asked twice
    logged = set(re.findall(r"trace_id=(\w{32}) span_id=(\w{16}) ", log.read_text(encoding="utf-8")))
    told = {(call.trace, call.span) for call in collector.named("chat x")}
    assert logged == told
    assert len({trace for trace, _ in told}) == len(told)
    assert once - 4 <= len(told) <= once


def test_a_verification_is_that_of_one_process_though_a_node_dies(
    tmp_path: Path, machines: RayMachines, engine: list[str]
) -> None:
    one, ray = tmp_path / "one", tmp_path / "ray"
    assert done(scripted(one, "--quiet", "--engine", "local", n=6)).returncode == 0
    shutil.copytree(one, ray)
    with Loopback(do_all, latency=0.2) as server:
        asked = ["--model", "vllm/judge", "--base-url", server.base_url, "--concurrency", "4"]
        verify = [sys.executable, "-m", "dtomtrack", "verify"]
        assert done([*verify, str(one), *asked, "--quiet"]).returncode == 0
        once = server.count
        a_node_dies([*verify, str(ray), *asked, *engine], 15, server, machines, ray / "verify" / "vllm_judge")
    for name in ("verdicts.jsonl", "config.json"):
        ours, theirs = (folder / "verify" / "vllm_judge" / name for folder in (ray, one))
        assert ours.read_bytes() == theirs.read_bytes()
    assert len(journaled(ray / "verify" / "vllm_judge")) == once
    assert not (ray / "verify" / "vllm_judge" / SHARDS).exists()


def test_a_shard_that_is_on_no_machine_is_told_and_may_be_given_up(tmp_path: Path, engine: list[str]) -> None:
    out = tmp_path / "out"
    with Loopback(perform) as server:
        assert done(command(server, out, "--quiet", n=1)).returncode == 0
        lost = Shards(out)
        lost.opened(ShardName(lost.run, "0-01234567"), "node-7")
        run = command(server, out, *engine, n=2)
        told = done(run)
        assert (told.returncode, told.stdout) == (2, "")
        assert "a worker stored at node-7 are on no machine of the cluster (shard 0-01234567)" in told.stderr
        assert "Traceback" not in told.stderr
        assert done([*run, "--fresh-journal"]).returncode == 0
    assert not (out / SHARDS).exists()


def test_shards_are_found_on_every_node_of_a_machine(tmp_path: Path, machines: RayMachines, engine: list[str]) -> None:
    """Nodes of one address, in containers, say, may have other disks for what is temporary."""
    out, disks = tmp_path / "out", [tmp_path / name for name in ("first", "second")]
    with Loopback(perform) as server, machines.one_more(TMPDIR=str(disks[0])), machines.one_more(TMPDIR=str(disks[1])):
        assert done(command(server, out, "--quiet", n=1)).returncode == 0
        shards = Shards(out)
        left = []
        for number, disk in enumerate(disks):
            name = ShardName(shards.run, f"{number}-01234567")
            shards.opened(name, "node-7")
            left.append(disk / f"dtomtrack-{os.getuid()}" / name.run / f"{name.name}.sqlite")
            left[-1].parent.mkdir(parents=True)
            with closing(sqlite3.connect(left[-1])) as shard:
                shard.execute("create table shard (run text)")
                shard.execute("insert into shard values (?)", (name.run,))
                shard.commit()
        went_on = done(command(server, out, *engine, n=2))
    assert (went_on.returncode, went_on.stdout, went_on.stderr) == (0, "", "")
    assert [path for path in left if path.exists()] == []


def test_a_node_with_another_version_is_told(tmp_path: Path, machines: RayMachines, engine: list[str]) -> None:
    other = tmp_path / "other" / "dtomtrack"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("", encoding="utf-8")
    # all the rest is found where it is installed
    (other / "version.py").write_text('VERSION = "0.0.1"\n', encoding="utf-8")
    with machines.one_more(PYTHONPATH=str(other.parent)):
        # workers look where the run was started first
        run = scripted(tmp_path / "out", *engine)
        told = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert told.returncode == 2, told.stderr
    assert "has dtomtrack 0.0.1 with Python 3." in told.stderr
    assert f", this machine dtomtrack {VERSION} with Python 3." in told.stderr
    assert "Traceback" not in told.stderr
    assert not (tmp_path / "out").exists()


def test_an_address_where_nobody_answers_is_told(tmp_path: Path) -> None:
    told = done(scripted(tmp_path / "out", "--engine", "ray", "--ray-address", "127.0.0.1:9"))
    assert told.returncode == 2
    assert "--ray-address 127.0.0.1:9: no Ray cluster answers there" in told.stderr
    assert not list(tmp_path.iterdir())


def test_what_listens_and_is_no_cluster_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtomtrack.runs.ray_cluster._PATIENCE_WITH_RAY", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        told = "something listens there, and no Ray cluster has answered"
        with pytest.raises(InputError, match=told), on_cluster(address, None):
            pass
