"""A run with language models that is killed again and again, and what it asks for that its journal already holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from killing import journaled
from loopback import Loopback

__all__ = ["Ordeal", "start", "started"]


def started(command: Sequence[str]) -> list[str]:
    """A command of dtomtrack, as a process is started with it."""
    return [sys.executable, "-m", "dtomtrack", *command]


def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """The command of dtomtrack, in a process of its own."""
    return subprocess.Popen(started(command), env=os.environ)


def workers_of(run: int) -> list[int]:
    """The worker processes of a run."""
    children = Path(f"/proc/{run}/task/{run}/children").read_text(encoding="utf-8").split()
    return [int(one) for one in children if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text(encoding="utf-8")]


class Ordeal:
    """One run, killed again and again.

    Args:
        server: that it asks.
        out: the folder with its journal.
        command: what starts it, and has it go on.
        workers: processes that it works in; every other kill takes one of them.

    Attributes:
        asked_again: requests of any session whose replies the journal held when it began.
        kills: how often it was killed.
    """

    def __init__(self, server: Loopback, out: Path, command: Sequence[str], workers: int = 1) -> None:
        self._server = server
        self._out = out
        self._command = command
        self._workers = workers
        self.asked_again = 0
        self.kills = 0

    def kill_after(self, requests: int) -> bool:
        """Start it, and kill it, or a worker of it, after so many requests; False if it was done before."""
        return self._session(requests) != 0

    def finish(self) -> None:
        """Let it come to its end."""
        status = self._session(None)
        if status:
            raise SystemExit(f"the run ended with status {status}")

    def _session(self, requests: int | None) -> int:
        held, seen = journaled(self._out), len(self._server.requests)
        process = start(self._command)
        while requests is not None and process.poll() is None and self._server.count < seen + requests:
            time.sleep(0.002)
        if requests is not None and process.poll() is None:
            own = workers_of(process.pid) if self._workers > 1 and self.kills % 2 else []
            os.kill(own[0] if own else process.pid, signal.SIGKILL)
            self.kills += 1
        status = process.wait()
        asked = {request["seed"] for request in self._server.requests[seen:]}
        self.asked_again += len(held & asked)
        how = {0: "ended", -signal.SIGKILL: "killed"}.get(status, "worker")
        print(
            f"  {how:6} {len(held):5} replies held at the start, {len(asked):4} requests, {len(held & asked)} again, "
            f"{len(journaled(self._out)):5} replies held now"
        )
        return status
