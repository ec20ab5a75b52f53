"""Runs that are killed at random instants and given again, against a server that fails three times in ten."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from loopback import Answer, Loopback, Request

from dtomtrack.llm.chat import CallKey
from dtomtrack.llm.journal import JOURNAL

__all__ = ["FaultyServer", "Killed", "journaled", "killed", "to_the_end"]

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


@dataclass(frozen=True)
class Killed:
    """How often a run was killed, and how many requests were made again whose replies its journal held."""

    times: int
    asked_again: int


def killed(run: Sequence[str], kills: int, seconds: tuple[float, float], server: Loopback, folder: Path) -> Killed:
    """Give a command again and again, killing it between so many seconds; then let it end.

    Args:
        server: which keeps its requests.
        folder: where the journal of the run is.
    """
    rng, times, again = Random(1), 0, 0
    for _ in range(kills):
        held, seen = journaled(folder), len(server.requests)
        process = subprocess.Popen(run)
        time.sleep(rng.uniform(*seconds))
        times += process.poll() is None
        process.kill()
        process.wait()
        again += len(held & {request["seed"] for request in server.requests[seen:]})
    held, seen = journaled(folder), len(server.requests)
    to_the_end(run)
    again += len(held & {request["seed"] for request in server.requests[seen:]})
    return Killed(times, again)


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
