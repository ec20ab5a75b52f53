"""Intrusions of a weak reader, as `dtomtrack evaluate` counts them: a stand-in that answers by prompts, no model.

    python benchmarks/stand_in.py                          200 dialogues of group in team and in restaurant, seed 0
    python benchmarks/stand_in.py --n 60 --domains family --difficulty hard
    python benchmarks/stand_in.py out/team-group           a dataset that is there

A server on loopback speaks the chat-completions API and answers from the prompt that it is sent, and from nothing else
(`prompt_reader`). The very command that asks models asks it, and guessing beside it. Printed are accuracy and both
intrusions, each with its 95 % interval and its chance. Exit status 1 if an answer can't be read, or if intrusions that
were put in don't show: their intervals have to lie above chance. How a real model is asked: `real_model.py`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bars import Row, run, show
from intrusions import figures
from loopback import Loopback
from prompt_reader import GUESSED, RECENT, answer_to

from dtomtrack.evaluation.records import Metrics
from dtomtrack.runs.names import folder_name

SUBJECT, GUESSING = "vllm/stand-in", "baseline/random"
AT_ONCE = 32


def made(domains: Sequence[str], difficulty: str, n: int, seed: int, root: Path) -> Iterator[Path]:
    """Datasets made for the occasion."""
    for domain in domains:
        folder = root / f"{domain}-{difficulty}"
        _done("generate", "--domain", domain, "--difficulty", difficulty, "--n", n, "--seed", seed, "--out", folder)
        yield folder


def asked(dataset: Path, out: Path) -> Iterator[Metrics]:
    """What the command finds of the stand-in, and of guessing."""
    with Loopback(answer_to, keep=False) as server:
        subjects = ("-m", SUBJECT, "-m", GUESSING, "--base-url", server.base_url, "--concurrency", AT_ONCE)
        _done("evaluate", dataset, *subjects, "--out", out)
    for subject in (SUBJECT, GUESSING):
        text = (out / folder_name(subject) / "metrics.json").read_text(encoding="utf-8")
        yield Metrics.model_validate_json(text)


def _done(*arguments: object) -> None:
    ended = run(*arguments, "--quiet")
    if ended.status:
        sys.exit(f"dtomtrack {' '.join(map(str, arguments))}: {ended.output}")


def rows_of(found: Metrics) -> Iterator[Row]:
    """The figures of a subject; the stand-in's answers have to be read, and its intrusions to show."""
    planted = found.config.subject == SUBJECT
    read = found.outcomes.get("correct", 0) + found.outcomes.get("wrong", 0)
    yield Row(
        f"{found.config.subject}: answers that can be read", f"{read} of {found.answers}", "all", read == found.answers
    )
    for one in figures(found):
        wanted = planted and one.is_intrusion
        yield Row(one.label, one.value, "above chance" if wanted else "none", not wanted or one.is_above_chance)


def main() -> int:
    """Print the figures of each dataset; 1 if a bar is missed."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folders", type=Path, nargs="*")
    arguments.add_argument("--domains", default="team,restaurant")
    arguments.add_argument("--difficulty", default="group")
    arguments.add_argument("--n", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    print(f"a stand-in by prompts, no model: {RECENT:.0%} recency, {GUESSED:.0%} guesses, else egocentric")
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        made_here = made(given.domains.split(","), given.difficulty, given.n, given.seed, root)
        for number, dataset in enumerate(given.folders or made_here):
            started = time.monotonic()
            rows = [row for found in asked(dataset, root / f"eval-{number}") for row in rows_of(found)]
            print(f"\n{dataset.name}, asked in {time.monotonic() - started:.0f} s")
            missed |= show(rows)
    return missed


if __name__ == "__main__":
    sys.exit(main())
