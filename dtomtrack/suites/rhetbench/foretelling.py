"""A sum over episodes that are still to be played, foretold from episodes that were.

An episode with a character that was met is taken to bring what its episodes brought in the mean, any other one the
mean of all. How far that may be off depends on what episodes differ by: if by the character alone, nothing is unknown
of those who were met, and a character who wasn't counts with all its episodes at once; if by chance alone, every
episode left adds its own. The larger of both variances is used, with Student's quantile (W. Cochran, "Sampling
techniques", 3rd ed., 1977, chapters 2 and 9: sums over units, and over clusters, that were not drawn).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import mean, variance

__all__ = ["LEAST_PLAYED", "Foretold", "foretell"]

LEAST_PLAYED = 2
"""Episodes that it takes to say how they differ."""
_QUANTILE = 0.975


@dataclass(frozen=True, slots=True)
class Foretold:
    """A sum, with its 95 % prediction interval."""

    value: float
    low: float
    high: float


def foretell(brought: Sequence[tuple[str, float]], left: Sequence[str]) -> Foretold:
    """The sum over the episodes that are left.

    Args:
        brought: character and amount of each episode played, at least two.
        left: the character of each episode that is left.
    """
    from scipy.special import stdtrit

    amounts = [amount for _, amount in brought]
    to_come = Counter(left)
    met = _means(brought)
    overall = mean(amounts)
    value = fsum(number * met.get(character, overall) for character, number in to_come.items())
    quantile = float(stdtrit(len(amounts) - 1, _QUANTILE))
    off = quantile * sqrt(variance(amounts) * _factor(Counter(one for one, _ in brought), to_come))
    return Foretold(value, max(0.0, value - off), value + off)


def _means(brought: Sequence[tuple[str, float]]) -> Mapping[str, float]:
    by_character: dict[str, list[float]] = {}
    for character, amount in brought:
        by_character.setdefault(character, []).append(amount)
    return {character: mean(amounts) for character, amounts in by_character.items()}


def _factor(played: Mapping[str, int], to_come: Mapping[str, int]) -> float:
    """The variance of the error, in variances of an episode."""
    unmet = [number for character, number in to_come.items() if character not in played]
    shared = sum(unmet) / sum(played.values())
    by_character = sum(number**2 for number in unmet) + sum(unmet) * shared
    weights = [count * (to_come.get(character, 0) / count + shared) ** 2 for character, count in played.items()]
    return max(by_character, sum(to_come.values()) + fsum(weights))
