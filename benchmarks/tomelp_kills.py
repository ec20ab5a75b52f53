"""Plays with models under SIGKILLs and faulty calls: python benchmarks/tomelp_kills.py [KILLS] [SCENES]

A server on loopback persuades and judges in set phrases; three of ten of its answers are errors. One play is left
alone, another is killed at random instants and given again until it is done: both have to end in the same bytes, no
state lost or doubled, and no reply that had arrived may be asked for again. Exit status 1 if not.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from killing import FaultyServer, killed, to_the_end
from loopback import Loopback
from route_persuader import persuade

COMMAND = Path(sys.executable).with_name("dtomtrack")
CONCURRENCY = 16


def command(folder: Path, base_url: str, *more: str) -> list[str]:
    """The command of a play."""
    models = ["-m", "vllm/persuader", "--judge", "vllm/judge", "--base-url", base_url]
    options = ["--perturb", "all", "--concurrency", str(CONCURRENCY), "--quiet", *more]
    return [str(COMMAND), "play", "tomelp", str(folder), *models, *options]


def main(kills: int, scenes: int) -> int:
    """Print what holds."""
    with tempfile.TemporaryDirectory() as root:
        alone, other = Path(root) / "alone", Path(root) / "killed"
        subprocess.run(
            [str(COMMAND), "generate", "--suite", "tomelp", "--n", str(scenes), "--out", str(alone), "--quiet"],
            check=True,
        )
        shutil.copytree(alone, other)
        first, second = FaultyServer(persuade), FaultyServer(persuade)
        with Loopback(first.answer, latency=0.02, keep=False) as server:
            to_the_end(command(alone, server.base_url))
        with Loopback(second.answer, latency=0.02) as server:
            play = other / "play" / "vllm_persuader"
            done = killed(command(other, server.base_url), kills, (1.5, 4.0), server, play)
        plays = [folder / "play" / "vllm_persuader" for folder in (alone, other)]
        same = len({(play / "plays.jsonl").read_bytes() for play in plays}) == 1
        ids = [json.loads(line)["state"] for line in (plays[1] / "plays.jsonl").read_text("utf-8").split("\n") if line]
        wanted = (other / "states.jsonl").read_bytes().count(b"\n")
    more, bound = second.served - first.served, done.times * CONCURRENCY
    print(
        f"killed {done.times} times while running; same bytes: {same}; states {len(ids)} of {wanted}, "
        f"{len(set(ids))} of them"
    )
    print(f"{first.served} replies left alone; {more} more under kills, at most {bound} were on their way")
    print(f"{done.asked_again} journaled replies asked for again")
    whole = len(ids) == len(set(ids)) == wanted
    return 0 if same and whole and not done.asked_again and more <= bound else 1


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*(given + [20, 6][len(given) :])))
