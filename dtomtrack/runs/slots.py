"""Slots: the positions of a dataset, one kept dialogue each.

Slot i depends on (seed, i) alone. Slots of one domain are taken together in blocks of four that share one *structure*
(how many minds change, whether one changes back, ...), so that within a block each answer letter can be gold exactly
once for the same
question: letters balance without anything being shared between slots while they are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["BLOCK", "Slot", "attempt_unit", "slot_at"]

BLOCK = 4


@dataclass(frozen=True)
class Slot:
    """The place of a dialogue in its dataset: slot ``index`` is number ``position`` of a block of its domain."""

    seed: int
    index: int
    domain: str
    block: int
    position: int

    @property
    def dialogue_id(self) -> str:
        """The id of the slot's dialogue."""
        return f"{self.domain}-{self.seed}-{self.index:06d}"

    def random(self, *parts: str | int) -> Random:
        """A generator of random numbers for one purpose, the same whenever and wherever it is made."""
        return Random("/".join(map(str, (self.seed, self.index, self.domain, *parts))))  # noqa: S311

    def block_random(self, *parts: str | int) -> Random:
        """A generator that the slots of a block have in common."""
        return Random("/".join(map(str, (self.seed, "block", self.block, self.domain, *parts))))  # noqa: S311

    def evenly(self, purpose: str, step: float) -> float:
        """A number from 0 to 1 for the block; over the blocks of a dataset such numbers lie evenly (Weyl, 1916).

        Args:
            step: an irrational number, one of its own for each purpose.
        """
        start = Random("/".join(map(str, (self.seed, "evenly", self.domain, purpose))))  # noqa: S311
        return (start.random() + self.block * step) % 1


def slot_at(seed: int, index: int, domains: Sequence[str]) -> Slot:
    """Slot ``index`` of a run over ``domains``, which take turns."""
    own = index // len(domains)
    return Slot(seed, index, domains[index % len(domains)], own // BLOCK, own % BLOCK)


def attempt_unit(slot: int, attempt: int) -> str:
    """The unit of calls (`dtomtrack.llm.chat.CallKey`) that belong to an attempt at a slot."""
    return f"slot {slot} attempt {attempt}"
