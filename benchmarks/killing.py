"""Runs that are killed again and again, and what they ask for that their journal already holds.

Killed after so many requests, against servers that may fail three times in ten.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from loopback import Answer, Loopback, Request

from dtomtrack.llm.chat import CallKey
from dtomtrack.llm.journal import JOURNAL

__all__ = ["FaultyServer", "Ordeal", "journaled", "killed", "started", "to_the_end", "workers_of"]

_STOPS = 20


class FaultyServer:
    """Answers by a function, and with an error so often: three of ten times, if it isn't said.

    Attributes:
        served: answers that were no errors.
    """

    def __init__(self, reply: Callable[[Request], Answer], faulty: float = 0.3) -> None:
        self.served = 0
        self._faulty = faulty
        self._reply = reply
        self._rng = Random(0)

    def answer(self, body: Request) -> Answer:
        """An answer to a request."""
        if self._rng.random() < self._faulty:
            return Answer(b"busy", status=503, headers={"Retry-After": "0.01"})
        self.served += 1
        return self._reply(body)


def started(command: Sequence[str]) -> list[str]:
    """A command of dtomtrack, as a process is started with it."""
    return [sys.executable, "-m", "dtomtrack", *command]


def workers_of(run: int) -> list[int]:
    """The worker processes of a run; they are its children, or those of a child that they are forked from."""
    # those that have ended have no command; another child is what multiprocessing keeps to clean up
    commands = {one: _command(one) for one in _children(run)}
    own = [one for one, command in commands.items() if command and "resource_tracker" not in command]
    forking = [one for one in own if "forkserver" in commands[one] and commands[one] != _command(run)]
    return [*(one for one in own if one not in forking), *(worker for one in forking for worker in _children(one))]


def _children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()]


def _command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")


class Ordeal:
    """One run, killed again and again.

    Args:
        server: that it asks.
        out: the folder with its journal.
        command: the process that starts it, and has it go on.
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
        wanted = len(self._server.requests) + requests
        return self._session(lambda: self._server.count >= wanted) != 0

    def finish(self) -> None:
        """Let it come to its end: of eight tries of a call all may fail, and then a run stops."""
        for _ in range(_STOPS):
            if self._session(None) == 0:
                return
        raise SystemExit(f"stopped {_STOPS} times: {self._command}")

    def _session(self, due: Callable[[], bool] | None) -> int:
        held, seen = journaled(self._out), len(self._server.requests)
        process = subprocess.Popen(self._command)
        while due is not None and process.poll() is None and not due():
            time.sleep(0.002)
        if due is not None and process.poll() is None:
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


def killed(run: Sequence[str], kills: int, once: int, server: Loopback, folder: Path) -> Ordeal:
    """Give a command again and again, killing it after so many requests, drawn at random; then let it end.

    Counted in requests and not in seconds: on a busy machine a run is still starting when its time is up.

    Args:
        once: how many requests the run makes when it is left alone.
        server: which keeps its requests.
        folder: where the journal of the run is.
    """
    rng, ordeal = Random(1), Ordeal(server, folder, run)
    while ordeal.kills < kills and ordeal.kill_after(rng.randrange(1, max(3, 2 * once // kills))):
        pass
    ordeal.finish()
    return ordeal


def to_the_end(run: Sequence[str]) -> None:
    """Give a command until it is done: of eight tries of a call all may fail, and then a run stops."""
    for _ in range(_STOPS):
        if subprocess.run(run).returncode == 0:
            return
    raise SystemExit(f"stopped {_STOPS} times: {run}")


def journaled(out: Path) -> set[int]:
    """The seeds of the requests whose replies are in the journal of a run of seed 0: each call has one of its own."""
    if not (out / JOURNAL).exists():
        return set()
    with closing(sqlite3.connect(out / JOURNAL)) as journal:
        try:
            calls = journal.execute("select unit, purpose, try from replies").fetchall()
        except sqlite3.OperationalError:
            return set()  # killed before there was a table
    return {CallKey(*call).seed(0) for call in calls}
