"""The cost of ten SIGKILLs after random numbers of requests of a run with language models: nothing, if all is well.

    python benchmarks/model_kills.py                        20 dialogues, ten kills
    python benchmarks/model_kills.py --kills 30 --seed 1    more of them, after other numbers
    python benchmarks/model_kills.py --workers 2            in worker processes, of which every other kill takes one

A run with a stand-in for a model (``performer.py``) is killed again and again, and started again each time. Its files
are compared with those of a run that was never killed, and each session's requests with what the journal held when it
began. Exit status 1 if a byte differs, or a request was made whose reply was in the journal.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from killing import journaled
from loopback import Loopback
from performer import perform

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


def start(server: Loopback, out: Path, dialogues: int, workers: int) -> subprocess.Popen[bytes]:
    """The run, in a process of its own."""
    models = ["--actor-model", "vllm/x", "--base-url", server.base_url, "--concurrency", "4"]
    command = ["generate", "--n", str(dialogues), "--out", str(out), "--quiet", "--workers", str(workers), *models]
    return subprocess.Popen([sys.executable, "-m", "dtomtrack", *command], env=os.environ)


def workers_of(run: int) -> list[int]:
    """The worker processes of a run."""
    children = Path(f"/proc/{run}/task/{run}/children").read_text(encoding="utf-8").split()
    return [int(one) for one in children if "spawn_main" in Path(f"/proc/{one}/cmdline").read_text(encoding="utf-8")]


def contents(out: Path) -> list[bytes]:
    """The data files."""
    return [(out / name).read_bytes() for name in FILES]


class Ordeal:
    """One run, killed again and again.

    Attributes:
        asked_again: requests of any session whose replies the journal held when it began.
        kills: how often it was killed.
    """

    def __init__(self, server: Loopback, out: Path, dialogues: int, workers: int) -> None:
        self._server = server
        self._out = out
        self._dialogues = dialogues
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
        process = start(self._server, self._out, self._dialogues, self._workers)
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


def main() -> None:
    """Print a line a session, and what came of it all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--dialogues", type=int, default=20)
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--workers", type=int, default=1)
    given = arguments.parse_args()
    rng = Random(given.seed)
    with tempfile.TemporaryDirectory() as folder, Loopback(perform, latency=0.05) as server:
        started = time.monotonic()
        reference, out = Path(folder) / "reference", Path(folder) / "out"
        if start(server, reference, given.dialogues, 1).wait():
            raise SystemExit("the run that is never killed did not come to its end")
        seconds = time.monotonic() - started
        print(f"a run of {given.dialogues} dialogues takes {seconds:.1f} s and {server.count} requests")
        ordeal = Ordeal(server, out, given.dialogues, given.workers)
        once = server.count
        # few enough that a run is killed as often as wanted before it is done
        while ordeal.kills < given.kills and ordeal.kill_after(rng.randrange(max(2, once // given.kills))):
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
