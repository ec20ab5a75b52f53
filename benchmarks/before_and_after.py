"""How much longer `generate` takes in one checkout than in another, measured in turns.

    python benchmarks/before_and_after.py BEFORE/.venv/bin/python AFTER/.venv/bin/python
    python benchmarks/before_and_after.py BEFORE/.venv/bin/python AFTER/.venv/bin/python --instructions

Each checkout is given by the interpreter of its environment. Both make the same dialogues, with model actors behind one
server of fixed latency in a process of its own, and scripted. Times wander with whatever else the machine does; with
``--instructions`` the instructions of a dialogue are counted instead (valgrind), which a busy machine hardly changes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence

from model_throughput import AT_ONCE, serve

_RUN = f"""
import json, resource, sys, tempfile, time
from pathlib import Path
from dtomtrack import generate
from dtomtrack.graphs import roleplay
n, url = int(sys.argv[1]), sys.argv[2]
model = dict(actor_model="openai/x", base_url=url, concurrency={AT_ONCE}) if url else {{}}
used = resource.getrusage(resource.RUSAGE_SELF)
started = time.monotonic()
with tempfile.TemporaryDirectory() as folder:
    made = generate("restaurant", n=n, out=Path(folder) / "out", workers=1, **model)
seconds = time.monotonic() - started
now = resource.getrusage(resource.RUSAGE_SELF)
assert made.counts.dialogues == n
print(json.dumps([seconds, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime]))
"""
_COUNT = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
_FEW = 8
"""Dialogues of a run that is taken off, for what is done once."""


def timed(python: str, dialogues: int, url: str) -> tuple[float, float]:
    """(seconds, seconds of processor) of a run."""
    wall, processor = json.loads(_run([python], dialogues, url).stdout.splitlines()[-1])
    return wall, processor


def counted(python: str, dialogues: int, url: str) -> float:
    """Millions of instructions a dialogue."""
    few, all_ = (_instructions(_run([*_COUNT, python], n, url).stderr) for n in (_FEW, _FEW + dialogues))
    return (all_ - few) / dialogues / 1e6


def _run(command: Sequence[str], dialogues: int, url: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    environment.pop("OPENAI_API_KEY", None)
    given = [*command, "-c", _RUN, str(dialogues), url]
    return subprocess.run(given, capture_output=True, text=True, check=True, env=environment)


def _instructions(told: str) -> int:
    found = re.search(r"I\s+refs:\s+([\d,]+)", told)
    if found is None:
        sys.exit(f"valgrind said nothing of instructions: {told[-300:]}")
    return int(found[1].replace(",", ""))


def in_turns(work: Callable[[str], float], before: str, after: str, pairs: int) -> list[float]:
    """After / before of each pair; which comes first takes turns."""
    ratios = []
    for number in range(pairs):
        order = (before, after) if number % 2 == 0 else (after, before)
        found = {python: work(python) for python in order}
        ratios.append(found[after] / found[before])
    return ratios


def compare(given: argparse.Namespace, what: str, url: str, dialogues: int) -> None:
    """Print a line."""
    if given.instructions:
        before, after = (counted(python, dialogues, url) for python in (given.before, given.after))
        print(f"{what}: {before:.2f} and {after:.2f} million instructions a dialogue, x {after / before:.3f}")
        return
    timed(given.before, _FEW, url), timed(given.after, _FEW, url)
    processor: list[float] = []

    def seconds(python: str) -> float:
        wall, used = timed(python, dialogues, url)
        processor.append(used)
        return wall

    walls = in_turns(seconds, given.before, given.after, given.pairs)
    pairs = zip(processor[::2], processor[1::2], strict=True)
    used = [right / left if number % 2 == 0 else left / right for number, (left, right) in enumerate(pairs)]
    print(
        f"{what}: time x {statistics.median(walls):.3f} ({min(walls):.3f} to {max(walls):.3f}), "
        f"processor x {statistics.median(used):.3f}, medians of {given.pairs} pairs"
    )


def main() -> None:
    """Print after / before, with model actors and scripted."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("before", help="the interpreter of the environment of one checkout")
    arguments.add_argument("after", help="that of the other")
    arguments.add_argument("--pairs", type=int, default=6)
    arguments.add_argument("--latency", type=float, default=0.02)
    arguments.add_argument("--dialogues", type=int, default=250)
    arguments.add_argument("--instructions", action="store_true")
    given = arguments.parse_args()
    if given.instructions:
        given.dialogues = min(given.dialogues, 56)
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(given.latency, theirs))
    server.start()
    theirs.close()
    compare(given, f"model actors at {given.latency} s", ours.recv(), given.dialogues)
    ours.close()
    server.join()
    compare(given, "scripted", "", 2 * given.dialogues)


if __name__ == "__main__":
    main()
