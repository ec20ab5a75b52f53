"""Dialogues of DToM-Track for the page's browser."""

from __future__ import annotations

import json
from pathlib import Path

import dtomtrack
from dtomtrack.suites.dtom.suite import SUITE


def test_all_changes_at_a_turn_are_noted_there(tmp_path: Path) -> None:
    dtomtrack.generate("restaurant", n=1, out=tmp_path, difficulty="group")
    file = tmp_path / "dialogues.jsonl"
    told = json.loads(file.read_text(encoding="utf-8"))
    scenario = told["scenario"]
    change = scenario["updates"][0]
    topics = {one["id"]: one for one in scenario["topics"]}
    other = next(one for name, one in topics.items() if name != change["topic"])
    old, new = other["values"][:2]
    scenario["updates"] = [change, {**change, "topic": other["id"], "old": old, "new": new}]
    file.write_text(json.dumps(told) + "\n", encoding="utf-8")
    (shown,) = SUITE.dialogues(tmp_path, 1)
    notes = {number: line.note for number, line in enumerate(shown.lines) if line.note}
    assert notes == {change["turn"]: f"changes: {topics[change['topic']]['label']}, {other['label']}"}
