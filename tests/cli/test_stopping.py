"""Commands that are stopped, twice for good measure, and whose log or output has nowhere to go."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asking import KEY, in_turn, refused
from commands import begun, ended, run
from loopback import Answer, Loopback, Request
from model_folder import command
from performer import perform
from terminals import on_a_terminal
from whole_company import do_all

from dtomtrack import evaluate, generate

AGAIN = "give the same command again"
INTERRUPTED = """
import os, signal, sys
from dtomtrack.cli import main

def interrupt(event, arguments, sent=[]):
    if not sent and event == "open" and str(arguments[0]).endswith("questions.jsonl"):
        sent.append(os.kill(os.getpid(), signal.SIGINT))

sys.addaudithook(interrupt)
main()
"""
"""A command line that gets a Ctrl-C when it begins to read the questions."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def _as_from_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No signal is ignored to begin with, also where the tests themselves run under nohup."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    before = {one: signal.getsignal(one) for one in SIGNALS}
    for one, old in before.items():
        if old is signal.SIG_IGN:
            signal.signal(one, signal.SIG_DFL)
    yield
    for one, old in before.items():
        signal.signal(one, old)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three dialogues."""
    folder = tmp_path_factory.mktemp("stopping") / "out"
    generate("restaurant", n=3, out=folder)
    return folder


def dtomtrack(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "dtomtrack", *map(str, arguments)]


def scripted(out: Path, workers: int) -> list[str]:
    return dtomtrack("generate", "--n", "3000", "--out", out, "--workers", str(workers), "--quiet")


def asked_of(server: Loopback, verb: str, folder: Path, *more: str) -> list[str]:
    return dtomtrack(verb, folder, "--model", "vllm/judge", "--base-url", server.base_url, *more)


def stopped_twice(process: subprocess.Popen[str], first: signal.Signals, second: signal.Signals) -> str:
    """What it says on standard error when it gets both, one at the heels of the other."""
    assert process.poll() is None
    process.send_signal(first)
    process.send_signal(second)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert errors.startswith("dtomtrack: interrupted; what is done is safe. Go on with:\n  dtomtrack ")
    assert errors.count("\n") == 2
    return errors


def started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_requests(process: subprocess.Popen[str], server: Loopback, wanted: int) -> None:
    while process.poll() is None and server.count < wanted:
        time.sleep(0.002)


def status(folder: Path) -> str:
    return str(json.loads((folder / "manifest.json").read_bytes())["status"])


# -- signals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "workers"), [(signal.SIGINT, 2), (signal.SIGTERM, 1)])
def test_a_scripted_run_is_interrupted_once(tmp_path: Path, sent: signal.Signals, workers: int) -> None:
    out = tmp_path / "out"
    process = started(scripted(out, workers))
    while process.poll() is None and not (
        (out / "progress.jsonl").exists() and (out / "progress.jsonl").stat().st_size
    ):
        time.sleep(0.002)
    errors = stopped_twice(process, sent, sent)
    assert f"--out {out}" in errors
    assert status(out) == "interrupted"


def test_a_run_with_a_model_is_interrupted_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(perform, latency=0.02) as server:
        process = started(command(server, out, "--quiet"))
        wait_for_requests(process, server, 20)
        stopped_twice(process, signal.SIGHUP, signal.SIGTERM)
        assert status(out) == "interrupted"
        assert ended(command(server, out, "--quiet")).returncode == 0
    assert status(out) == "complete"


@pytest.mark.parametrize(("verb", "sent"), [("verify", signal.SIGINT), ("evaluate", signal.SIGTERM)])
def test_what_asks_a_model_of_a_dataset_is_interrupted_once(dataset: Path, verb: str, sent: signal.Signals) -> None:
    """Its calls hang, so that nothing but the signal ends it."""

    def hang(request: Request) -> Answer:
        return Answer(b"", after=600.0)

    with Loopback(hang) as server:
        process = started(asked_of(server, verb, dataset, "--quiet"))
        wait_for_requests(process, server, 2)
        stopped_twice(process, sent, sent)
    assert status(dataset) == "complete"


@pytest.mark.parametrize("verb", ["report", "compare", "audit", "rescore"])
def test_what_begins_anew_says_so_when_it_is_interrupted(dataset: Path, tmp_path: Path, verb: str) -> None:
    copy = Path(shutil.copytree(dataset, tmp_path / "out"))
    evaluate(copy, ["baseline/random", "baseline/recency"])
    before = sorted(copy.rglob("*"))
    process = started([sys.executable, "-c", INTERRUPTED, verb, str(copy)])
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, f"dtomtrack: interrupted before it was done; {AGAIN}\n")
    assert sorted(copy.rglob("*")) == before


def test_a_run_under_nohup_outlives_its_terminal(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(perform, latency=0.02) as server:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = started(command(server, out, "--quiet", n=4))
        wait_for_requests(process, server, 5)
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors, status(out)) == (0, "", "complete")


# -- logs ------------------------------------------------------------------------------------------------------------


def test_a_log_may_lie_in_the_folder_that_the_run_makes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Loopback(perform) as server:
        run = ended(command(server, out, "--log", str(out / "run.log"), "--quiet", n=2))
        assert (run.returncode, run.stderr) == (0, "")
        assert (out / "run.log").read_bytes().count(b"\n") == server.count


@pytest.mark.parametrize(
    ("log", "reason"), [("/dev/full", "No space left on device"), ("nowhere/run.log", "No such file or directory")]
)
def test_a_log_that_cannot_be_written_is_told_once(tmp_path: Path, log: str, reason: str) -> None:
    place = tmp_path / log
    with Loopback(perform) as server:
        run = ended(command(server, tmp_path / "out", "--log", str(place), "--quiet", n=2))
    assert run.returncode == 0
    assert run.stderr == f"dtomtrack: {place}: can't be written ({reason}); the run goes on without this log\n"
    assert status(tmp_path / "out") == "complete"


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--n", "1", "--out", "out"),
        ("generate", "--suite", "rectom", "--n", "1", "--out", "out"),
        ("evaluate", "{dataset}", "--model", "baseline/random", "--out", "out"),
        ("play", "rhetbench", "--scenarios", "cold_skeptic", "--out", "out"),
    ],
)
def test_a_log_of_calls_is_refused_where_nobody_is_called(
    dataset: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    given = [one.format(dataset=dataset) for one in arguments]
    refused = run(*given, "--log", "run.log", cwd=tmp_path)
    told = "dtomtrack: --log run.log: has a line for each call, and no language model is asked here; leave it out\n"
    assert (refused.returncode, refused.stderr) == (2, told)
    assert not list(tmp_path.iterdir())


def test_lines_go_behind_those_of_a_log_and_behind_nothing_else(dataset: Path, tmp_path: Path) -> None:
    before = (dataset / "questions.jsonl").read_bytes()
    with Loopback(perform) as server:
        refused = ended(asked_of(server, "evaluate", dataset, "--log", str(dataset / "questions.jsonl"), "--quiet"))
        assert server.count == 0
        for seed in ("0", "1"):
            more = ["--seed", seed, "--log", str(tmp_path / "run.log"), "--quiet"]
            assert ended(command(server, tmp_path / f"out-{seed}", *more, n=1)).returncode == 0
        assert (tmp_path / "run.log").read_bytes().count(b"\n") == server.count
    told = f"dtomtrack: --log {dataset / 'questions.jsonl'}: is there already, and is no log; name another file\n"
    assert (refused.returncode, refused.stderr) == (2, told)
    assert (dataset / "questions.jsonl").read_bytes() == before


def test_retries_are_logged_without_what_the_server_said(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    first = in_turn(
        refused(429, "top secret", {"Retry-After": "0.2"}),
        Answer(b"", cut=0),
        refused(503, "top secret", {"Retry-After": "0.3"}),
    )

    def answer(request: Request) -> Answer:
        return first(request) if server.count <= 3 else perform(request)

    with Loopback(answer) as server:
        run = ended(command(server, tmp_path / "out", "--log", str(log), "--concurrency", "1", "--quiet", n=1))
    assert (run.returncode, run.stderr) == (0, "")
    text = log.read_text(encoding="utf-8")
    again = re.findall(r"slot \d+ attempt 0 (turn \S.*): openai/x (\d+|no answer), asked again in (\d+\.\d) s\n", text)
    assert [found for _, found, _ in again] == ["429", "no answer", "503"]
    assert again[0][2] == "0.2"
    assert float(again[2][2]) >= 0.3
    assert "top secret" not in text


# -- output ----------------------------------------------------------------------------------------------------------


def full() -> int:
    """A file that takes nothing."""
    return os.open("/dev/full", os.O_WRONLY)


def closed() -> int:
    """A pipe that nobody reads from any more."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize(("output", "reason"), [(full, "No space left on device"), (closed, "Broken pipe")])
def test_output_that_nobody_takes_is_told_in_a_sentence(
    dataset: Path, tmp_path: Path, output: Callable[[], int], reason: str
) -> None:
    evaluating = dtomtrack("evaluate", dataset, "--model", "baseline/random")
    generating = dtomtrack("generate", "--n", "2", "--out", tmp_path / "out")
    with Loopback(do_all) as server:
        verifying = asked_of(server, "verify", dataset, "--limit", "1")
        expected = [
            (verifying, 0, "has all verdicts; the table can't be printed"),
            (evaluating, 0, "has all answers and metrics; the tables can't be printed"),
            (generating, 0, f"complete: {tmp_path / 'out'}; the summary can't be printed"),
            ([*generating, "--dry-run"], 1, "dtomtrack: the estimate can't be printed"),
            ([*evaluating, "--dry-run"], 1, "dtomtrack: the estimate can't be printed"),
        ]
        for arguments, code, told in expected:
            with (tmp_path / "errors").open("w+") as errors, os.fdopen(output(), "w") as out:
                process = begun(arguments, {1: out.fileno(), 2: errors.fileno()}, os.environ)
                process.join()
                errors.seek(0)
                said = errors.read()
            assert (process.exitcode, said.count("\n")) == (code, 1), said
            assert said.startswith("dtomtrack: ") and said.endswith(f"{told} ({reason})\n")


@pytest.mark.parametrize("words", [("--help",), ("generate", "--help"), ("domains",)])
def test_a_full_output_is_one_sentence_whatever_is_printed(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as out:
        run = subprocess.run(dtomtrack(*words), stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    told = "dtomtrack: standard output can't be written (No space left on device)\n"
    assert (run.returncode, run.stderr) == (1, told)


# -- progress of verify ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "what"), [((), "dialogues"), (("--calibrate",), "dialogues")])
def test_verify_shows_how_far_it_is_unless_it_is_to_be_quiet(dataset: Path, more: tuple[str, ...], what: str) -> None:
    with Loopback(do_all, latency=0.02) as server:
        shown = on_a_terminal(asked_of(server, "verify", dataset, "--limit", "2", *more))
        assert what in shown
        assert "2/2" in shown
        assert re.search(
            r"[1-9]\d* calls under way, \d+ queued, \d+ done, (\d+\.\d calls/\w+, )?0 retries, \d+ tokens, \$0\.0000",
            shown,
        )
        assert on_a_terminal(asked_of(server, "verify", dataset, "--limit", "2", "--quiet", *more)) == ""


def test_a_quiet_verify_prints_nothing(dataset: Path) -> None:
    with Loopback(do_all) as server:
        run = ended(asked_of(server, "verify", dataset, "--limit", "1", "--quiet"))
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
