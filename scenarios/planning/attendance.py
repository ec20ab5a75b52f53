"""Who is there in a dialogue that is being planned, and who was away when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Absence", "Attendance"]


@dataclass
class Absence:
    """A time for which somebody is away.

    Attributes:
        since, until: turns; ``until`` is None as long as they are away.
        reason: number of the line that says why.
    """

    agent: str
    since: int
    reason: int
    until: int | None = None


class Attendance:
    """Who is there.

    Args:
        names: of all who take part.
        late: the absences of those who are not there from the start.

    Attributes:
        absences: all so far, in the order in which they began.
        away, present: those who are away now, and those who are there.
    """

    def __init__(self, names: Sequence[str], late: Iterable[Absence]) -> None:
        self._names = tuple(names)
        self.absences = list(late)
        self._recount()

    def _recount(self) -> None:
        self.away = frozenset(one.agent for one in self.absences if one.until is None)
        self.present = tuple(name for name in self._names if name not in self.away)

    def leave(self, name: str, turn: int, reason: int) -> None:
        """Somebody is away from a turn on."""
        self.absences.append(Absence(name, turn, reason))
        self._recount()

    def come_back(self, name: str, turn: int) -> None:
        """Somebody who was away is there from a turn on."""
        self.last_absence(name).until = turn
        self._recount()

    def stay_away(self, name: str) -> None:
        """Somebody does not come back after all."""
        self.last_absence(name).until = None
        self._recount()

    def last_absence(self, name: str) -> Absence:
        """The latest absence of somebody."""
        return next(one for one in reversed(self.absences) if one.agent == name)
