"""Scenarios of several that the tool made, handed back to it as somebody's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import dtomtrack
from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario


@pytest.mark.parametrize(
    ("name", "difficulty_name", "seed"),
    [("family", "group", 0), ("team", "group", 0), ("restaurant", "hard", 0), ("restaurant", "hard", 1)],
)
def test_they_are_played_as_planned(
    domains: dict[str, Domain], name: str, difficulty_name: str, seed: int, tmp_path: Path
) -> None:
    """Who held something beside another on a topic had not said what before they changed their mind."""
    difficulty, pack = preset(difficulty_name), domains[name].pack
    slots = [slot_at(seed, index, [name]) for index in range(8)]
    scenarios = [sample_scenario(pack, slot, 0, difficulty.turns, difficulty).scenario for slot in slots]
    assert any(topic.co_holders for one in scenarios for topic in one.topics)
    made = dtomtrack.generate(
        pack, n=len(scenarios), seed=seed, out=tmp_path, difficulty=difficulty_name, scenarios=scenarios
    )
    played = list(read_lines(tmp_path / "dialogues.jsonl", Dialogue))
    rejected = made.counts.rejected_dialogues
    assert set(rejected) <= {"scenario"}, rejected
    assert [one.scenario.updates for one in played] == [scenarios[one.slot].updates for one in played]
    assert len(played) > len(scenarios) // 2
