"""Runs with models that are killed half-way, however busy the machine is.

A server that answers everything lets a run come to its end while whoever is to kill it waits for a core; and what was
answered may not have been stored yet. So the server holds what is asked for after so many replies, and the kill waits
until half of those are in the journal. Workers outlive their run by a moment, and would store what comes in then: the
server holds it until they have ended, too.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from commands import started
from killing import workers_of
from loopback import Loopback
from model_folder import journaled

__all__ = ["a_worker_of", "killed", "never_ended"]


def itself(process: int) -> int:
    """The process that was started."""
    return process


def a_worker_of(process: int) -> int:
    """The first worker process of a run."""
    return workers_of(process)[0]


def never_ended(folder: Path) -> None:
    """Have the manifest of a run that ended say what it says while one goes on, as after a kill."""
    manifest = json.loads((folder / "manifest.json").read_bytes())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"status": "running"}), encoding="utf-8")


def killed(
    command: Sequence[str | Path], server: Loopback, folder: Path, replies: int, victim: Callable[[int], int] = itself
) -> tuple[int, str]:
    """The exit status and standard error of a run that gets so many replies before it, or a process of it, is killed.

    Args:
        folder: where its journal is.
        replies: at least 2, and fewer than it asks for.
        victim: gives the process to kill, by that of the run.
    """
    wanted = len(journaled(folder)) + replies // 2
    server.hold(after=replies)
    try:
        process = started(command)
        while len(journaled(folder)) < wanted:
            assert process.poll() is None, process.ended()
            time.sleep(0.01)
        workers, chosen = workers_of(process.pid), victim(process.pid)
        os.kill(chosen, signal.SIGKILL)
        while chosen == process.pid and not all(map(_has_ended, workers)):
            time.sleep(0.01)
    finally:
        server.release()
    return process.ended()


def _has_ended(process: int) -> bool:
    try:
        return ") Z " in Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return True
