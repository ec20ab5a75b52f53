"""Measured figures beside their bars, and commands that are measured, done again and killed."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dtomtrack.audit import Audit

__all__ = ["Row", "Run", "blind_rules", "exactly", "kill_often", "run", "same_bytes", "show", "within"]

LONG = 30
LINES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


@dataclass(frozen=True)
class Row:
    """A measured figure, and whether it keeps to its bar."""

    what: str
    value: str
    bar: str
    kept: bool


def show(rows: Iterable[Row]) -> int:
    """Print rows; 1 if a bar is missed."""
    shown = list(rows)
    width = max(len(row.what) for row in shown)
    for row in shown:
        print(f"{'ok  ' if row.kept else 'MISS'} {row.what:{width}}  {row.value:>22}  bar: {row.bar}")
    return 0 if all(row.kept for row in shown) else 1


def exactly(what: str, value: object, bar: object) -> Row:
    """A figure that has to be just so."""
    return Row(what, str(value), str(bar) if value != bar or len(str(bar)) < LONG else "this", value == bar)


def within(what: str, value: float, low: float | None = None, high: float | None = None) -> Row:
    """A figure that has to be neither below nor above something."""
    limits = [f">= {low:g}" if low is not None else "", f"<= {high:g}" if high is not None else ""]
    kept = (low is None or value >= low) and (high is None or value <= high)
    return Row(what, f"{value:.4g}", " and ".join(filter(None, limits)), kept)


@dataclass(frozen=True)
class Run:
    """A command that was run: its exit status, seconds of processor time, and the most memory, in MB."""

    status: int
    seconds: float
    peak: float
    output: str


def run(*arguments: object) -> Run:
    """Run a command of dtomtrack in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # the largest of all children so far, which is no less than this one's
    return Run(done.returncode, seconds, after.ru_maxrss / 1024, done.stdout + done.stderr)


def command(*arguments: object) -> Sequence[str]:
    """A command of dtomtrack as a list of words."""
    return [sys.executable, "-m", "dtomtrack", *map(str, arguments)]


def same_bytes(first: Path, second: Path) -> bool:
    """Whether two datasets have the same lines."""
    return all((first / name).read_bytes() == (second / name).read_bytes() for name in LINES)


def kill_often(arguments: Sequence[object], out: Path, slots: int, kills: int) -> None:
    """Run a command that fills a folder, killed after random numbers of slots, and to its end at last."""
    progress = out / "progress.jsonl"
    for wanted in sorted(random.Random(0).sample(range(1, slots - 5), kills)):
        process = subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not progress.exists() or progress.read_bytes().count(b"\n") < wanted):
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    run(*arguments)


def blind_rules(name: str, found: Audit, allowed: float, *, types: Sequence[str] = ()) -> Row:
    """The rule that never reads the conversation and exceeds what guessing, or one set, gets by most points.

    Args:
        types: only items of these; by default, all.
        allowed: points.
    """
    rows = [row for row in found.rows if not row.reads_context and (not types or row.group in types)]
    worst = max(rows, key=lambda row: (row.accuracy.value or 0.0) - row.expected)
    over = 100 * ((worst.accuracy.value or 0.0) - worst.expected)
    return Row(f"{name}: {worst.rule}, {worst.group}", f"{over:+.1f}", f"<= {allowed:+g}", over <= allowed)
