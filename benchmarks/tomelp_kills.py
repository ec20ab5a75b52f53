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
import time
from pathlib import Path
from random import Random

from loopback import Answer, Loopback, Request
from route_persuader import persuade

COMMAND = Path(sys.executable).with_name("dtomtrack")
CONCURRENCY = 16
_STOPS = 20


class Server:
    """Answers in set phrases, three of ten times with an error."""

    def __init__(self) -> None:
        self.served = 0
        self._rng = Random(0)

    def answer(self, body: Request) -> Answer:
        """An answer to a request."""
        if self._rng.random() < 0.3:
            return Answer(b"busy", status=503, headers={"Retry-After": "0.01"})
        self.served += 1
        return persuade(body)


def command(folder: Path, base_url: str, *more: str) -> list[str]:
    """The command of a play."""
    models = ["-m", "vllm/persuader", "--judge", "vllm/judge", "--base-url", base_url]
    options = ["--perturb", "all", "--concurrency", str(CONCURRENCY), "--quiet", *more]
    return [str(COMMAND), "play", "tomelp", str(folder), *models, *options]


def killed(run: list[str], kills: int) -> int:
    """Give a command again and again, killing it at random instants; then let it end. How often it was killed."""
    rng, done = Random(1), 0
    for _ in range(kills):
        process = subprocess.Popen(run)
        time.sleep(1.5 + 2.5 * rng.random())
        done += process.poll() is None
        process.kill()
        process.wait()
    to_the_end(run)
    return done


def to_the_end(run: list[str]) -> None:
    """Give a command until it is done: of eight tries of a call all may fail, and then a run stops."""
    for _ in range(_STOPS):
        if subprocess.run(run).returncode == 0:
            return
    raise SystemExit(f"stopped {_STOPS} times: {run}")


def main(kills: int, scenes: int) -> int:
    """Print what holds."""
    with tempfile.TemporaryDirectory() as root:
        alone, other = Path(root) / "alone", Path(root) / "killed"
        subprocess.run(
            [str(COMMAND), "generate", "--suite", "tomelp", "--n", str(scenes), "--out", str(alone), "--quiet"],
            check=True,
        )
        shutil.copytree(alone, other)
        first, second = Server(), Server()
        with Loopback(first.answer, latency=0.02, keep=False) as server:
            to_the_end(command(alone, server.base_url))
        with Loopback(second.answer, latency=0.02, keep=False) as server:
            done = killed(command(other, server.base_url), kills)
        plays = [folder / "play" / "vllm_persuader" for folder in (alone, other)]
        same = len({(play / "plays.jsonl").read_bytes() for play in plays}) == 1
        ids = [json.loads(line)["state"] for line in (plays[1] / "plays.jsonl").read_text("utf-8").split("\n") if line]
        wanted = (other / "states.jsonl").read_bytes().count(b"\n")
    again = second.served - first.served
    print(
        f"killed {done} times while running; same bytes: {same}; states {len(ids)} of {wanted}, {len(set(ids))} of them"
    )
    print(
        f"{first.served} replies left alone; {again} more under kills, at most {done * CONCURRENCY} were on their way"
    )
    whole = len(ids) == len(set(ids)) == wanted
    return 0 if same and whole and again <= done * CONCURRENCY else 1


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    sys.exit(main(*(given + [20, 6][len(given) :])))
