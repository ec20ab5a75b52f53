"""Student's t distribution, with any number of degrees of freedom.

scipy has it, too; to load `scipy.special` takes as long as the calls of three hundred questions, and every interval
needs a quantile. The tails are the regularised incomplete beta function, by its continued fraction.

Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions" (1964), 26.5.8, 26.5.27, 26.7.1.
"""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["quantile", "upper_tail"]

_PRECISION = 1e-15
_MOST_STEPS = 1_000
_CLOSE = 1e-9
"""A step of Newton's that is as small leaves an error of its square."""


def quantile(share: float, freedom: float) -> float:
    """The value that a share of the distribution lies below, which has to be at least a half."""
    # the normal quantile is no more, and the distribution concave from there on: Newton's steps come from below
    value = NormalDist().inv_cdf(share)
    for _ in range(_MOST_STEPS):
        step = (upper_tail(value, freedom) - (1 - share)) / _density(value, freedom)
        value += step
        if step <= _CLOSE * value:
            break
    return value


def upper_tail(value: float, freedom: float) -> float:
    """The probability of more than a value, which has to be at least 0."""
    squared = value * value
    whole = freedom + squared
    return _beta_share(freedom / whole, squared / whole, freedom / 2, 0.5) / 2


def _density(value: float, freedom: float) -> float:
    scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(scale - (freedom + 1) / 2 * math.log1p(value**2 / freedom))


def _beta_share(below: float, above: float, first: float, second: float) -> float:
    """The regularised incomplete beta function at ``below``, which is 1 - ``above``."""
    if not below or not above:
        return float(not above)
    if below > (first + 1) / (first + second + 2):
        # the fraction converges fast on the other side only
        return 1 - _beta_share(above, below, second, first)
    scale = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
    front = math.exp(scale + first * math.log(below) + second * math.log(above))
    return front / first * _fraction(below, first, second)


def _fraction(below: float, first: float, second: float) -> float:
    """1 / (1 + d1 / (1 + d2 / (1 + ...))), by Lentz's method; its terms are no less than -1."""
    numerator, denominator = 1.0, 1 / (1 + _term(1, below, first, second))
    found = denominator
    for number in range(2, _MOST_STEPS):
        term = _term(number, below, first, second)
        numerator = 1 + term / numerator
        denominator = 1 / (1 + term * denominator)
        found *= numerator * denominator
        if abs(numerator * denominator - 1) <= _PRECISION:
            break
    return found


def _term(number: int, below: float, first: float, second: float) -> float:
    half = number // 2
    over = -(first + half) * (first + second + half) if number % 2 else half * (second - half)
    return over * below / ((first + number - 1) * (first + number))
