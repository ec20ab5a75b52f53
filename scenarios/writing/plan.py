"""The bare plan of a scenario: whose minds change when, and which stay, before there are any words for it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dtomtrack.beliefs.scenario import MentalState, Personality, Trigger
from dtomtrack.errors import PlanError
from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.changes import TRIGGERS, draw_turns
from dtomtrack.scenarios.difficulty import Difficulty
from dtomtrack.scenarios.roles import PACK_ROLES
from dtomtrack.scenarios.structure import Structure
from dtomtrack.scenarios.writing.outputs import AgentOutput, ChangeOutput, RoleLetter, ScenarioOutput, StableOutput
from dtomtrack.scenarios.writing.written import direct_output

__all__ = ["OTHERS", "Plan", "PlannedChange", "PlannedState", "draw_plan"]

OTHERS = 3
"""Contents that a state might have beside those that somebody holds or assumes."""

_DRAWS = 100
_STATES = tuple(MentalState)
_AVERAGE = Personality(openness=0.5, conscientiousness=0.5, extraversion=0.5, agreeableness=0.5, neuroticism=0.5)
_BARE_OTHERS = ("one", "two", "three")


@dataclass(frozen=True)
class PlannedChange:
    """A change of mind without words; ``back_from`` is the position in the plan of the change that it takes back."""

    turn: int
    agent: RoleLetter
    mental_state: MentalState
    trigger: Trigger
    back_from: int | None = None


@dataclass(frozen=True)
class PlannedState:
    """A state that does not change, without words."""

    agent: RoleLetter
    mental_state: MentalState


@dataclass(frozen=True)
class Plan:
    """All that there are to be words for."""

    changes: tuple[PlannedChange, ...]
    stable: tuple[PlannedState, ...]


def draw_plan(slot: Slot, attempt: int, turns: int, structure: Structure, difficulty: Difficulty) -> Plan:
    """A plan that can be played in ``turns`` turns, whatever its words will be.

    Raises:
        PlanError: none was found.
    """
    rng = slot.random(attempt, "plan")
    for draw in range(_DRAWS):
        plan = _draw(structure, draw_turns(structure, turns, slot, rng, balanced=draw < _DRAWS / 2), difficulty, rng)
        try:
            direct_output(_without_words(plan), slot, attempt, turns, structure, difficulty)
        except PlanError:
            if draw == _DRAWS - 1:
                raise
        else:
            return plan
    raise AssertionError("unreachable: the last draw returns or raises")


def _draw(structure: Structure, turns: tuple[list[int], list[int]], difficulty: Difficulty, rng: Random) -> Plan:
    back, single = turns
    changes = [_change(turn, rng.choice(_STATES), rng) for turn in single]
    first = None
    if back:
        first = _change(back[0], rng.choice(difficulty.can_change_back), rng)
        changes.append(first)
    changes.sort(key=lambda change: change.turn)
    if first is not None:
        origin = changes.index(first)
        changes.append(
            PlannedChange(back[1], first.agent, first.mental_state, Trigger.NEW_INFORMATION, back_from=origin)
        )
    stable = tuple(PlannedState(_agent(rng.randrange(2)), rng.choice(_STATES)) for _ in range(structure.stable))
    return Plan(tuple(changes), stable)


def _change(turn: int, state: MentalState, rng: Random) -> PlannedChange:
    return PlannedChange(turn, _agent(turn), state, rng.choice(TRIGGERS[state]))


def _agent(turn: int) -> RoleLetter:
    return "b" if turn % 2 else "a"


def _without_words(plan: Plan) -> ScenarioOutput:
    """An output of the plan's shape: whether it finds room does not depend on its words."""
    agent_a, agent_b = (
        AgentOutput(name=letter, role="-", personality=_AVERAGE, private_info="-", goal="-") for letter in PACK_ROLES
    )
    return ScenarioOutput(
        context="-",
        agent_a=agent_a,
        agent_b=agent_b,
        planned_belief_changes=tuple(_bare_change(change, number) for number, change in enumerate(plan.changes)),
        steady_states=tuple(
            StableOutput(
                agent=state.agent,
                mental_state=state.mental_state,
                topic=f"steady state {number}",
                state="held",
                wrong_assumption="assumed",
                others=_BARE_OTHERS[: OTHERS - 1],
            )
            for number, state in enumerate(plan.stable)
        ),
    )


def _bare_change(change: PlannedChange, number: int) -> ChangeOutput:
    old, new = ("old", "new") if change.back_from is None else ("new", "old")
    return ChangeOutput(
        turn=change.turn,
        agent=change.agent,
        trigger_type=change.trigger,
        mental_state=change.mental_state,
        topic=f"change {number if change.back_from is None else change.back_from}",
        old_belief=old,
        new_belief=new,
        fact="-",
        others=_BARE_OTHERS,
    )
