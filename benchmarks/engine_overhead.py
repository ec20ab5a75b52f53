"""The cost of Ray beside worker processes, for scripted dialogues on the cores of this machine.

    python benchmarks/engine_overhead.py                20,000 dialogues, once with each engine
    python benchmarks/engine_overhead.py --n 5000 --pairs 3

The engines take turns, with two workers each; Ray's are on two nodes of a cluster that is up already. Time is that from
the first to the last slot that is written: how long workers take to start does not grow with the dialogues, and is told
beside it. Exit status 1 if Ray takes over 15 % more in the median of the pairs, or writes other bytes.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from killing import started
from ray_machines import RayMachines

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")
MOST = 1.15


@dataclass(frozen=True)
class Timed:
    """A run: seconds until the first slot was written, and from there to the end."""

    start: float
    work: float
    content: tuple[bytes, ...]


def timed(n: int, *engine: str) -> Timed:
    """A run in a folder that goes again."""
    with tempfile.TemporaryDirectory() as folder:
        out, begun = Path(folder) / "out", time.monotonic()
        process = subprocess.Popen(started(["generate", "--n", str(n), "--out", str(out), "--quiet", *engine]))
        progress = out / "progress.jsonl"
        while process.poll() is None and not (progress.exists() and progress.stat().st_size):
            time.sleep(0.005)
        first = time.monotonic()
        if process.wait():
            raise SystemExit(f"the run with {engine} failed")
        ended = time.monotonic()
        return Timed(first - begun, ended - first, tuple((out / name).read_bytes() for name in FILES))


def main() -> int:
    """Print a line a pair, and the median of the ratios."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--n", type=int, default=20_000)
    arguments.add_argument("--pairs", type=int, default=1)
    given = arguments.parse_args()
    ratios, same = [], True
    with RayMachines(2) as machines:
        engines = {
            "processes": ("--engine", "processes", "--workers", "2"),
            "ray": ("--engine", "ray", "--workers", "2", "--ray-address", machines.address),
        }
        for number in range(given.pairs):
            order = list(engines) if number % 2 == 0 else list(reversed(engines))
            found = {name: timed(given.n, *engines[name]) for name in order}
            ours, theirs = found["ray"], found["processes"]
            ratios.append(ours.work / theirs.work)
            same = same and ours.content == theirs.content
            told = "  ".join(
                f"{name}: first slot after {one.start:.1f} s, all after {one.work:.1f} s more"
                for name, one in found.items()
            )
            print(f"{told}  ray / processes {ratios[-1]:.3f}", flush=True)
    found_ratio = statistics.median(ratios)
    kept = found_ratio <= MOST and same
    print(f"{'ok' if kept else 'MISS'}: x {found_ratio:.3f} (bar {MOST}); {'the same' if same else 'OTHER'} bytes")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
