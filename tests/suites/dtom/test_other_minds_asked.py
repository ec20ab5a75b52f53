"""Dialogues in which minds come apart ask about another's mind, however short they are."""

from __future__ import annotations

import pytest

from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.generation import build_context, fill_slots

OF_ANOTHER = {"false_belief", "second_order"}


@pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])
async def test_each_dialogue_asks_about_another_mind(name: str, domains: dict[str, Domain]) -> None:
    difficulty = preset("apart")
    config = RunConfig(domains=(name,), packs={}, turns=difficulty.turns, difficulty=difficulty, seed=71)
    context = build_context(config, {name: domains[name].pack})
    slots = [slot async for slot in fill_slots(context, config, range(24), concurrency=4)]
    kept = [slot for slot in slots if slot.dialogue is not None]
    assert len(kept) == 24
    asked = [{question.type.value for question in slot.questions} for slot in kept]
    silent = [types for types in asked if OF_ANOTHER.isdisjoint(types)]
    assert silent == []
