"""The cost of kills of nodes and of the run itself on a Ray cluster: nothing, if all is well.

    python benchmarks/ray_kills.py                           two nodes, ten kills of nodes, ten of the run
    python benchmarks/ray_kills.py --nodes 4 --kills 5       more nodes, fewer kills
    python benchmarks/ray_kills.py --scripted                without a model: the bytes alone
    python benchmarks/ray_kills.py --format parquet          with data files as Parquet, in parts of 8 dialogues

Several nodes of ``ray.cluster_utils.Cluster`` on this machine stand for machines. A run with a stand-in for a model
(``performer.py``) goes on while its nodes are killed and replaced at random; then another is killed itself, again and
again, and started again each time. Files are compared with those of one process. At each kill, what journal and shards
hold is written down: a request for any of it later on would be paid twice. Exit status 1 if a byte differs or that
happens. Nodes on one machine share its disk, so that a killed node's shard is still found there; of one that is gone
with its disk, what it had sent is what is kept.
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
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from killing import journaled, started
from loopback import Loopback
from performer import perform
from ray_machines import RayMachines

from dtomtrack.llm.chat import CallKey
from dtomtrack.runs.shards import Shards

FILES = ("dialogues", "questions", "rejected")
SMALL_PARTS = "import dtomtrack.runs.part_store as s; s.SLOTS_A_PART = 8; from dtomtrack.cli.main import main; main()"
"""A whole part of 500 dialogues would only be written at the end of so short a run."""
MOST_SECONDS = 300.0


def command(out: Path, given: argparse.Namespace, models: list[str], *engine: str) -> list[str]:
    """The command of the run."""
    words = ["generate", "--n", str(given.dialogues), "--out", str(out), "--quiet", *models, *engine]
    if given.format == "jsonl":
        return started(words)
    return [sys.executable, "-c", SMALL_PARTS, *words, "--format", given.format]


def contents(out: Path) -> dict[str, bytes]:
    """The data files, or all parts of them."""
    paths = (path for name in FILES for path in (*out.glob(f"{name}.jsonl"), *out.glob(f"{name}/*.parquet")))
    return {str(path.relative_to(out)): path.read_bytes() for path in paths}


def in_shards(out: Path) -> set[int]:
    """The seeds of the requests of a run whose replies are in shards on this machine."""
    found: set[int] = set()
    for path in Path(tempfile.gettempdir()).glob(f"dtomtrack-{os.getuid()}/{Shards(out).run}/*.sqlite"):
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as shard:
                calls = shard.execute("select unit, purpose, try from replies").fetchall()
        except sqlite3.Error:
            continue  # removed meanwhile, or just being made
        found |= {CallKey(*call).seed(0) for call in calls}
    return found


@dataclass
class Ordeal:
    """A run whose nodes are killed, or which is killed itself.

    Attributes:
        again: requests for replies that were there at a kill before.
    """

    server: Loopback
    out: Path
    machines: RayMachines
    run: list[str]
    again: int = 0
    sessions: list[int] = field(default_factory=list)

    def kill_nodes(self, waits: Iterator[float]) -> int:
        """Kill a node and start another, after each of these waits, until the run ends; gives how many."""
        process, kills = subprocess.Popen(self.run), 0
        for wait in waits:
            if not self._go_on(process, wait):
                break
            self.machines.kill_one()
            kills += 1
            self._mark()
            self.machines.start_one()
        self._ended(process)
        return kills

    def kill_run(self, waits: Iterator[float]) -> int:
        """Kill the run after each of these waits, and start it again; gives how many kills it took."""
        kills = 0
        for wait in waits:
            process = subprocess.Popen(self.run)
            if not self._go_on(process, wait):
                break
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
            self._mark()
        self._ended(subprocess.Popen(self.run))
        return kills

    def _go_on(self, process: subprocess.Popen[bytes], wait: float) -> bool:
        """Wait until the session has made a request, and then so long; False if the run has ended."""
        begun, seen = time.monotonic(), self.server.count
        while self.server.count == seen and process.poll() is None and time.monotonic() - begun < MOST_SECONDS:
            time.sleep(0.01)
        due = time.monotonic() + wait
        while time.monotonic() < due and process.poll() is None:
            time.sleep(0.002)
        return process.poll() is None

    def _mark(self) -> None:
        """Write down what is there; count what is asked for again since the last time."""
        self._count()
        self._held = journaled(self.out) | in_shards(self.out)
        self._seen = len(self.server.requests)
        print(f"  killed with {len(self._held):5} replies held, after {self._seen} requests", flush=True)

    _held: set[int] = field(default_factory=set)
    _seen: int = 0

    def _count(self) -> None:
        self.again += sum(request["seed"] in self._held for request in self.server.requests[self._seen :])

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        status = process.wait()
        self._count()
        self._held = set()
        if status:
            raise SystemExit(f"the run ended with status {status}: {self.run}")


def scripted(machines: RayMachines, given: argparse.Namespace, folder: Path) -> bool:
    """Whether a run without a model has the same bytes though nodes are killed."""
    reference, out = folder / "reference", folder / "out"
    subprocess.run(command(reference, given, [], "--engine", "local"), check=True)
    process = subprocess.Popen(command(out, given, [], *engine(machines)))
    rng, kills = Random(given.seed), 0
    while kills < given.kills and process.poll() is None:
        time.sleep(rng.uniform(2.0, 6.0))
        if process.poll() is None:
            machines.kill_one()
            machines.start_one()
            kills += 1
    if process.wait():
        raise SystemExit("the run failed")
    same = contents(out) == contents(reference) != {}
    print(f"scripted: {kills} nodes killed: {'the same bytes' if same else 'OTHER BYTES'}")
    return same


def engine(machines: RayMachines) -> list[str]:
    """The options that send a run there."""
    return ["--engine", "ray", "--ray-address", machines.address]


def with_models(machines: RayMachines, given: argparse.Namespace, folder: Path) -> bool:
    """Whether runs with models have the same bytes, and pay for nothing twice, whatever is killed."""
    rng, fine = Random(given.seed), True
    with Loopback(perform, latency=0.3) as server:
        models = ["--actor-model", "vllm/x", "--base-url", server.base_url, "--concurrency", "4"]
        reference = folder / "reference"
        subprocess.run(command(reference, given, models, "--engine", "local"), check=True)
        once = server.count
        print(f"a run of {given.dialogues} dialogues makes {once} requests")
        ordeals: dict[str, Callable[[Ordeal, Iterator[float]], int]] = {
            "nodes": Ordeal.kill_nodes,
            "the run": Ordeal.kill_run,
        }
        for name, kill in ordeals.items():
            out, before = folder / name.replace(" ", "-"), server.count
            ordeal = Ordeal(server, out, machines, command(out, given, models, *engine(machines)))
            kills = kill(ordeal, (rng.uniform(0.1, given.wait) for _ in range(given.kills)))
            same, held = contents(out) == contents(reference) != {}, len(journaled(out))
            print(
                f"{kills} kills of {name}: {'the same bytes' if same else 'OTHER BYTES'} as one process, "
                f"{ordeal.again} replies paid twice; {held} replies in the journal, {server.count - before} requests, "
                "of which the rest were cut off by a kill"
            )
            fine = fine and same and not ordeal.again and held == once
    return fine


def main() -> None:
    """Print a line a kill, and what came of it all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--nodes", type=int, default=2)
    arguments.add_argument("--dialogues", type=int, default=20)
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--wait", type=float, default=3.0, help="seconds of work before a kill, at most")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--scripted", action="store_true")
    arguments.add_argument("--format", choices=("jsonl", "parquet"), default="jsonl")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # nodes keep shards there: those of others would count as held
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        with RayMachines(given.nodes) as machines:
            fine = (scripted if given.scripted else with_models)(machines, given, Path(folder))
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
