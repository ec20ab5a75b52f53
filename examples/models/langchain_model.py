"""Dialogues written, played and verified by any chat model of LangChain's.

    pip install 'dtomtrack[langchain]' langchain-openai
    python examples/models/langchain_model.py [PROVIDER:MODEL] [BASE_URL]

Install the package of the provider that you want; its key is read from the environment as LangChain reads it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dtomtrack import generate


def main(model: str = "openai:gpt-4o-mini", base_url: str | None = None) -> None:
    manifest = generate(
        "restaurant",
        n=2,
        out=Path("out") / "langchain-model",
        model=f"langchain/{model}",
        max_tokens_total=500_000,
        base_url=base_url,
    )
    print(f"{manifest.counts.dialogues} dialogues, {manifest.counts.questions} questions, {manifest.tokens} tokens")


if __name__ == "__main__":
    main(*sys.argv[1:3])
