"""The cost of ten SIGKILLs after random numbers of requests of an evaluation: nothing, if all is well.

    python benchmarks/evaluate_kills.py FOLDER                             ten kills, a dataset of any suite
    python benchmarks/evaluate_kills.py FOLDER --repeats 3 --faulty 0.3    each item three times, with faulty answers

The server answers "A" or "B", by the seed of the request; so many of its answers are errors as is said (where all eight
tries of a call meet one, the evaluation stops, and is started again). The folder is copied twice; one evaluation is
left alone, the other is killed and started again. Exit status 1 if a byte of answers or metrics differs, an answer is
missing, or a request was made whose reply was in the journal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from shutil import copytree

from killing import FaultyServer, Ordeal, started, to_the_end
from loopback import Loopback, completion

FILES = ("answers.jsonl", "metrics.json")
AT_ONCE = 64


def command(folder: Path, base_url: str, repeats: int) -> list[str]:
    """The command of an evaluation."""
    asked = ["evaluate", str(folder), "-m", "vllm/x", "--base-url", base_url, "--repeats", str(repeats)]
    return [*asked, "--temperature", "0.7", "--concurrency", str(AT_ONCE), "--quiet"]


def evaluation(folder: Path) -> Path:
    """The folder of the one evaluation that a dataset has."""
    (found,) = (folder / "eval").iterdir()
    return found


def results(folder: Path) -> list[bytes]:
    """Answers and metrics."""
    return [(evaluation(folder) / name).read_bytes() for name in FILES]


def main() -> None:
    """Print a line a session, and what came of it all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--repeats", type=int, default=1)
    arguments.add_argument("--faulty", type=float, default=0.0)
    given = arguments.parse_args()
    rng, server = Random(0), FaultyServer(lambda body: completion("AB"[body["seed"] % 2]), given.faulty)
    with tempfile.TemporaryDirectory() as root, Loopback(server.answer, latency=0.02) as loopback:
        alone, other = (copytree(given.folder, Path(root) / name) for name in ("alone", "killed"))
        to_the_end(started(command(alone, loopback.base_url, given.repeats)))
        paid, once = server.served, loopback.count
        wanted = given.repeats * (alone / "questions.jsonl").read_bytes().count(b"\n")
        out = other / "eval" / evaluation(alone).name
        own = started(command(other, loopback.base_url, given.repeats))
        ordeal = Ordeal(loopback, out, own)
        while ordeal.kills < given.kills and ordeal.kill_after(rng.randrange(64, max(65, 2 * once // given.kills))):
            pass
        to_the_end(own)
        same, answers = results(alone) == results(other), results(other)[0].count(b"\n")
    print(
        f"{wanted} answers wanted, {paid} paid for where nothing was killed; {ordeal.kills} kills: {answers} answers, "
        f"{'the same bytes' if same else 'OTHER BYTES'}, {ordeal.asked_again} journaled replies asked for again, "
        f"{server.served - 2 * paid:+} replies paid for, {AT_ONCE * ordeal.kills} may have been on their way"
    )
    sys.exit(0 if same and wanted == answers and not ordeal.asked_again else 1)


if __name__ == "__main__":
    main()
