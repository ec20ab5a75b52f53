"""Generates a dataset for each domain and preset in a process of its own, and measures what it takes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Made", "Wanted", "make"]


@dataclass(frozen=True)
class Wanted:
    """A dataset to be made; ``turns`` where they are not the preset's."""

    domain: str
    preset: str
    n: int
    seed: int
    turns: int | None = None

    @property
    def name(self) -> str:
        """The name of its folder."""
        length = "" if self.turns is None else f"-{self.turns}"
        return f"{self.domain}-{self.preset}{length}-{self.seed}"


@dataclass(frozen=True)
class Made:
    """A dataset that was made: seconds by the clock and of all processors, and the memory of its largest process."""

    folder: Path
    preset: str
    n: int
    seconds: float
    processor_seconds: float
    megabytes: float


def make(out: Path, wanted: Sequence[Wanted]) -> Iterator[Made]:
    """Generate datasets one after another.

    Raises:
        SystemExit: one can't be generated; what was said of it stands above.
    """
    out.mkdir(parents=True, exist_ok=True)
    for one in wanted:
        folder = out / one.name
        command = [sys.executable, "-m", "dtomtrack", "generate", "--quiet", "--domain", one.domain]
        command += ["--n", str(one.n), "--seed", str(one.seed), "--difficulty", one.preset, "--out", str(folder)]
        command += [] if one.turns is None else ["--turns", str(one.turns)]
        begun = time.perf_counter()
        process = os.posix_spawn(sys.executable, command, os.environ)
        _, status, used = os.wait4(process, 0)
        seconds = time.perf_counter() - begun
        if status:
            sys.exit(f"{folder}: generate ended with status {os.waitstatus_to_exitcode(status)}")
        yield Made(folder, one.preset, one.n, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
