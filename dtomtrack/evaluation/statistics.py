"""Shares and differences of shares, with intervals that know that the questions of one dialogue are not independent.

One rule throughout: dialogues are drawn, answers are not. An estimate is linear in what the dialogues add to it; its
variance is the bias-reduced cluster-robust one (CR2), and t quantiles have Bell and McCaffrey's degrees of freedom: the
number of dialogues less one where dialogues are of one size, fewer where some outweigh the rest.

- A share has Wilson's interval for the *effective* number of answers: that of independent answers which would have
  the same variance. It stays within 0 and 1 and is honest near both.
- A difference of paired shares has Agresti and Min's interval, likewise for the effective number of pairs. Near 1 and
  -1, and where pairs hardly ever differ, it is rather too wide than too narrow.

Sources: R. Bell, D. McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples",
Survey Methodology 28 (2002). E. Korn, B. Graubard, "Confidence intervals for proportions with small expected number of
positive counts estimated from survey data", Survey Methodology 24 (1998): effective size and degrees of freedom.
C. Franco, R. Little, T. Louis, E. Slud, "Comparative study of confidence intervals for proportions in complex sample
surveys", Journal of Survey Statistics and Methodology 7 (2019): Wilson's interval so modified. A. Agresti, Y. Min,
"Simple improved confidence intervals for comparing matched proportions", Statistics in Medicine 24 (2005).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dtomtrack.errors import InputError
from dtomtrack.evaluation.records import Interval

__all__ = [
    "Difference",
    "bounded_mean",
    "check_packages",
    "difference",
    "exact_mcnemar",
    "macro_mean",
    "macro_share",
    "mean",
    "micro_mean",
    "rounded",
    "share",
    "share_against",
]

Right: TypeAlias = tuple[int, bool]
"""The number of a dialogue, and whether an answer in it is right (or a wrong one an intrusion, ...)."""
Pair: TypeAlias = tuple[int, bool, bool]
"""The number of a dialogue, and whether either answer of a pair in it is right."""

_LEVEL = 0.95
_DECIMALS = 6
_MANY_DIALOGUES = 10
"""From here on dialogues are believed if they say more than independent answers would."""
_NEGLIGIBLE = 1e-9
"""A share of a variance that comes from how numbers are rounded."""
NOTHING = Interval(value=None, low=None, high=None)


@dataclass(frozen=True)
class Difference:
    """The share of right second answers minus that of right first ones, over pairs; None where there are too few."""

    pairs: int
    dialogues: int
    first: float | None
    second: float | None
    difference: Interval
    p_value: float | None


def check_packages() -> None:
    """Make sure that what statistics need is installed.

    Raises:
        InputError: it is not.
    """
    try:
        import scipy  # noqa: F401
        import statsmodels  # noqa: F401
    except ImportError:
        raise InputError("evaluating needs an extra: pip install 'dtomtrack[evaluate]'") from None


# -- means -----------------------------------------------------------------------------------------------------------


def mean(values: Collection[float]) -> float | None:
    """The mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def micro_mean(counts: Mapping[str, int], accuracies: Mapping[str, float]) -> float | None:
    """Accuracy over all items, from the items and the accuracy of each type: the paper's "Overall" (Table 4)."""
    items = sum(counts.values())
    return math.fsum(counts[name] * accuracies[name] for name in counts) / items if items else None


def macro_mean(accuracies: Mapping[str, float]) -> float | None:
    """Accuracy over types, each alike."""
    return mean(accuracies.values())


def rounded(value: float | None) -> float | None:
    """To six places, so that a file of numbers is the same on every machine; never minus nought."""
    return None if value is None else round(value, _DECIMALS) + 0.0


# -- shares ----------------------------------------------------------------------------------------------------------


def share(answers: Iterable[Right]) -> Interval:
    """The share of right answers.

    From a single dialogue there is no interval: it does not say how dialogues differ.
    """
    totals = _Totals(answers)
    if not totals.items:
        return NOTHING
    return _wilson(totals.share, totals.effect())


def macro_share(groups: Iterable[Iterable[Right]]) -> Interval:
    """The mean of the shares of groups that have answers, each group alike."""
    totals = [one for one in map(_Totals, groups) if one.items]
    value = mean([one.share for one in totals])
    if value is None:
        return NOTHING
    parts: dict[int, float] = {}
    weights: dict[int, float] = {}
    for one in totals:
        for dialogue, part in one.parts().items():
            parts[dialogue] = parts.get(dialogue, 0.0) + part / len(totals)
            weights[dialogue] = weights.get(dialogue, 0.0) + one.weights[dialogue] / len(totals)
    independent = math.fsum(one.share * (1 - one.share) / one.items for one in totals) / len(totals) ** 2
    spread = _Spread.of(parts, weights)
    return _wilson(value, _Effect(_size(value * (1 - value), spread, independent, len(parts)), spread))


def bounded_mean(scores: Iterable[tuple[int, float]]) -> Interval:
    """The mean of scores from 0 to 1, with Student's interval from the clustered variance, cut off at 0 and 1."""
    from scipy.special import stdtrit

    totals = _Totals(scores)
    if not totals.items:
        return NOTHING
    spread = _Spread.of(totals.parts(), totals.weights)
    if spread.variance is None:
        return Interval(value=rounded(totals.share), low=None, high=None)
    reach = float(stdtrit(spread.freedom, (1 + _LEVEL) / 2)) * math.sqrt(spread.variance)
    return _interval(totals.share, max(0.0, totals.share - reach), min(1.0, totals.share + reach))


def share_against(answers: Sequence[Right], chances: Sequence[float]) -> tuple[Interval, float | None]:
    """The share of right answers, and the p value of the hypothesis that each is right by its chance.

    A two-sided score test with the effective number of answers: what Wilson's interval inverts.
    """
    totals = _Totals(answers)
    if not totals.items:
        return NOTHING, None
    effect = totals.effect()
    excess = totals.share - math.fsum(chances) / totals.items
    spread = math.sqrt(math.fsum(chance * (1 - chance) for chance in chances) / totals.items / effect.size)
    return _wilson(totals.share, effect), _p_value(excess, spread, effect.spread)


class _Totals:
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
        """What each dialogue adds to the share's departure from its mean."""
        return {
            dialogue: (self._right[dialogue] - self.share * items) / self.items
            for dialogue, items in self._items.items()
        }

    def effect(self) -> _Effect:
        """The effective number of answers."""
        spread = _Spread.of(self.parts(), self.weights)
        binomial = self.share * (1 - self.share)
        return _Effect(_size(binomial, spread, binomial / self.items, len(self.weights)), spread)


# -- differences -----------------------------------------------------------------------------------------------------


def difference(pairs: Iterable[Pair]) -> Difference:
    """The paired difference of two shares, with its interval and two-sided p value."""
    pairs = list(pairs)
    gains = [(dialogue, second - first) for dialogue, first, second in pairs]
    items = len(pairs)
    if not items:
        return Difference(0, 0, None, None, NOTHING, None)
    value = sum(gain for _, gain in gains) / items
    ups, downs = (sum(gain == sign for _, gain in gains) / items for sign in (1, -1))
    parts: dict[int, float] = {}
    weights: dict[int, float] = {}
    for dialogue, gain in gains:
        parts[dialogue] = parts.get(dialogue, 0.0) + (gain - value) / items
        weights[dialogue] = weights.get(dialogue, 0.0) + 1 / items
    spread = _Spread.of(parts, weights)
    single = ups + downs - value**2
    size = _size(single, spread, single / items, len(parts))
    interval, p_value = _agresti_min(value, ups, downs, _Effect(size, spread))
    first, second = (rounded(sum(pair[place] for pair in pairs) / items) for place in (1, 2))
    return Difference(items, len(parts), first, second, interval, p_value)


def exact_mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact p value, as if all pairs were independent."""
    from statsmodels.stats.contingency_tables import mcnemar

    return round(float(mcnemar([[0, only_first], [only_second, 0]], exact=True).pvalue), _DECIMALS)


# -- how sure --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Spread:
    """Variance of an estimate, and the degrees of freedom of the variance; None from one dialogue alone."""

    variance: float | None
    freedom: float

    @classmethod
    def of(cls, parts: Mapping[int, float], weights: Mapping[int, float]) -> _Spread:
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
class _Effect:
    """The number of independent items that would tell as much."""

    size: float
    spread: _Spread


def _size(single: float, spread: _Spread, independent: float, dialogues: int) -> float:
    """The effective number of items.

    Answers of a dialogue may also make up for each other (right after, wrong before), so that they tell more than
    independent ones; few dialogues may look so by accident, and dialogues that do not differ at all can't be believed.
    Where all items are alike, nothing is known of how dialogues differ: then it is the number of dialogues.

    Args:
        single: variance of one item.
        independent: the estimate's variance if items were independent.
    """
    variance = spread.variance or 0.0
    if dialogues < _MANY_DIALOGUES or variance < _NEGLIGIBLE * independent:
        variance = max(variance, independent)
    return single / variance if single > 0 and variance > 0 else float(dialogues)


def _wilson(value: float, effect: _Effect) -> Interval:
    from scipy.special import ndtri, stdtrit
    from statsmodels.stats.proportion import proportion_confint

    if effect.spread.variance is None:
        return Interval(value=rounded(value), low=None, high=None)
    tail = (1 + _LEVEL) / 2
    size = effect.size * float(ndtri(tail) / stdtrit(effect.spread.freedom, tail)) ** 2
    low, high = proportion_confint(value * size, size, alpha=1 - _LEVEL, method="wilson")
    return _interval(value, max(0.0, float(low)), min(1.0, float(high)))


def _agresti_min(value: float, ups: float, downs: float, effect: _Effect) -> tuple[Interval, float | None]:
    """Two pairs are added, half a pair to each way in which a pair can come out: no sample is too good to be true."""
    from scipy.special import stdtrit

    if effect.spread.variance is None:
        return Interval(value=rounded(value), low=None, high=None), None
    up, down = ((part * effect.size + 0.5) / (effect.size + 2) for part in (ups, downs))
    centre = up - down
    error = math.sqrt((up + down - centre**2) / (effect.size + 2))
    reach = float(stdtrit(effect.spread.freedom, (1 + _LEVEL) / 2)) * error
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    return _interval(value, low, high), _p_value(centre, error, effect.spread)


def _interval(value: float, low: float, high: float) -> Interval:
    return Interval(value=rounded(value), low=rounded(min(low, value)), high=rounded(max(high, value)))


def _p_value(departure: float, error: float, spread: _Spread) -> float | None:
    from scipy.special import stdtr

    if spread.variance is None or error == 0:
        return None
    return rounded(2 * float(stdtr(spread.freedom, -abs(departure) / error)))
