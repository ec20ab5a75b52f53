"""Which minds can change how, and when, as the sampler and the scenario writer plan it alike."""

from __future__ import annotations

from random import Random

from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState, Personality, Trigger
from dtomtrack.scenarios.roles import PACK_ROLES
from dtomtrack.scenarios.structure import Structure

__all__ = ["TRIGGERS", "draw_personality", "draw_turns"]

TRIGGERS: dict[MentalState, tuple[Trigger, ...]] = {
    MentalState.BELIEF: (Trigger.CORRECTION, Trigger.NEW_INFORMATION, Trigger.CONTRADICTION),
    MentalState.KNOWLEDGE: (Trigger.CORRECTION, Trigger.NEW_INFORMATION, Trigger.CONTRADICTION),
    MentalState.INTENTION: (Trigger.GOAL_SHIFT, Trigger.NEW_INFORMATION),
    MentalState.DESIRE: (Trigger.GOAL_SHIFT, Trigger.NEW_INFORMATION),
    MentalState.EMOTION: (Trigger.NEW_INFORMATION,),
}


def draw_turns(structure: Structure, turns: int, rng: Random) -> tuple[list[int], list[int]]:
    """Turns at which minds change: the two of a mind that changes back, if there is one, and those of the others."""
    eligible = list(range(FIRST_UPDATE_TURN, turns))
    back: list[int] = []
    if structure.changes_back:
        agents = len(PACK_ROLES)
        pairs = [[one, two] for one in eligible for two in eligible if two > one and (two - one) % agents == 0]
        back = rng.choice(pairs)
    return back, rng.sample([turn for turn in eligible if turn not in back], structure.updates - len(back))


def draw_personality(rng: Random) -> Personality:
    """The Big Five, each drawn evenly."""

    def trait() -> float:
        return round(rng.random(), 2)

    return Personality(
        openness=trait(),
        conscientiousness=trait(),
        extraversion=trait(),
        agreeableness=trait(),
        neuroticism=trait(),
    )
