"""Shares and differences of shares, with intervals that know that the questions of one dialogue are not independent.

One rule throughout: dialogues are drawn, answers are not. An estimate is linear in what the dialogues add to it; its
variance is the bias-reduced cluster-robust one (CR2), and t quantiles have Bell and McCaffrey's degrees of freedom: the
number of dialogues less one where dialogues are of one size, fewer where some outweigh the rest.

- A share has Wilson's interval for the *effective* number of answers: that of independent answers which would have
  the same variance. It stays within 0 and 1 and is honest near both.
- A mean of shares has the variance of the sum of its parts (`sums`), and then Wilson's interval like a share.
- A product of shares is linearised (the delta method), and then has Wilson's interval like a share (`products`).
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
from dtomtrack.evaluation.clustering import (
    NOTHING,
    Effect,
    Spread,
    Totals,
    agresti_min,
    effective_size,
    p_value_of,
    rounded,
    significant,
    wilson,
)
from dtomtrack.evaluation.records import Interval
from dtomtrack.evaluation.sums import Addend, dialogues_of_sum, spread_of_sum

__all__ = [
    "Difference",
    "check_packages",
    "difference",
    "exact_mcnemar",
    "holm",
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


# -- shares ----------------------------------------------------------------------------------------------------------


def share(answers: Iterable[Right]) -> Interval:
    """The share of right answers.

    From a single dialogue there is no interval: it does not say how dialogues differ.
    """
    totals = Totals(answers)
    if not totals.items:
        return NOTHING
    return wilson(totals.share, totals.effect())


def macro_share(groups: Iterable[Iterable[Right]]) -> Interval:
    """The mean of the shares of groups that have answers, each group alike.

    Where one of them is from a single dialogue there is no interval.
    """
    totals = [one for one in map(Totals, groups) if one.items]
    value = mean([one.share for one in totals])
    if value is None:
        return NOTHING
    addends = [Addend(one, 1 / len(totals)) for one in totals]
    spread, dialogues = spread_of_sum(addends), dialogues_of_sum(addends)
    independent = math.fsum(one.share * (1 - one.share) / one.items for one in totals) / len(totals) ** 2
    return wilson(value, Effect(effective_size(value * (1 - value), spread, independent, dialogues), spread))


def share_against(answers: Sequence[Right], chances: Sequence[float]) -> tuple[Interval, float | None]:
    """The share of right answers, and the p value of the hypothesis that each is right by its chance.

    A two-sided score test with the effective number of answers: what Wilson's interval inverts.
    """
    totals = Totals(answers)
    if not totals.items:
        return NOTHING, None
    effect = totals.effect()
    excess = totals.share - math.fsum(chances) / totals.items
    spread = math.sqrt(math.fsum(chance * (1 - chance) for chance in chances) / totals.items / effect.size)
    return wilson(totals.share, effect), p_value_of(excess, spread, effect.spread)


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
    spread = Spread.of(parts, weights)
    single = ups + downs - value**2
    size = effective_size(single, spread, single / items, len(parts))
    interval, p_value = agresti_min(value, ups, downs, Effect(size, spread))
    first, second = (rounded(sum(pair[position] for pair in pairs) / items) for position in (1, 2))
    return Difference(items, len(parts), first, second, interval, p_value)


def exact_mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact p value, as if all pairs were independent."""
    from scipy.special import bdtr

    pairs = only_first + only_second
    return significant(min(1.0, 2 * float(bdtr(min(only_first, only_second), pairs, 0.5))))


def holm(p_values: Sequence[float]) -> list[float]:
    """p values that hold for all hypotheses together, the smallest times their number, the next times one less, ...

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979).
    """
    # not statsmodels' multipletests, which collects all garbage first: a third of a second each time
    order = sorted(range(len(p_values)), key=lambda position: p_values[position])
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, position in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[position]))
        corrected[position] = significant(highest)
    return corrected
