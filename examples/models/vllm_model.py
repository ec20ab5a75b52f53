"""Dialogues written, played and verified by a model that vLLM serves.

    python examples/models/vllm_model.py [BASE_URL]

It needs a server: vllm serve meta-llama/Llama-3.3-70B-Instruct. Run again after a stop, it goes on where it was.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dtomtrack import generate


def main(base_url: str | None = None) -> None:
    manifest = generate(
        "restaurant",
        n=2,
        out=Path("out") / "vllm-model",
        model="vllm/meta-llama/Llama-3.3-70B-Instruct",
        max_tokens_total=500_000,
        base_url=base_url,
    )
    print(f"{manifest.counts.dialogues} dialogues, {manifest.counts.questions} questions, {manifest.tokens} tokens")


if __name__ == "__main__":
    main(*sys.argv[1:2])
