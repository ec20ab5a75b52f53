"""Dialogues of a domain pack's scenarios, played and verified by a GGUF file in this process.

    pip install 'dtomtrack[local]'
    python examples/models/gguf_model.py path/to/model.gguf

Small models do better a bit at a time ("two-call"), and with scenarios that they need not write.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dtomtrack import generate


def main(path: str) -> None:
    manifest = generate(
        "restaurant",
        n=1,
        out=Path("out") / "gguf-model",
        model=f"gguf/{path}",
        scenario_source="pack",
        actor_style="two-call",
        max_attempts=2,
    )
    print(f"{manifest.counts.dialogues} dialogues, {manifest.counts.questions} questions, {manifest.tokens} tokens")
    for reason, count in manifest.counts.rejected_dialogues.items():
        print(f"rejected: {count}, {reason}")


if __name__ == "__main__":
    main(sys.argv[1])
