"""Kills, signals and full disks, done for real to the command line in its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from commands import PYTHON, Started, ended, script, started
from killing import workers_of

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")
N = 40


def command(out: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "dtomtrack", "generate", "--n", str(N), "--out", str(out), "--quiet", *more]


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that was never killed."""
    folder = tmp_path_factory.mktemp("kills") / "reference"
    assert ended(command(folder)).returncode == 0
    return contents(folder)


def written(folder: Path) -> int:
    path = folder / "progress.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_slots(process: subprocess.Popen[bytes] | Started, folder: Path, wanted: int) -> None:
    """Until so many slots are written or the process has ended."""
    while process.poll() is None and written(folder) < wanted:
        time.sleep(0.001)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_run_ends_in_the_same_bytes(reference: dict[str, bytes], tmp_path: Path, workers: str) -> None:
    out = tmp_path / "out"
    rng = Random(int(workers))
    for wanted in sorted(rng.sample(range(1, N // 2), 2)):
        process = started(command(out, "--workers", workers))
        wait_for_slots(process, out, wanted)
        process.kill()
        assert process.ended() == (-signal.SIGKILL, "")
    assert ended(command(out, "--workers", workers)).returncode == 0
    assert contents(out) == reference


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    process = started(command(tmp_path / "out", "--workers", "2", "--n", "2000"))
    wait_for_slots(process, tmp_path / "out", 1)
    children = workers_of(process.pid)
    assert len(children) == 2
    process.kill()
    process.ended()
    deadline = time.monotonic() + 10
    while any(_alive(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_alive(child) for child in children)


def _alive(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False


def test_ctrl_c_says_how_to_go_on(reference: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(command(out, "--workers", "1"))
    wait_for_slots(process, out, 3)
    os.kill(process.pid, signal.SIGINT)
    status, errors = process.ended()
    assert status == 130
    assert "interrupted" in errors
    assert f"--out {out}" in errors
    assert "Traceback" not in errors
    assert b'"status": "interrupted"' in (out / "manifest.json").read_bytes()
    assert ended(command(out)).returncode == 0
    assert contents(out) == reference


@pytest.mark.parametrize(
    ("after", "sent"),
    [(0.0, signal.SIGTERM), (0.3, signal.SIGINT), (0.6, signal.SIGINT)],
)
def test_a_signal_to_the_whole_group_ends_a_run_at_any_time(tmp_path: Path, after: float, sent: signal.Signals) -> None:
    """While workers start, too: ``after`` counts from the first manifest, which is written just before that."""
    process = subprocess.Popen(
        command(tmp_path / "out", "--workers", "2", "--n", "2000"),
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_listen_to_signals,
    )
    while process.poll() is None and not (tmp_path / "out" / "manifest.json").exists():
        time.sleep(0.005)
    time.sleep(after)
    os.killpg(process.pid, sent)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"Go on with:" in errors
    assert b"Traceback" not in errors


def test_a_worker_that_dies_is_told_and_nothing_is_lost(reference: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started(command(out, "--workers", "2"))
    wait_for_slots(process, out, 1)
    for worker in workers_of(process.pid)[:1]:
        os.kill(worker, signal.SIGKILL)
    status, errors = process.ended()
    if status:
        assert status == 1
        assert "a worker process died" in errors
        assert "Go on with:\n  dtomtrack generate" in errors
        assert "Traceback" not in errors
    assert ended(command(out)).returncode == 0
    assert contents(out) == reference


def _listen_to_signals() -> None:
    """So that signals come in, also those that this process ignores."""
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_DFL if one != signal.SIGINT else signal.default_int_handler)


SMALL_DISK = """
import resource
from dtomtrack.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
main()
"""


def test_a_full_disk_loses_nothing(reference: dict[str, bytes], tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "dtomtrack").write_text(SMALL_DISK, encoding="utf-8")
    full = script(tmp_path / "dtomtrack", tmp_path, *command(out, "--workers", "1")[len(PYTHON) :])
    assert full.returncode == 1
    assert "can't be written (File too large)" in full.stderr
    assert "slots are safe" in full.stderr
    assert "Traceback" not in full.stderr
    assert 0 < written(out) < N
    assert ended(command(out)).returncode == 0
    assert contents(out) == reference


def test_two_runs_do_not_write_one_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = started(command(out, "--workers", "1", "--n", "2000"))
    wait_for_slots(first, out, 1)
    second = ended(command(out, "--n", "2000"))
    first.kill()
    first.ended()
    assert second.returncode == 2
    assert "another run is writing this folder" in second.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs /proc")
def test_a_place_that_cannot_be_written_is_named() -> None:
    done = ended(command(Path("/proc/nowhere")))
    assert done.returncode == 1
    assert done.stderr.startswith("dtomtrack: /proc/nowhere: can't be written (")
    assert done.stderr.count("\n") == 1
