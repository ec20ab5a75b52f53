"""Picking lines of a domain pack for one turn: none that was said before in the dialogue, while there are others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random

from dtomtrack.scenarios.acting.character import Character
from dtomtrack.scenarios.acting.line_book import turned
from dtomtrack.scenarios.placeholders import fill
from dtomtrack.scenarios.telling import harmless, is_harmless

__all__ = ["FEW", "LinePicker"]

FEW = 12
"""Between two, of how many lines one is picked."""


class LinePicker:
    """Picks a character's lines for one turn, and fills them.

    Args:
        said: the utterances that the character has heard so far.
        random: makes the generator of the turn's random numbers.
        telling: words that no line has which is about nothing of what is talked about.
    """

    def __init__(
        self, character: Character, said: Sequence[str], random: Callable[[], Random], telling: frozenset[str]
    ) -> None:
        self._character, self.heard, self._random = character, "\n".join(said), random
        self._telling, self._turned = telling, character.attempt[0]

    @cached_property
    def rng(self) -> Random:
        """The turn's random numbers; few planned turns leave anything to chance."""
        return self._random()

    def fill(self, line: str, **values: str) -> str:
        """A line with its placeholders filled, some of them with these values."""
        return fill(line, {**self._character.fillings, **values} if values else self._character.fillings)

    def harmless(self, lines: Sequence[str]) -> Sequence[str]:
        """The lines that are about nothing of what is talked about, begun with another in each dialogue."""
        return harmless(lines, self._telling, self._turned)

    def begun_with_another(self, lines: Sequence[str]) -> Sequence[str]:
        """The lines, begun with another in each dialogue."""
        return harmless(lines, frozenset(), self._turned)

    def is_harmless(self, line: str) -> bool:
        """Whether a line is about nothing of what is talked about."""
        return is_harmless(line, self._telling)

    def idle(self, lines: Sequence[str], number: int, **values: str) -> str:
        """The line at a number of those that are about nothing of what is talked about."""
        return self.pick(self.harmless(lines), number, **values)

    def pick(self, lines: Sequence[str], number: int = -1, **values: str) -> str:
        """The line at a number, or the next that was not said; without a number, one that is drawn."""
        if number >= 0:
            return self.fill(self._character.book.pick_from(lines, number), **values)
        start = self.rng.randrange(len(lines))
        for offset in range(len(lines)):
            line = self.fill(lines[(start + offset) % len(lines)])
            if line not in self.heard:
                return line
        return self.fill(lines[start])

    def pick_more(self, lines: Sequence[str], further: Sequence[str], number: int) -> str:
        """A line of a pack, or one of those that all packs share."""
        return self.pick(self.harmless(self.few([*lines, *further], number)), number)

    def few(self, lines: Sequence[str], number: int, most: int = FEW) -> Sequence[str]:
        """Lines of which one is picked: between two some of them, which are soon looked through."""
        # by another number than that by which one of them is picked
        return lines if self._character.difficulty.several else turned(lines, number // most)[:most]
