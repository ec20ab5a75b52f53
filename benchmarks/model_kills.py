"""The cost of ten SIGKILLs after random numbers of requests of a run with language models: nothing, if all is well.

    python benchmarks/model_kills.py                        20 dialogues, ten kills
    python benchmarks/model_kills.py --kills 30 --seed 1    more of them, after other numbers
    python benchmarks/model_kills.py --workers 2            in worker processes, of which every other kill takes one
    python benchmarks/model_kills.py --order "--difficulty group --domain team"    dialogues among several

A run with a stand-in for a model (``performer.py``) is killed again and again, and started again each time. Its files
are compared with those of a run that was never killed, and each session's requests with what the journal held when it
began. Exit status 1 if a byte differs, or a request was made whose reply was in the journal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from killing import Ordeal, started, to_the_end
from loopback import Loopback
from performer import perform

FILES = ("dialogues.jsonl", "questions.jsonl", "rejected.jsonl")


def command(server: Loopback, out: Path, dialogues: int, workers: int, order: str) -> list[str]:
    """The command of the run."""
    models = ["--actor-model", "vllm/x", "--base-url", server.base_url, "--concurrency", "4"]
    return [
        "generate",
        "--n",
        str(dialogues),
        "--out",
        str(out),
        "--quiet",
        "--workers",
        str(workers),
        *models,
        *order.split(),
    ]


def contents(out: Path) -> list[bytes]:
    """The data files."""
    return [(out / name).read_bytes() for name in FILES]


def main() -> None:
    """Print a line a session, and what came of it all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--dialogues", type=int, default=20)
    arguments.add_argument("--kills", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--workers", type=int, default=1)
    arguments.add_argument("--order", default="", help="further options of generate")
    given = arguments.parse_args()
    rng = Random(given.seed)
    with tempfile.TemporaryDirectory() as folder, Loopback(perform, latency=0.05) as server:
        begun = time.monotonic()
        reference, out = Path(folder) / "reference", Path(folder) / "out"
        to_the_end(started(command(server, reference, given.dialogues, 1, given.order)))
        seconds = time.monotonic() - begun
        print(f"a run of {given.dialogues} dialogues takes {seconds:.1f} s and {server.count} requests")
        own = command(server, out, given.dialogues, given.workers, given.order)
        ordeal = Ordeal(server, out, started(own), given.workers)
        once = server.count
        # few enough that a run is killed as often as wanted before it is done
        while ordeal.kills < given.kills and ordeal.kill_after(rng.randrange(max(2, once // given.kills))):
            pass
        ordeal.finish()
        same = contents(out) == contents(reference)
        print(
            f"{ordeal.kills} kills: {'the same bytes' if same else 'OTHER BYTES'} as the run never killed, "
            f"{ordeal.asked_again} journaled replies asked for again"
        )
        sys.exit(0 if same and not ordeal.asked_again else 1)


if __name__ == "__main__":
    main()
