"""Agreement of two who scored the same things: Cohen's kappa, and Krippendorff's alpha for ordered scores.

Sources: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).
K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), with interval distances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from dtomtrack.evaluation.clustering import rounded
from dtomtrack.records import Count, Record

__all__ = ["Agreement", "agreement", "cohens_kappa", "krippendorffs_alpha"]


class Agreement(Record):
    """How far two agree on what both scored.

    Attributes:
        pairs: things that both scored; ``missing``: things that one of them could not score.
        same: share of pairs with the same score.
        kappa, alpha: None where nobody's scores differ from each other, so that there is nothing to agree on.
    """

    pairs: Count
    missing: Count = 0
    same: float | None = None
    kappa: float | None = None
    alpha: float | None = None


def agreement(pairs: Sequence[tuple[float | None, float | None]]) -> Agreement:
    """The agreement over pairs of scores; a score that is None is missing."""
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    return Agreement(
        pairs=len(known),
        missing=len(pairs) - len(known),
        same=rounded(sum(one == other for one, other in known) / len(known)) if known else None,
        kappa=rounded(cohens_kappa(known)),
        alpha=rounded(krippendorffs_alpha(known)),
    )


def cohens_kappa(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Agreement beyond what the frequencies of scores would give by chance; None where all scores are one."""
    if not pairs:
        return None
    size = len(pairs)
    ones, others = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    by_chance = sum(ones[score] * others[score] for score in ones) / size**2
    if by_chance >= 1:
        return None
    observed = sum(one == other for one, other in pairs) / size
    return (observed - by_chance) / (1 - by_chance)


def krippendorffs_alpha(pairs: Sequence[tuple[float, float]]) -> float | None:
    """One minus observed by expected disagreement, squared distances; None where all scores are one."""
    counts = Counter(chain.from_iterable(pairs))
    total = counts.total()
    if len(counts) < 2:
        return None
    expected = sum(
        counts[one] * counts[other] * (one - other) ** 2 for one in counts for other in counts if one < other
    )
    observed = sum((one - other) ** 2 for one, other in pairs)
    return 1 - (total - 1) * observed / expected
