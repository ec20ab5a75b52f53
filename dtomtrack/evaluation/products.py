"""The independence line: how often several things would all hold if none depended on another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from dtomtrack.evaluation.clustering import NOTHING, Effect, Spread, Totals, effective_size, wilson
from dtomtrack.evaluation.records import Interval

__all__ = ["product_of_shares"]

Parts = Mapping[str, bool]


def product_of_shares(groups: Iterable[tuple[int, Parts]]) -> Interval:
    """The mean over groups of the product of their parts' shares; shares are over the groups that have the part.

    Where all groups have the same parts that is the product of the shares. Each group adds to it how far its own
    product is from the mean, and what it holds adds to the shares: linear in the departure of each of its parts from
    the part's share, times the mean product of what stands beside that part (the delta method). So the shares may go
    together, within groups and dialogues.

    Args:
        groups: of each the number of its dialogue, and by part whether it holds.
    """
    groups = list(groups)
    if not groups:
        return NOTHING
    shares = _means((part, float(holds)) for _, held in groups for part, holds in held.items())
    products = [math.prod(shares[part] for part in held) for _, held in groups]
    slopes = _means((part, _beside(shares, held, part)) for _, held in groups for part in held)
    value = math.fsum(products) / len(groups)
    departures = [
        (dialogue, product - value + math.fsum(slopes[part] * (holds - shares[part]) for part, holds in held.items()))
        for (dialogue, held), product in zip(groups, products, strict=True)
    ]
    return _interval(value, departures)


def _means(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean of each part's values."""
    found: dict[str, list[float]] = {}
    for part, value in values:
        found.setdefault(part, []).append(value)
    return {part: math.fsum(own) / len(own) for part, own in found.items()}


def _beside(shares: Mapping[str, float], held: Parts, part: str) -> float:
    """The product of the shares of a group's other parts."""
    return math.prod(shares[other] for other in held if other != part)


def _interval(value: float, departures: Sequence[tuple[int, float]]) -> Interval:
    """Wilson's interval of an estimate, from how far each group, with its dialogue, departs from it."""
    totals = Totals(departures)
    spread = Spread.of(totals.parts(), totals.weights)
    independent = math.fsum(part**2 for _, part in departures) / len(departures) ** 2
    size = effective_size(value * (1 - value), spread, independent, len(totals.weights))
    return wilson(value, Effect(size, spread))
