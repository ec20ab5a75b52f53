"""The numbers that the paper prints in Table 2, and what follows from them by its own definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from statistics import correlation, fmean

__all__ = [
    "NO_TOM",
    "STATES",
    "TOM_AWARE",
    "Change",
    "PrintedRow",
    "changes",
    "correlation_of",
    "least_self_contradiction",
    "most_substitution",
    "null_retention",
]

STATES = {"scenes": 473, "states": 1829, "records": 3658, "effective": 1257, "ineffective": 572}
"""Table 3."""


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """One row of Table 2. The first two figures are printed once for both variants."""

    persona_tom: float
    strategy: float
    attitude: float
    route_fit: float
    predicted: float
    evidence: float
    alignment: float
    robust: float


NO_TOM: Mapping[str, PrintedRow] = {
    "LLaMA-3.1-8B": PrintedRow(0.80, 0.42, 0.37, 0.57, 0.72, 0.95, 0.98, 0.44),
    "Qwen2.5-7B": PrintedRow(0.99, 0.47, 1.09, 0.78, 0.79, 0.82, 1.17, 0.46),
    "Qwen2.5-72B": PrintedRow(1.50, 0.53, 0.93, 0.80, 0.86, 1.23, 1.42, 0.50),
    "ChatGPT-5.2": PrintedRow(1.83, 0.61, 1.04, 0.81, 0.86, 1.25, 1.51, 0.55),
    "Claude-sonnet-4": PrintedRow(1.72, 0.58, 0.41, 0.68, 0.91, 1.29, 1.36, 0.57),
}
TOM_AWARE: Mapping[str, PrintedRow] = {
    "LLaMA-3.1-8B": PrintedRow(0.80, 0.42, 0.43, 0.59, 0.74, 1.04, 1.04, 0.49),
    "Qwen2.5-7B": PrintedRow(0.99, 0.47, 1.10, 0.73, 0.73, 0.73, 1.40, 0.46),
    "Qwen2.5-72B": PrintedRow(1.50, 0.53, 1.07, 0.84, 0.86, 1.32, 1.63, 0.58),
    "ChatGPT-5.2": PrintedRow(1.83, 0.61, 1.13, 0.80, 0.83, 1.25, 1.58, 0.59),
    "Claude-sonnet-4": PrintedRow(1.72, 0.58, 0.60, 0.77, 0.83, 1.42, 1.59, 0.69),
}

Figure = Callable[[PrintedRow], float]


@dataclass(frozen=True, slots=True)
class Change:
    """What giving the inferred states changes, over the five models: the mean, and how many go up and down."""

    mean: float
    up: int
    down: int


def changes(figure: Figure) -> Change:
    """The change of a figure from no_tom to tom_aware."""
    gains = [round(figure(TOM_AWARE[name]) - figure(row), 2) for name, row in NO_TOM.items()]
    return Change(fmean(gains), sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))


def correlation_of(rows: Mapping[str, PrintedRow], one: Figure, other: Figure) -> float:
    """Pearson's correlation of two figures over the five models."""
    return correlation([one(row) for row in rows.values()], [other(row) for row in rows.values()])


def least_self_contradiction(row: PrintedRow) -> float:
    """The least share of replies on which the judge has to contradict itself.

    elm_match has to be whether the predicted route is the expected one, so the two means would be equal.
    """
    return abs(row.route_fit - row.predicted)


def most_substitution(row: PrintedRow) -> float:
    """The most that the substitution rate can be: central replies are half of all, and it is 1 - their accuracy."""
    return min(1.0, 2 * (1 - row.predicted))


def null_retention(attitude: float) -> tuple[float, float]:
    """Retention where the disturbed score is a redraw from the clean scores: its ends over all that have this mean.

    The scores of a model are 0, 1 and 2 with shares that have the mean ``attitude``; both scores of an instance are
    independent draws. Retention is conditioned on a clean score above 0 and clipped at 1, so it falls by itself.

    Args:
        attitude: the mean, between 0 and 2.
    """
    least, most = max(0.0, attitude - 1), attitude / 2
    ends = [_redrawn(attitude, twos) for twos in (least, most)]
    steps = [_redrawn(attitude, least + (most - least) * step / 1000) for step in range(1, 1000)]
    return min(*ends, *steps), max(*ends, *steps)


def _redrawn(attitude: float, twos: float) -> float:
    """Expected retention where a share of the scores is 2, and 1 as often as the mean then asks."""
    ones = attitude - 2 * twos
    shares = {0: 1 - ones - twos, 1: ones, 2: twos}
    kept = sum(shares[clean] * shares[again] * min(1.0, again / clean) for clean, again in product((1, 2), (0, 1, 2)))
    return kept / (ones + twos)
