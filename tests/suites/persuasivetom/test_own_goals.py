"""Packs of goals of one's own: what can't be planned from them is told before anything runs."""

from __future__ import annotations

import pytest
import yaml

from dtomtrack.scenarios.persuasion.pack import GoalPack
from dtomtrack.scenarios.persuasion.pack_files import check, find_goals
from dtomtrack.scenarios.persuasion.plan import missing_way
from dtomtrack.suites.generation.from_packs import PackConfig
from dtomtrack.suites.generation.job import OpenModels
from dtomtrack.suites.persuasivetom.generation.job import PersuasionJob

GOALS = list(find_goals("all").values())


@pytest.mark.parametrize("wrong", ["{room}", "{er.__class__}", "{", "{}"])
def test_a_context_with_a_placeholder_that_nothing_fills_is_refused(wrong: str) -> None:
    goal = GOALS[0].model_dump(mode="json") | {"context": f"In the {wrong}, {{er}} meets {{ee}}."}
    (line,) = check("mine.yaml", yaml.safe_dump(goal))
    assert "context" in line
    assert f"nothing fills {wrong!r}"[:-2] in line


def without_raising(goal: GoalPack) -> GoalPack:
    """A pack in which nobody who has said yes ever says no again."""
    strategies = [
        one.model_copy(update={"addresses": one.addresses or one.provokes[:1], "provokes": ()})
        for one in goal.strategies
    ]
    return goal.model_copy(update={"strategies": tuple(strategies)})


def test_a_pack_whose_strategies_bring_about_no_plan_is_refused() -> None:
    pack = without_raising(GOALS[0])
    assert missing_way(GOALS[0]) is None
    (line,) = check("mine.yaml", yaml.safe_dump(pack.model_dump(mode="json")))
    assert "mine.yaml: its strategies bring about no conversation with the desires" in line


async def test_a_slot_without_a_plan_is_rejected_and_ends_no_run() -> None:
    pack = without_raising(GOALS[0])
    config = PackConfig(domains=(pack.domain,), packs={}, max_attempts=2)
    job = PersuasionJob(config, {pack.domain: pack})
    lines = await job.filler(OpenModels())(1)
    assert (lines.counts.unfilled, lines.counts.rejected_dialogues) == (1, {"utterances": 2})
    assert b"bring about no way" in lines.data["rejected.jsonl"]
