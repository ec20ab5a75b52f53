"""Accuracy and intrusions of a subject as they are in its metrics, each with its interval and what it is by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dtomtrack.evaluation.records import Interval, Metrics

__all__ = ["Figure", "figures"]

_INTRUSIONS = {"egocentric": "egocentric intrusion", "intrusion": "recency intrusion"}
"""By the names that they have in metrics: what is so in the place of what is thought, what is new in that of before."""


@dataclass(frozen=True)
class Figure:
    """A share with its 95 % interval, of so many answers, and the same by chance; none of nothing."""

    label: str
    share: Interval
    chance: float | None
    of: int
    is_intrusion: bool = False

    @property
    def value(self) -> str:
        """The figure in words: "71.2 % [60.1, 80.3] of 80, chance 40.0 %"."""
        if self.share.value is None:
            return "none, of no answers"
        bounds = ", ".join(
            "-" if bound is None else f"{100 * bound:.1f}" for bound in (self.share.low, self.share.high)
        )
        chance = "-" if self.chance is None else f"{100 * self.chance:.1f} %"
        return f"{100 * self.share.value:.1f} % [{bounds}] of {self.of}, chance {chance}"

    @property
    def is_above_chance(self) -> bool:
        """Whether the whole interval lies above chance."""
        return self.share.low is not None and self.chance is not None and self.share.low > self.chance


def figures(found: Metrics) -> Iterator[Figure]:
    """Accuracy over all, then the intrusions that the dataset lets tell."""
    yield Figure("accuracy", found.micro.accuracy, found.micro.chance, found.micro.items)
    for name, label in _INTRUSIONS.items():
        one = found.measure(name)
        if one is not None:
            chance = None if one.reference is None else one.reference.value
            yield Figure(label, one.estimate, chance, one.items, is_intrusion=True)
