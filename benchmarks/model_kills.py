"""What ten SIGKILLs at random instants cost a run with language models: nothing, if all is well.

    python benchmarks/model_kills.py                        20 dialogues, ten kills
    python benchmarks/model_kills.py --kills 30 --seed 1    more of them, at other instants

A run with a stand-in for a model (``performer.py``) is killed again and again, and started again each time. Its files
are compared with those of a run that was never killed, and each session's requests with what the journal held when it
began. Exit status 1 if a byte differs, or a request was made whose reply was in the journal.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random

from loopback import Loopback
from performer import perform

from dtomtrack.llm.chat import CallKey
from dtomtrack.llm.journal import JOURNAL

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


def start(server: Loopback, out: Path, dialogues: int) -> subprocess.Popen[bytes]:
    """The run, in a process of its own."""
    models = ["--actor-model", "vllm/x", "--base-url", server.base_url, "--concurrency", "4"]
    command = ["generate", "--n", str(dialogues), "--out", str(out), "--quiet", *models]
    return subprocess.Popen([sys.executable, "-m", "dtomtrack", *command], env=os.environ)


def journaled(out: Path) -> set[int]:
    """The seeds of the requests whose replies are in the journal: each call has one of its own."""
    if not (out / JOURNAL).exists():
        return set()
    with closing(sqlite3.connect(out / JOURNAL)) as journal:
        try:
            calls = journal.execute("select unit, purpose, try from replies").fetchall()
        except sqlite3.OperationalError:
            return set()  # killed before there was a table
    return {CallKey(*call).seed(0) for call in calls}


def contents(out: Path) -> list[bytes]:
    """The data files."""
    return [(out / name).read_bytes() for name in FILES]


class Ordeal:
    """One run, killed again and again.

    Attributes:
        asked_again: requests of any session whose replies the journal held when it began.
        kills: how often it was killed.
    """

    def __init__(self, server: Loopback, out: Path, dialogues: int) -> None:
        self._server = server
        self._out = out
        self._dialogues = dialogues
        self.asked_again = 0
        self.kills = 0

    def kill_after(self, seconds: float) -> bool:
        """Start it, and kill it so long after; False if it was done before."""
        return self._session(seconds) == -signal.SIGKILL

    def finish(self) -> None:
        """Let it come to its end."""
        status = self._session(None)
        if status:
            raise SystemExit(f"the run ended with status {status}")

    def _session(self, seconds: float | None) -> int:
        held, seen = journaled(self._out), len(self._server.requests)
        process = start(self._server, self._out, self._dialogues)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            self.kills += 1
        status = process.wait()
        asked = {request["seed"] for request in self._server.requests[seen:]}
        self.asked_again += len(held & asked)
        how = "killed" if status == -signal.SIGKILL else "ended"
        print(
            f"  {how:6} {len(held):5} replies held at the start, {len(asked):4} requests, {len(held & asked)} again, "
            f"{len(journaled(self._out)):5} replies held now"
        )
        return status


def main() -> None:
    """Print a line a session, and what came of it all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--dialogues", type=int, default=20)
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    rng = Random(given.seed)
    with tempfile.TemporaryDirectory() as folder, Loopback(perform, latency=0.05) as server:
        started = time.monotonic()
        reference, out = Path(folder) / "reference", Path(folder) / "out"
        if start(server, reference, given.dialogues).wait():
            raise SystemExit("the run that is never killed did not come to its end")
        seconds = time.monotonic() - started
        print(f"a run of {given.dialogues} dialogues takes {seconds:.1f} s and {server.count} requests")
        ordeal = Ordeal(server, out, given.dialogues)
        # a start takes about a second, and most of the kills are to come after it
        while ordeal.kills < given.kills and ordeal.kill_after(rng.uniform(0.2, 1.0 + seconds / 4)):
            pass
        ordeal.finish()
        same = contents(out) == contents(reference)
        print(
            f"{ordeal.kills} kills: {'the same bytes' if same else 'OTHER BYTES'} as the run never killed, "
            f"{ordeal.asked_again} journaled replies asked for again"
        )
        sys.exit(0 if same and not ordeal.asked_again else 1)


if __name__ == "__main__":
    main()
