"""Which minds can change how, and when, as the sampler and the scenario writer plan it alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from dtomtrack.beliefs.scenario import FIRST_UPDATE_TURN, MentalState, Personality, Trigger
from dtomtrack.runs.slots import Slot
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


def draw_turns(
    structure: Structure, turns: int, slot: Slot, rng: Random, *, balanced: bool = True
) -> tuple[list[int], list[int]]:
    """Turns at which minds change: the two of a mind that changes back, if there is one, and those of the others.

    Args:
        balanced: the slots of a block share the turns out among themselves, so that no turn is more likely than another
            to be one at which a mind changes; else they are drawn, for where those leave no room.
    """
    eligible = list(range(FIRST_UPDATE_TURN, turns))
    if structure.changes_back:
        agents = len(PACK_ROLES)
        pairs = [[one, two] for one in eligible for two in eligible if two > one and (two - one) % agents == 0]
        back = rng.choice(pairs)
        return back, rng.sample([turn for turn in eligible if turn not in back], structure.updates - len(back))
    if balanced:
        return [], _share_of_block(slot, eligible, structure.updates)
    return [], rng.sample(eligible, structure.updates)


def _share_of_block(slot: Slot, turns: Sequence[int], count: int) -> list[int]:
    """Different turns for a slot, from piles that hold each turn once and that its block takes from in order."""
    rng = slot.block_random("turns", len(turns))
    pile: list[int] = []
    own: list[int] = []
    for _ in range(slot.position + 1):
        own = []
        while len(own) < count:
            fitting = [turn for turn in pile if turn not in own]
            if fitting:
                pile.remove(fitting[0])
                own.append(fitting[0])
            else:
                pile += rng.sample(turns, len(turns))
    return own


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
