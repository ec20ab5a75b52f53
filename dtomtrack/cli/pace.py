"""How fast something goes now, as it is told: by the last minute, not by all that was before."""

from __future__ import annotations

from collections import deque
from datetime import timedelta

__all__ = ["Pace"]

_WINDOW, _ENOUGH = 60.0, 20
"""Seconds that count, and how many have to be counted: where little happens, it takes longer to know."""
_EVERY = 1.0
"""Seconds between two counts that are remembered."""
_MINUTE, _HOUR = 60, 3600


class Pace:
    """The pace of a count that goes up.

    Args:
        now: seconds on some clock.
        count: how many there were when it began, which makes nothing faster.
    """

    def __init__(self, now: float, count: int) -> None:
        self._past = deque([(now, count)])

    def note(self, now: float, count: int) -> None:
        """There are so many now."""
        past = self._past
        if now - past[-1][0] < _EVERY or count == past[-1][1]:
            return
        past.append((now, count))
        while len(past) > 1 and now - past[1][0] >= _WINDOW and count - past[1][1] >= _ENOUGH:
            past.popleft()

    def rate(self, now: float, count: int, unit: str = "") -> str:
        """So many a second, a minute or an hour, in words; empty while nobody knows."""
        a_second = self._a_second(now, count)
        for seconds, per in ((1, "s"), (_MINUTE, "min")):
            if a_second * seconds >= 1:
                return f"{a_second * seconds:.1f}{unit}/{per}"
        return f"{a_second * _HOUR:.1f}{unit}/h" if a_second else ""

    def left(self, now: float, count: int, wanted: int) -> str:
        """The time until there are as many as are wanted, in words; empty while nobody knows."""
        a_second = self._a_second(now, count)
        return f"{timedelta(seconds=round((wanted - count) / a_second))} left" if a_second else ""

    def _a_second(self, now: float, count: int) -> float:
        began, first = self._past[0]
        made, seconds = count - first, now - began
        return made / seconds if made > 0 and seconds > 0 else 0.0
