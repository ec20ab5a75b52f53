"""What somebody was asked to keep from another, in a dialogue that is being planned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

__all__ = ["Secrets"]

_KEPT = 10
"""Turns for which those who were asked to keep something from somebody pass it on to nobody."""


@dataclass(frozen=True)
class _Secret:
    """What these were asked, at a turn, to keep from somebody."""

    turn: int
    confidants: frozenset[str]
    kept_from: str
    value: str


class Secrets:
    """By holder and topic, what was asked to be kept."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], list[_Secret]] = defaultdict(list)

    def ask(self, turn: int, holder: str, topic: str, value: str, confidants: Iterable[str], kept_from: str) -> None:
        """The holder asks these at a turn to keep from somebody what they hold."""
        self._asked[holder, topic].append(_Secret(turn, frozenset(confidants), kept_from, value))

    def tell(self, holder: str, topic: str, hearers: Collection[str]) -> None:
        """The holder says how it is before these: what was kept from one of them is a secret to none of them now."""
        asked = self._asked[holder, topic]
        told = [
            replace(one, confidants=one.confidants.difference(hearers)) if one.kept_from in hearers else one
            for one in asked
        ]
        asked[:] = [one for one in told if one.confidants]

    def is_fresh(self, holder: str, topic: str, now: int, length: int) -> bool:
        """Whether something was only just asked, so that passing it on would be out of character."""
        return any(now - one.turn < min(_KEPT, length // 3) for one in self._asked[holder, topic])

    def is_kept_from(self, name: str, who: str, holder: str, topic: str, value: str) -> bool:
        """Whether ``who``, who takes the holder to hold a value, was asked to keep just that from somebody."""
        return any(
            (name, value) == (one.kept_from, one.value) and who in one.confidants for one in self._asked[holder, topic]
        )
