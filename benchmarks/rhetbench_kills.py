"""Episodes with a model under SIGKILLs and faulty calls: python benchmarks/rhetbench_kills.py [KILLS]

A server on loopback persuades in set phrases; three of ten of its answers are errors. One run is left alone, another is
killed at random instants and given again until it is done: both have to end in the same bytes, and no reply that had
arrived may be asked for again. Exit status 1 if that does not hold.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from loopback import Answer, Loopback, Request, completion

COMMAND = Path(sys.executable).with_name("dtomtrack")
FILES = ("episodes.jsonl", "metrics.json")
CONCURRENCY = 8
_STOPS = 10
LINES = (
    "The data show a drop of 40 percent in costs.",
    "A friend of mine told me how she did it, one rainy morning.",
    "You're right, I admit that it is a real drawback.",
    "Most people in your position have already switched.",
    "Imagine the relief, and the peace of mind.",
)


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
        number = sum(message["role"] == "assistant" for message in body["messages"])
        return completion(LINES[number % len(LINES)])


def command(out: Path, base_url: str) -> list[str]:
    """The command of a run."""
    options = ["--base-url", base_url, "--samples", "3", "--concurrency", str(CONCURRENCY), "--quiet"]
    return [str(COMMAND), "play", "rhetbench", "-m", "vllm/phrases", *options, "--out", str(out)]


def killed(run: list[str], kills: int) -> int:
    """Give a command again and again, killing it at random instants; then let it end. How often it was killed."""
    rng, done = Random(1), 0
    for _ in range(kills):
        process = subprocess.Popen(run)
        time.sleep(1.0 + 3.0 * rng.random())
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


def main(kills: int) -> int:
    """Print what holds."""
    with tempfile.TemporaryDirectory() as root:
        alone, other = Path(root) / "alone", Path(root) / "killed"
        first, second = Server(), Server()
        with Loopback(first.answer, latency=0.02) as server:
            to_the_end(command(alone, server.base_url))
        with Loopback(second.answer, latency=0.02) as server:
            done = killed(command(other, server.base_url), kills)
        same = all(
            (alone / "vllm_phrases" / one).read_bytes() == (other / "vllm_phrases" / one).read_bytes() for one in FILES
        )
    again = second.served - first.served
    print(f"killed {done} times while running; same bytes: {same}")
    print(
        f"{first.served} replies left alone, {second.served} served under kills: {again} were on their way when killed"
    )
    bound = done * CONCURRENCY
    print(f"at most {bound} can have been on their way: {again <= bound}")
    return 0 if same and again <= bound else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
