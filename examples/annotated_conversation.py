"""Ask about conversations that people annotated: what was held before a change, after it, and when it was.

    python examples/annotated_conversation.py

Each line of the file is a conversation with the states that its annotators saw: a state holds until its next entry, and
content null says that nobody knows. The same on the command line: dtomtrack trajectories talks.jsonl --out DIR
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from dtomtrack import evaluate, import_trajectories
from dtomtrack.suites.trajectories.suite import SUITE

TALK = {
    "id": "kitchen-1",
    "turns": [
        {"speaker": "Ada", "utterance": "Shall we paint the kitchen yellow?"},
        {"speaker": "Ben", "utterance": "Please leave it white."},
        {"speaker": "Ada", "utterance": "Look, I brought a patch of blue, too."},
        {"speaker": "Ben", "utterance": "Oh. That blue is something else."},
        {"speaker": "Ada", "utterance": "So blue it is?"},
        {"speaker": "Ben", "utterance": "Blue, yes."},
    ],
    "states": [
        {"turn": 1, "holder": "Ben", "mental_state": "desire", "topic": "colour", "content": "white"},
        {"turn": 3, "holder": "Ben", "mental_state": "desire", "topic": "colour", "content": "blue"},
    ],
    "topics": [{"id": "colour", "label": "the kitchen's colour", "values": ["white", "yellow", "blue"]}],
}

with tempfile.TemporaryDirectory() as place:
    file, folder = Path(place) / "talks.jsonl", Path(place) / "out"
    file.write_text(json.dumps(TALK) + "\n", encoding="utf-8")
    import_trajectories(file, folder)
    for item in SUITE.items(folder):
        right = ", ".join(item.options[position] for position in item.gold)
        print(f"{item.groups['type']}: {item.question} {' / '.join(item.options)} -> {right}")
    (metrics,) = evaluate(folder, "baseline/oracle")
    print(f"the oracle: {metrics.micro.correct} of {metrics.micro.items} right")
