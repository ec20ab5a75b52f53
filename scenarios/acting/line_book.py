"""The lines of a pack that were said in a dialogue, by whomever and to whomever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

__all__ = ["LineBook", "turned"]


class LineBook:
    """A prompter's book: picks lines so that none comes again in a dialogue before all others for it have come.

    All parts of a dialogue share one. A line is known by the words that the pack has for it: another name in it, or
    another value, makes it no other line. The turns of a dialogue are opened in their order; opened again, a turn finds
    the book as it was then.
    """

    def __init__(self) -> None:
        self._said: list[tuple[int, str]] = []
        self._often: Counter[str] = Counter()
        self._turn = 0

    def open(self, turn: int) -> None:
        """A turn begins; what was said in it, or later, is forgotten."""
        while self._said and self._said[-1][0] >= turn:
            self._often[self._said.pop()[1]] -= 1
        self._turn = turn

    def pick(self, lines: Sequence[str], fits: Callable[[str], bool] = lambda _: True) -> str:
        """The first of those lines that came least often; from now on it has come once more.

        Args:
            fits: whether a line will do; where none does, any will.
        """
        new = (one for one in lines if not self._often.get(one) and fits(one))
        line = next(new, None) or self._least_often([*filter(fits, lines)] or lines)
        self._often[line] += 1
        self._said.append((self._turn, line))
        return line

    def _least_often(self, lines: Sequence[str]) -> str:
        return min(lines, key=self._often.__getitem__)

    def has(self, line: str) -> bool:
        """Whether a line was said so far."""
        return self._often[line] > 0

    def pick_from(self, lines: Sequence[str], number: int) -> str:
        """The line at a number, counted on over the end; or the next one that came less often."""
        return self.pick(turned(lines, number))


def turned(lines: Sequence[str], number: int) -> list[str]:
    """The lines from a number on, counted on over the end, and then those before."""
    start = number % len(lines) if lines else 0
    return [*lines[start:], *lines[:start]]
