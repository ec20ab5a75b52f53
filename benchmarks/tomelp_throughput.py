"""How long a scripted play takes and how much memory: python benchmarks/tomelp_throughput.py [SCENES]

The subject faithful plays 32 cells of every state of 60 scenes, or as many as are given, and of four times as many, in
a process of its own. Time is computing time: other work on the machine doesn't count. Exit status 1 if the first
takes more than half a second a scene, or the second a tenth more memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = Path(sys.executable).with_name("dtomtrack")
SECONDS_A_SCENE = 0.5
MORE_MEMORY = 1.1


def measured(*given: str) -> tuple[float, float]:
    """Seconds of computing and the most memory in MB of a command."""
    process = subprocess.Popen([str(COMMAND), *given, "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {given}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(scenes: int) -> int:
    """Print what both plays took."""
    found = []
    with tempfile.TemporaryDirectory() as root:
        for n in (scenes, 4 * scenes):
            folder = f"{root}/{n}"
            measured("generate", "--suite", "tomelp", "--n", str(n), "--out", folder)
            found.append(measured("play", "tomelp", folder, "-m", "policy/faithful", "--perturb", "all"))
            print(f"{n} scenes x 32 cells: {found[-1][0]:.1f} s of computing, {found[-1][1]:.0f} MB at most")
    (seconds, memory), (_, more) = found
    print(f"time at most {SECONDS_A_SCENE * scenes:.0f} s; memory x{more / memory:.2f}, at most x{MORE_MEMORY}")
    return 0 if seconds <= SECONDS_A_SCENE * scenes and more <= MORE_MEMORY * memory else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
