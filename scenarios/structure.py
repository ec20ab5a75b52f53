"""How eventful a dialogue is: the same for the four slots of a block, so that they bring equally many questions."""

from __future__ import annotations

from dataclasses import dataclass

from dtomtrack.runs.slots import Slot

__all__ = ["Structure", "structure_of"]


@dataclass(frozen=True)
class Structure:
    """How eventful the dialogues of a block are.

    Attributes:
        updates: how many changes of mind there are, 1 to 3.
        changes_back: the last two of them are one mind that changes and changes back.
        steady: how many topics are talked about and do not change.
        corrected: whether the false presumption is objected to; else it is made after the truth had been said, and
            stands.
    """

    updates: int
    changes_back: bool
    steady: int
    corrected: bool


def structure_of(slot: Slot, turns: int, *, sparse: bool = False) -> Structure:
    """The structure of a slot's block, for dialogues of ``turns`` turns.

    A ``sparse`` one leaves room for a dialogue in which one weighty thing happens a turn at most.
    """
    rng = slot.block_random("structure")
    most = max(1, min(3, (turns - 4) // 3)) if sparse else min(3, (turns - 4) // 2)
    updates = min(rng.choices((1, 2, 3), weights=(40, 35, 25))[0], most)
    changes_back = updates >= 2 and turns >= 8 and rng.random() < 0.15
    changing = updates - changes_back
    topics = min(4 + (turns - 10) // 4, 12) if turns >= 10 else 3 if turns >= 8 else 2
    corrected = turns < (12 if sparse else 10) or rng.random() < 0.7
    steady = max(1, topics - changing)
    if sparse:
        steady = max(1, min(steady, (turns - 3 - _turns_of(updates, changing)) // 2))
    return Structure(updates, changes_back, steady, corrected)


def _turns_of(updates: int, changing: int) -> int:
    """Turns that changes of mind take: a topic is voiced once, each change takes its reason and itself."""
    return changing + 2 * updates
