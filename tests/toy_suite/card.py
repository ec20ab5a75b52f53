"""The card of a dataset of the toy suite."""

from __future__ import annotations

from dtomtrack.runs.manifest import Manifest

__all__ = ["card"]

_CARD = """---
pretty_name: Whispers
configs:
  - config_name: quiz
    data_files:
      - split: test
        path: quiz.jsonl
---

# Whispers

{scenes} evenings in `scenes.jsonl`, {questions} questions on who has heard a secret.

## Files

`quiz.jsonl`: a question a line. `scenes.jsonl`: an evening a line.
"""


def card(manifest: Manifest) -> str:
    """How many there are of what."""
    return _CARD.format(scenes=manifest.counts.dialogues, questions=manifest.counts.questions)
