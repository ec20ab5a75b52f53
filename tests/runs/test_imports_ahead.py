"""Workers of the command line, forked from a process that imports what they need while the command gets ready."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import PYTHON, ended
from killing import workers_of

from dtomtrack.runs.folder import PROGRESS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux alone")
MANY = ["generate", "--domain", "restaurant", "--quiet", "--workers", "2"]


def is_there(process: int) -> bool:
    """Whether a process lives; one that is dead and not yet buried does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def forked_in(session: int) -> list[str]:
    """The command lines of processes of a session that workers are forked from, or are."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            # other tests beside this one have commands whose words are no text
            stat, command = ((process / name).read_text("utf-8", errors="replace") for name in ("stat", "cmdline"))
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[3]) == session and "forkserver" in command:
            found.append(command)
    return found


def test_they_are_imported_once_and_no_byte_is_another(tmp_path: Path) -> None:
    command = [*PYTHON, *MANY, "--n", "60", "--out", str(tmp_path / "ahead")]
    env = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        _, told = process.communicate()
        assert forked_in(process.pid) == []
    assert process.returncode == 0, told
    assert sum(line.endswith(" langgraph.graph.state") for line in told.splitlines()) == 1
    # of some 150 modules one or two are asked for
    assert sum(" langsmith.types" in line for line in told.splitlines()) < 20
    assert ended([*command[:-1], str(tmp_path / "alone"), "--workers", "1"]).returncode == 0
    for name in ("dialogues.jsonl", "questions.jsonl"):
        assert (tmp_path / "ahead" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


@pytest.mark.parametrize("wrong", [["--domain", "nosuch"], ["--seed", "x"], ["--out", "/proc/nowhere"]])
def test_none_stays_behind_a_command_that_is_refused(wrong: list[str]) -> None:
    command = [*PYTHON, "generate", "--n", "60", *wrong]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        process.communicate()
        assert forked_in(process.pid) == []
    assert process.returncode in {1, 2}


def test_none_stays_behind_a_killed_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with subprocess.Popen([*PYTHON, *MANY, "--n", "5000", "--out", str(out)]) as process:
        while process.poll() is None and not ((out / PROGRESS).exists() and (out / PROGRESS).stat().st_size):
            time.sleep(0.01)
        workers = workers_of(process.pid)
        assert len(workers) == 2
        process.kill()
    late = time.monotonic() + 10
    while any(map(is_there, workers)) and time.monotonic() < late:
        time.sleep(0.01)
    assert not any(map(is_there, workers))
