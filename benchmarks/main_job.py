"""Time and memory of the main job, as whole processes.

    python benchmarks/main_job.py                 500 dialogues, five runs; --help, nine
    python benchmarks/main_job.py --long          also memory at 20,000 dialogues against 500 (some minutes)
    python benchmarks/main_job.py --long 200000   the same at so many (twenty minutes)
    python benchmarks/main_job.py --difficulty group --runs 1 --long 4000   memory where minds come apart

Times are wall clock, imports and start included, of runs that nobody watches. Memory is that of one run more, sampled
over its processes: the sum of what each has in RAM, shared pages counted once (PSS), for which the kernel goes through
all their pages and holds them up; and beside it the largest single process (RSS). The long run, watched once a second,
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PAPER = "paper"
MOST, RATE = 1.1, 350
COMMAND = Path(sys.executable).with_name("dtomtrack")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""What commands are started in: with byte code, which a shell may leave unwritten for all that it installs."""


@dataclass(frozen=True)
class Memory:
    """The most of a run, in MB: of all its processes together, and of the largest."""

    together: float
    largest: float


def timed(arguments: list[str]) -> float:
    """Seconds that a command takes."""
    start = time.monotonic()
    _ended(_started(arguments), arguments)
    return time.monotonic() - start


def watched(arguments: list[str], every: float = 0.1) -> Memory:
    """The memory that a command takes, looked at every so many seconds."""
    process = _started(arguments)
    together = largest = 0.0
    while process.poll() is None:
        sizes = [_memory(member) for member in _family(process.pid)]
        together = max(together, sum(pss for pss, _ in sizes))
        largest = max([largest, *(rss for _, rss in sizes)])
        time.sleep(every)
    _ended(process, arguments)
    return Memory(together / 1024, largest / 1024)


def _started(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([str(COMMAND), *arguments], stdout=subprocess.DEVNULL, env=ENVIRONMENT)


def _ended(process: subprocess.Popen[bytes], arguments: list[str]) -> None:
    if process.wait() != 0:
        sys.exit(f"{arguments} ended with {process.returncode}")


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


@contextmanager
def generating(n: int, difficulty: str) -> Iterator[list[str]]:
    """The arguments of a command that makes so many dialogues, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["generate", "--domain", "restaurant", "--n", str(n), "--seed", "0", "--quiet"]
        yield [*arguments, "--difficulty", difficulty, "--out", f"{folder}/out"]


def time_of(n: int, difficulty: str) -> float:
    """Seconds that so many dialogues take."""
    with generating(n, difficulty) as arguments:
        return timed(arguments)


def show(what: str, seconds: list[float], memory: Memory) -> None:
    """Print a line of the table."""
    print(
        f"{what:28} {min(seconds):6.2f} {statistics.median(seconds):6.2f} {max(seconds):6.2f} s"
        f"  {memory.together:6.0f} MB all processes  {memory.largest:6.0f} MB the largest"
    )


def main() -> int:
    """Measure, print, and say by the exit status whether the long run is within its bars."""
    parser = argparse.ArgumentParser(description="Time and memory of the main job.")
    parser.add_argument("--long", type=int, nargs="?", const=20_000, help="also so many dialogues, or 20,000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--difficulty", default=PAPER)
    options = parser.parse_args()
    time_of(1, options.difficulty)  # so that byte code is there
    print(f"{os.cpu_count()} cores; wall time: minimum, median, maximum; memory: highest of a run")
    show("dtomtrack --help", [timed(["--help"]) for _ in range(2 * options.runs - 1)], watched(["--help"], 0.01))
    with generating(500, options.difficulty) as arguments:
        few = watched(arguments)
    show(f"{options.difficulty}, --n 500", [time_of(500, options.difficulty) for _ in range(options.runs)], few)
    if options.long is None:
        return 0
    with generating(options.long, options.difficulty) as arguments:
        start = time.monotonic()
        many = watched(arguments, every=1)
        seconds = time.monotonic() - start
    show(f"{options.difficulty}, --n {options.long}", [seconds], many)
    print(f"memory at {options.long:,} against 500: {many.together / few.together - 1:+.1%} (bar +10%)")
    rate, least = options.long / seconds, RATE if options.difficulty == PAPER else 0
    print(f"{rate:.0f} dialogues a second ({f'bar {least}' if least else 'no bar'})")
    return 0 if many.together <= MOST * few.together and rate >= least else 1


if __name__ == "__main__":
    sys.exit(main())
