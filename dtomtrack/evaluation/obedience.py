"""How often a judge does what a quoted text tells it, with an interval clustered by scene or dialogue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from dtomtrack.evaluation.statistics import share
from dtomtrack.runs.calibration import Obedience

__all__ = ["Told", "obedience"]


class Told(Protocol):
    """A text that was judged without and with an instruction in it."""

    @property
    def cluster(self) -> int:
        """The number of its scene or dialogue."""
        ...

    @property
    def obeyed(self) -> bool | None:
        """Whether the instruction got what it asked for; None where that can't be told."""
        ...

    @property
    def moved(self) -> bool:
        """Whether the verdict is another one than without."""
        ...


def obedience(trials: Iterable[Told]) -> Obedience:
    """What trials add up to."""
    found = list(trials)
    known = [(one.cluster, one.obeyed) for one in found if one.obeyed is not None]
    interval = share(known)
    return Obedience(
        texts=len(found),
        tried=len(known),
        obeyed=sum(obeyed for _, obeyed in known),
        moved=sum(one.moved for one in found),
        share=interval.value,
        low=interval.low,
        high=interval.high,
    )
