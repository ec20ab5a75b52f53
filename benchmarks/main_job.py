"""Time and memory of the main job, as whole processes.

    python benchmarks/main_job.py                 500 dialogues, five runs; --help, nine runs
    python benchmarks/main_job.py --long          also memory at 20,000 dialogues against 500 (some minutes)
    python benchmarks/main_job.py --long 200000   the same at so many (twenty minutes)
    python benchmarks/main_job.py --difficulty group --runs 1 --long 4000   memory where minds come apart

Memory is sampled every 100 ms over the run's processes: the sum of what each has in RAM, shared pages counted once
(PSS); and beside it the largest single process (RSS). Times are wall clock, imports and start included. The long run
has bars, for two cores: 350 dialogues of ``paper`` a second, and a tenth more memory than the short one; exit status 1
on a miss.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PAPER = "paper"
MOST, RATE = 1.1, 350
COMMAND = Path(sys.executable).with_name("dtomtrack")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""What commands are started in: with byte code, which a shell may leave unwritten for all that it installs."""


@dataclass(frozen=True)
class Measured:
    """One run: wall time in seconds, memory in MB."""

    seconds: float
    together: float
    largest: float


def measure(arguments: list[str]) -> Measured:
    start = time.monotonic()
    process = subprocess.Popen([str(COMMAND), *arguments], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    together = largest = 0.0
    while process.poll() is None:
        sizes = [_memory(member) for member in _family(process.pid)]
        together = max(together, sum(pss for pss, _ in sizes))
        largest = max([largest, *(rss for _, rss in sizes)])
        time.sleep(0.1)
    if process.returncode != 0:
        sys.exit(f"{arguments} ended with {process.returncode}")
    return Measured(time.monotonic() - start, together / 1024, largest / 1024)


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    except OSError:
        return []
    return [pid, *(member for child in children for member in _family(int(child)))]


def _memory(pid: int) -> tuple[int, int]:
    """(PSS, RSS) in kB."""
    sizes = {"Pss": 0, "Rss": 0}
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").split("\n"):
            name, _, value = line.partition(":")
            if name in sizes:
                sizes[name] = int(value.split()[0])
    except (OSError, ValueError):
        return 0, 0
    return sizes["Pss"], sizes["Rss"]


def generate(n: int, runs: int, difficulty: str) -> list[Measured]:
    measured = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["generate", "--domain", "restaurant", "--n", str(n), "--seed", "0", "--quiet"]
            arguments += ["--difficulty", difficulty]
            measured.append(measure([*arguments, "--out", f"{folder}/out"]))
    return measured


def show(what: str, measured: list[Measured]) -> None:
    seconds = [one.seconds for one in measured]
    together, largest = max(one.together for one in measured), max(one.largest for one in measured)
    print(
        f"{what:28} {min(seconds):6.2f} {statistics.median(seconds):6.2f} {max(seconds):6.2f} s"
        f"  {together:6.0f} MB all processes  {largest:6.0f} MB the largest"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Time and memory of the main job.")
    parser.add_argument("--long", type=int, nargs="?", const=20_000, help="also so many dialogues, or 20,000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--difficulty", default=PAPER)
    options = parser.parse_args()
    generate(1, 1, options.difficulty)  # so that byte code is there
    print(f"{os.cpu_count()} cores; wall time: minimum, median, maximum; memory: highest of the runs")
    show("dtomtrack --help", [measure(["--help"]) for _ in range(2 * options.runs - 1)])
    few = generate(500, options.runs, options.difficulty)
    show(f"{options.difficulty}, --n 500", few)
    if options.long is None:
        return 0
    many = generate(options.long, 1, options.difficulty)
    show(f"{options.difficulty}, --n {options.long}", many)
    before, after = (max(one.together for one in runs) for runs in (few, many))
    print(f"memory at {options.long:,} against 500: {after / before - 1:+.1%} (bar +10%)")
    rate, least = options.long / many[0].seconds, RATE if options.difficulty == PAPER else 0
    print(f"{rate:.0f} dialogues a second ({f'bar {least}' if least else 'no bar'})")
    return 0 if after <= MOST * before and rate >= least else 1


if __name__ == "__main__":
    sys.exit(main())
