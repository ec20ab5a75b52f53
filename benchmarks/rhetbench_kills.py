"""Episodes with a model under SIGKILLs and faulty calls: python benchmarks/rhetbench_kills.py [KILLS]

A server on loopback persuades in set phrases; three of ten of its answers are errors. One run is left alone, another is
killed after random numbers of requests and given again until it is done: both have to end in the same bytes, and no
reply that had arrived may be asked for again. Exit status 1 if that does not hold.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from killing import FaultyServer, killed, to_the_end
from loopback import Answer, Loopback, Request, completion

COMMAND = Path(sys.executable).with_name("dtomtrack")
FILES = ("episodes.jsonl", "metrics.json")
SUBJECT = "vllm_phrases"
CONCURRENCY = 8
LINES = (
    "The data show a drop of 40 percent in costs.",
    "A friend of mine told me how she did it, one rainy morning.",
    "You're right, I admit that it is a real drawback.",
    "Most people in your position have already switched.",
    "Imagine the relief, and the peace of mind.",
)


def persuade(body: Request) -> Answer:
    """A set phrase, the next one each turn."""
    number = sum(message["role"] == "assistant" for message in body["messages"])
    return completion(LINES[number % len(LINES)])


def command(out: Path, base_url: str) -> list[str]:
    """The command of a run."""
    options = ["--base-url", base_url, "--samples", "3", "--concurrency", str(CONCURRENCY), "--quiet"]
    return [str(COMMAND), "play", "rhetbench", "-m", "vllm/phrases", *options, "--out", str(out)]


def main(kills: int) -> int:
    """Print what holds."""
    with tempfile.TemporaryDirectory() as root:
        alone, other = Path(root) / "alone", Path(root) / "killed"
        first, second = FaultyServer(persuade), FaultyServer(persuade)
        with Loopback(first.answer, latency=0.02) as server:
            to_the_end(command(alone, server.base_url))
            once = server.count
        with Loopback(second.answer, latency=0.02) as server:
            done = killed(command(other, server.base_url), kills, once, server, other / SUBJECT)
        same = all((alone / SUBJECT / one).read_bytes() == (other / SUBJECT / one).read_bytes() for one in FILES)
    more = second.served - first.served
    print(f"killed {done.kills} times while running; same bytes: {same}")
    print(
        f"{first.served} replies left alone; {more} more under kills, at most {done.kills * CONCURRENCY} on their way"
    )
    print(f"{done.asked_again} journaled replies asked for again")
    return 0 if same and not done.asked_again and more <= done.kills * CONCURRENCY else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
