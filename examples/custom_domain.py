"""A domain of your own: check a pack, generate from it, look at one dialogue.

    python examples/custom_domain.py

`bike_workshop.yaml` beside this file is a small pack with a comment on every part; copy it, or print a big one with
``dtomtrack domains show restaurant``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from dtomtrack import Dialogue, generate
from dtomtrack.runs.lines import read_lines

PACK = Path(__file__).with_name("bike_workshop.yaml")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        manifest = generate(str(PACK), n=8, out=folder)
        print(f"{manifest.counts.dialogues} dialogues, {manifest.counts.questions} questions")
        dialogue = next(read_lines(Path(folder) / "dialogues.jsonl", Dialogue))
    print(dialogue.scenario.context)
    for turn in dialogue.turns:
        print(f"{turn.index} {turn.speaker}: {turn.utterance}")


if __name__ == "__main__":
    main()
