"""Slots: the places of a dataset, one kept dialogue each.

Slot i depends on (seed, i) alone. Slots of one domain are taken together in blocks of four that share one *structure*
(how many minds change, whether one changes back, ...), so that within a block each answer letter can be gold exactly
once for the same
question: letters balance without anything being shared between slots while they are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["BLOCK", "Slot", "slot_at"]

BLOCK = 4


@dataclass(frozen=True)
class Slot:
    """Where a dialogue stands in its dataset: slot ``index`` is dialogue ``place`` of block ``block`` of its domain."""

    seed: int
    index: int
    domain: str
    block: int
    place: int

    @property
    def dialogue_id(self) -> str:
        """What the slot's dialogue is called."""
        return f"{self.domain}-{self.seed}-{self.index:06d}"

    def random(self, *parts: str | int) -> Random:
        """A generator of random numbers for one purpose, the same whenever and wherever it is made."""
        return Random("/".join(str(part) for part in (self.seed, self.index, self.domain, *parts)))  # noqa: S311

    def block_random(self, *parts: str | int) -> Random:
        """A generator that the slots of a block have in common."""
        return Random("/".join(str(part) for part in (self.seed, "block", self.block, self.domain, *parts)))  # noqa: S311


def slot_at(seed: int, index: int, domains: Sequence[str]) -> Slot:
    """Slot ``index`` of a run over ``domains``, which take turns."""
    own = index // len(domains)
    return Slot(seed, index, domains[index % len(domains)], own // BLOCK, own % BLOCK)
