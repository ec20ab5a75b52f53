"""Scenarios of several that the tool made, handed back to it as somebody's own."""

from __future__ import annotations

import pytest

from dtomtrack.graphs.context import RoleplayContext
from dtomtrack.graphs.roleplay import Attempt, play
from dtomtrack.runs.slots import slot_at
from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.scenarios.sampler import sample_scenario


@pytest.mark.parametrize(("name", "difficulty_name", "seed"), [("team", "group", 0), ("restaurant", "hard", 1)])
async def test_they_are_played(domains: dict[str, Domain], name: str, difficulty_name: str, seed: int) -> None:
    difficulty, given = preset(difficulty_name), range(8)
    pack = domains[name].pack
    scenarios = {
        index: sample_scenario(pack, slot_at(seed, index, [name]), 0, difficulty.turns, difficulty).scenario
        for index in given
    }
    context = RoleplayContext(domains, difficulty=difficulty, verifiers=(), scenarios=scenarios)
    played = 0
    for index in given:
        attempt = Attempt(domains=[name], seed=seed, index=index, attempt=0, length=difficulty.turns)
        reviewed = await play(context, attempt)
        assert all(one.stage == "scenario" for one in reviewed.rejections)
        played += reviewed.dialogue is not None
    assert played
