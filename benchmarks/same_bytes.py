"""The same bytes, whatever happens: concurrency 1 against 64, workers, and ten SIGKILLs.

    python benchmarks/same_bytes.py [--n 500] [--seed 0]
    python benchmarks/same_bytes.py --difficulty group --domain team --n 100

Kills come at random instants of a run's time, each in a run of its own that is then resumed until it is done, and
once more all ten in one run. Exit status 1 if any file differs.
"""

from __future__ import annotations

import argparse
import hashlib
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

COMMAND = Path(sys.executable).with_name("dtomtrack")
FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")
KILLS = 10


class Bench:
    """Runs of one order, each in a folder of its own."""

    def __init__(self, order: list[str], root: Path) -> None:
        self._order = ["generate", *order, "--quiet"]
        self._root = root
        self._folders = 0

    def folder(self) -> Path:
        self._folders += 1
        return self._root / str(self._folders)

    def start(self, out: Path, *more: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([str(COMMAND), *self._order, "--out", str(out), *more])

    def finish(self, out: Path, *more: str) -> dict[str, str]:
        if self.start(out, *more).wait() != 0:
            sys.exit("a run failed")
        return {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in FILES}

    def kill_after(self, out: Path, seconds: float) -> None:
        process = self.start(out)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description="The same bytes, whatever happens.")
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--domain", default="restaurant")
    parser.add_argument("--difficulty", default="paper")
    options = parser.parse_args()
    rng = Random(options.seed)
    failed = 0
    with tempfile.TemporaryDirectory() as root:
        given = {name: str(getattr(options, name)) for name in ("n", "seed", "domain", "difficulty")}
        bench = Bench([part for name, value in given.items() for part in (f"--{name}", value)], Path(root))
        start = time.monotonic()
        reference = bench.finish(bench.folder())
        length = time.monotonic() - start
        for name, digest in reference.items():
            print(f"{digest[:16]}  {name}")

        def compare(what: str, found: dict[str, str]) -> None:
            nonlocal failed
            failed += found != reference
            print(f"{'identical' if found == reference else 'DIFFERENT'}  {what}")

        compare("--workers 1 --concurrency 1", bench.finish(bench.folder(), "--workers", "1", "--concurrency", "1"))
        compare("--workers 1 --concurrency 64", bench.finish(bench.folder(), "--workers", "1", "--concurrency", "64"))
        compare("--workers 4", bench.finish(bench.folder(), "--workers", "4"))
        once = bench.folder()
        for _ in range(KILLS):
            instant = rng.uniform(0.05, 0.95) * length
            out = bench.folder()
            bench.kill_after(out, instant)
            bench.kill_after(once, instant / 2)
            compare(f"killed after {instant:.2f} of {length:.2f} s, resumed", bench.finish(out))
        compare(f"killed {KILLS} times in one run, resumed", bench.finish(once))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
