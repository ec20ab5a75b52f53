"""Variance where dialogues are drawn and answers are not: what every interval and p value of an evaluation rests on.

The formulas and their sources stand in `dtomtrack.evaluation.statistics`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dtomtrack.evaluation.records import Interval

__all__ = [
    "LEVEL",
    "NOTHING",
    "Effect",
    "Spread",
    "Totals",
    "agresti_min",
    "effective_size",
    "interval_of",
    "p_value_of",
    "rounded",
    "significant",
    "wilson",
]

LEVEL = 0.95
NOTHING = Interval(value=None, low=None, high=None)
_DECIMALS = 6
_MANY_DIALOGUES = 10
"""From here on dialogues are believed if they say more than independent answers would."""
_NEGLIGIBLE = 1e-9
"""A share of a variance that comes from how numbers are rounded."""


def rounded(value: float | None) -> float | None:
    """To six places, so that a file of numbers is the same on every machine; never minus nought."""
    return None if value is None else round(value, _DECIMALS) + 0.0


def significant(p_value: float) -> float:
    """A p value to six significant digits; never nought, however small it is."""
    return max(float(f"{p_value:.{_DECIMALS}g}"), sys.float_info.min)


class Totals:
    """Answers added up by dialogue."""

    def __init__(self, answers: Iterable[tuple[int, float]]) -> None:
        self._items: dict[int, int] = {}
        self._right: dict[int, float] = {}
        for dialogue, right in answers:
            self._items[dialogue] = self._items.get(dialogue, 0) + 1
            self._right[dialogue] = self._right.get(dialogue, 0) + right
        self.items = sum(self._items.values())
        self.share = sum(self._right.values()) / self.items if self.items else 0.0
        self.weights = {dialogue: items / self.items for dialogue, items in self._items.items()}

    def parts(self) -> dict[int, float]:
        """The contribution of each dialogue to the share's departure from its mean."""
        return {
            dialogue: (self._right[dialogue] - self.share * items) / self.items
            for dialogue, items in self._items.items()
        }

    def effect(self) -> Effect:
        """The effective number of answers."""
        spread = Spread.of(self.parts(), self.weights)
        binomial = self.share * (1 - self.share)
        return Effect(effective_size(binomial, spread, binomial / self.items, len(self.weights)), spread)


@dataclass(frozen=True)
class Spread:
    """Variance of an estimate, and the degrees of freedom of the variance; None from one dialogue alone."""

    variance: float | None
    freedom: float

    @classmethod
    def of(cls, parts: Mapping[int, float], weights: Mapping[int, float]) -> Spread:
        """CR2 and its degrees of freedom for a mean, from each dialogue's residual sum and its share of the items.

        With weights w, the adjusted residuals have variance sum(r^2 / (1 - w)); under independence that is a
        quadratic form of which trace(M)^2 / trace(M^2) = 1 / (sum(w^2) + sum(c)^2 - sum(c^2)), c = w^2 / (1 - w).
        """
        if len(parts) < 2:
            return cls(None, 0.0)
        variance = math.fsum(part**2 / (1 - weights[dialogue]) for dialogue, part in parts.items())
        cross = [weight**2 / (1 - weight) for weight in weights.values()]
        squares = math.fsum(weight**2 for weight in weights.values())
        return cls(variance, 1 / (squares + math.fsum(cross) ** 2 - math.fsum(one**2 for one in cross)))


@dataclass(frozen=True)
class Effect:
    """The number of independent items that would tell as much."""

    size: float
    spread: Spread


def effective_size(single: float, spread: Spread, independent: float, dialogues: float) -> float:
    """The effective number of items.

    Answers of a dialogue may also make up for each other (right after, wrong before), so that they tell more than
    independent ones; few dialogues may look so by accident, and dialogues that do not differ at all can't be believed.
    Where all items are alike, nothing is known of how dialogues differ: then it is the number of dialogues.

    Args:
        single: variance of one item.
        independent: the estimate's variance if items were independent.
        dialogues: how many there are; of a sum, how many tell as much as its groups do.
    """
    variance = spread.variance or 0.0
    if dialogues < _MANY_DIALOGUES or variance < _NEGLIGIBLE * independent:
        variance = max(variance, independent)
    return single / variance if single > 0 and variance > 0 else dialogues


def wilson(value: float, effect: Effect, level: float = LEVEL) -> Interval:
    """Wilson's interval of a share, for its effective number of items and with Student's quantile.

    Source: E. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927).
    """
    from scipy.special import stdtrit

    if effect.spread.variance is None:
        return Interval(value=rounded(value), low=None, high=None)
    quantile, size = float(stdtrit(effect.spread.freedom, (1 + level) / 2)), effect.size
    # not statsmodels' formula, which is the same and takes a second to import
    added = quantile**2 / size
    centre = (value + added / 2) / (1 + added)
    reach = quantile * math.sqrt(value * (1 - value) / size + added / (4 * size)) / (1 + added)
    return interval_of(value, max(0.0, centre - reach), min(1.0, centre + reach))


def agresti_min(value: float, ups: float, downs: float, effect: Effect) -> tuple[Interval, float | None]:
    """Two pairs are added, half a pair to each way in which a pair can come out: no sample is too good to be true."""
    from scipy.special import stdtrit

    if effect.spread.variance is None:
        return Interval(value=rounded(value), low=None, high=None), None
    up, down = ((part * effect.size + 0.5) / (effect.size + 2) for part in (ups, downs))
    centre = up - down
    error = math.sqrt((up + down - centre**2) / (effect.size + 2))
    reach = float(stdtrit(effect.spread.freedom, (1 + LEVEL) / 2)) * error
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    return interval_of(value, low, high), p_value_of(centre, error, effect.spread)


def interval_of(value: float, low: float, high: float) -> Interval:
    """An interval that holds its value, rounded."""
    return Interval(value=rounded(value), low=rounded(min(low, value)), high=rounded(max(high, value)))


def p_value_of(departure: float, error: float, spread: Spread) -> float | None:
    """The two-sided p value of a departure with this standard error; None where nothing is known of its spread."""
    from scipy.special import stdtr

    if spread.variance is None or error == 0:
        return None
    return significant(2 * float(stdtr(spread.freedom, -abs(departure) / error)))
