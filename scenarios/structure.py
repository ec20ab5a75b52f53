"""How eventful a dialogue is: the same for the four slots of a block, so that they bring equally many questions."""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.runs.slots import Slot
from dtomtrack.scenarios.difficulty import Difficulty

__all__ = ["Structure", "structure_of"]

_BEFORE_UPDATES = 4
"""Turns before any mind can change."""
_FRAME = 3
"""Turns that greetings and farewells take from what has to be said."""


@dataclass(frozen=True)
class Structure:
    """How eventful the dialogues of a block are.

    Attributes:
        updates: how many changes of mind there are.
        changes_back: the last two of them are one mind that changes and changes back.
        stable: how many topics are talked about and do not change.
        corrected: whether the false presumption is objected to; else it is made after the truth had been said, by
            who argued against that meanwhile, and stands.
    """

    updates: int
    changes_back: bool
    stable: int
    corrected: bool


def structure_of(slot: Slot, turns: int, difficulty: Difficulty) -> Structure:
    """The structure of a slot's block, for dialogues of ``turns`` turns."""
    rng = slot.block_random("structure")
    numbers = range(1, len(difficulty.update_weights) + 1)
    most = max(1, min(len(numbers), (turns - _BEFORE_UPDATES) // difficulty.turns_an_update))
    updates = min(rng.choices(numbers, weights=difficulty.update_weights)[0], most)
    room_to_return = updates > 1 and turns >= difficulty.change_back_turns
    changes_back = room_to_return and rng.random() < difficulty.change_back_share
    changing = updates - changes_back
    corrected = turns < difficulty.stands_turns or rng.random() < difficulty.correction_share
    stable = max(1, difficulty.topics_in(turns) - changing)
    if difficulty.one_thing_a_turn:
        stable = max(1, min(stable, (turns - _FRAME - _turns_of(updates, changing)) // 2))
    return Structure(updates, changes_back, stable, corrected)


def _turns_of(updates: int, changing: int) -> int:
    """Turns that changes of mind take: a topic is voiced once, each change takes its reason and itself."""
    return changing + 2 * updates
