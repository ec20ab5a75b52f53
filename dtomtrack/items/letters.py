"""Letters: how options are named where they are shown. Everywhere else an option is its position, counted from 0."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase

__all__ = ["LETTERS", "MOST_OPTIONS", "letter_of", "letters_of", "position_of"]

LETTERS = tuple(ascii_uppercase)
MOST_OPTIONS = len(LETTERS)


def letter_of(position: int) -> str:
    """The letter under which the option at a position is shown: A for 0."""
    return chr(ord("A") + position)


def position_of(letter: str) -> int:
    """The position of the option that is shown under a capital letter."""
    return ord(letter) - ord("A")


def letters_of(positions: Iterable[int]) -> str:
    """Several options as letters in order: "AC" for 0 and 2."""
    return "".join(letter_of(position) for position in sorted(positions))
