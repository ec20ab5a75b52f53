"""An item as a subject sees it once: its options in some order, each under a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dtomtrack.items.item import Item
from dtomtrack.items.letters import LETTERS, letter_of, position_of

__all__ = ["PresentedItem", "presented"]


@dataclass(frozen=True, slots=True)
class PresentedItem:
    """An item with its options rotated: the option at position i is shown at i + rotation, counted round.

    Attributes:
        repeat: the number of the sample, where an item is asked several times.
    """

    item: Item
    rotation: int = 0
    repeat: int = 0

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters under which the options are seen, in order."""
        return LETTERS[: len(self.item.options)]

    @property
    def options(self) -> tuple[str, ...]:
        """The options in the order in which they are seen."""
        options = self.item.options
        return options[-self.rotation :] + options[: -self.rotation] if self.rotation else options

    @property
    def shown(self) -> dict[str, str]:
        """The options under the letters under which they are seen, letters in order."""
        return dict(zip(LETTERS, self.options, strict=False))

    def meant(self, letters: Iterable[str]) -> frozenset[int]:
        """The positions, in the item, of the options that are seen under these letters."""
        size = len(self.item.options)
        return frozenset((position_of(letter) - self.rotation) % size for letter in letters)

    def seen(self, positions: Iterable[int]) -> frozenset[str]:
        """The letters under which the options at these positions of the item are seen."""
        size = len(self.item.options)
        return frozenset(letter_of((position + self.rotation) % size) for position in positions)


def presented(items: Iterable[Item], permutations: int = 1, repeats: int = 1) -> Iterator[PresentedItem]:
    """Each item with its rotations one after another (an item of n options has n), each as often as it is sampled."""
    for item in items:
        for rotation in range(min(permutations, len(item.options))):
            for repeat in range(repeats):
                yield PresentedItem(item, rotation, repeat)
