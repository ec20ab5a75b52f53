"""What dialogues in which minds come apart ask, however short they are: another's mind, changes, and nothing twice."""

from __future__ import annotations

import pytest

from dtomtrack.scenarios.difficulty import preset
from dtomtrack.scenarios.domain import Domain
from dtomtrack.suites.dtom.config import RunConfig
from dtomtrack.suites.dtom.generation import build_context, fill_slots
from dtomtrack.suites.dtom.slot_result import SlotResult

OF_ANOTHER = {"false_belief", "second_order"}
AT_THE_END_OF = {"pre_update": -1, "post_update": 0}

pytestmark = pytest.mark.parametrize("name", ["family", "medical", "restaurant", "team", "travel"])


async def apart(name: str, domains: dict[str, Domain]) -> list[SlotResult]:
    """The dialogues of a domain, all of them kept, with their questions."""
    difficulty = preset("apart")
    config = RunConfig(domains=(name,), packs={}, turns=difficulty.turns, difficulty=difficulty, seed=71)
    context = build_context(config, {name: domains[name].pack})
    slots = [slot async for slot in fill_slots(context, config, range(24), concurrency=4)]
    kept = [slot for slot in slots if slot.dialogue is not None]
    assert len(kept) == 24
    return kept


async def test_each_dialogue_asks_about_another_mind(name: str, domains: dict[str, Domain]) -> None:
    asked = [{question.type.value for question in slot.questions} for slot in await apart(name, domains)]
    silent = [types for types in asked if OF_ANOTHER.isdisjoint(types)]
    assert silent == []


async def test_a_mind_changes_in_each_dialogue(name: str, domains: dict[str, Domain]) -> None:
    changes = [slot.dialogue.scenario.updates for slot in await apart(name, domains) if slot.dialogue is not None]
    assert all(changes)


async def test_what_is_held_is_not_asked_where_the_question_on_its_change_asks_it(
    name: str, domains: dict[str, Domain]
) -> None:
    for slot in await apart(name, domains):
        by_change = {
            (one.agent, one.topic, one.turn + AT_THE_END_OF[one.type.value])
            for one in slot.questions
            if one.type.value in AT_THE_END_OF and one.turn is not None
        }
        # what somebody is mistaken about belongs to the questions on that
        held = [one for one in slot.questions if one.type.value == "temporal" and not one.divergence]
        assert by_change.isdisjoint({(one.agent, one.topic, one.turn) for one in held})
