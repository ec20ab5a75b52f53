"""Planned scenarios: people, story, topics and the whole course of a dialogue, drawn for a slot of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.pack import DomainPack, Role
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.scenarios.planning.planner import search
from dtomtrack.scenarios.planning.schedule import Spread
from dtomtrack.scenarios.planning.trajectories import draw_trajectories
from dtomtrack.scenarios.planning.written import Cast, written
from dtomtrack.scenarios.roles import by_role
from dtomtrack.scenarios.script import DirectedScenario, Move

__all__ = ["plan_scenario"]


def plan_scenario(pack: DomainPack, slot: Slot, attempt: int, turns: int, difficulty: Difficulty) -> DirectedScenario:
    """Plan a dialogue of ``turns`` turns for a slot.

    Raises:
        PlanError: no room was found for what the difficulty asks.
    """
    rng = slot.random(attempt, "plan")
    if difficulty.several:
        pack = pack.among_several

    def shape() -> Random:
        return slot.block_random("shape", attempt)

    spread = Spread(*(slot.evenly(purpose, step) for purpose, step in _STEPS.items()))
    for draw in range(difficulty.scenario_draws):
        try:
            return _planned(pack, turns, difficulty, spread, shape, rng)
        except PlanError:
            if draw == difficulty.scenario_draws - 1:
                raise
    raise AssertionError("unreachable: the last draw returns or raises")


_STEPS = {"late": 0.6180339887, "ways": 0.4142135624}
"""The golden ratio, by which numbers lie as evenly as they can, and one that is independent of it."""


def _planned(
    pack: DomainPack, turns: int, difficulty: Difficulty, spread: Spread, shape: Callable[[], Random], rng: Random
) -> DirectedScenario:
    cast, sides, holders = _cast(pack, difficulty, shape(), rng)
    trajectories = draw_trajectories(pack, holders, len(sides), turns, difficulty, shape(), rng)
    stage = search(pack, sides, trajectories, turns, difficulty, spread, shape, rng)
    scenario = written(pack, cast, stage, trajectories, rng)
    reasons = {
        (one.topic, one.value): fill(_line(pack, one.topic, one.value, one.pick), cast.fillings)
        for turn in stage.turns
        for one in turn.directions
        if one.move is Move.REVEAL
    }
    return DirectedScenario(
        scenario=scenario,
        difficulty=difficulty,
        fillings=cast.fillings,
        situation=cast.situation.id,
        reasons=reasons,
        script=tuple(tuple(turn.directions) for turn in stage.turns),
    )


def _line(pack: DomainPack, topic: str, value: str, pick: int) -> str:
    reasons = pack.topic(topic).value(value).reason
    return reasons[pick % len(reasons)]


Sides = Mapping[str, str]
"""By name, on which side of the conversation somebody is."""


def _cast(pack: DomainPack, difficulty: Difficulty, shape: Random, rng: Random) -> tuple[Cast, Sides, Sides]:
    """Who takes part, on which side each of them is, and on which those are who hold something."""
    least, most = difficulty.participants
    people = len(pack.people) + 2
    holding = shape.randint(least, min(most, people))
    count = min(holding + difficulty.passers_by, people)
    names = rng.sample(pack.names, count)
    roles: list[Role] = [pack.roles.a, pack.roles.b, *pack.people]
    sides = ["a", "b", *(one.side for one in pack.people)]
    situation = rng.choice(pack.situations)
    settings = {name: rng.choice(values) for name, values in pack.settings.items()}
    fillings = {**settings, **situation.slots, **by_role(names)}
    sentences = [situation.context, *(one.context for one in pack.people[: count - 2])]
    context = " ".join(fill(sentence, fillings) for sentence in sentences)
    cast = Cast(dict(zip(names, roles, strict=False)), situation, fillings, context)
    by_name = dict(zip(names, sides, strict=False))
    return cast, by_name, {name: by_name[name] for name in names[:holding]}
