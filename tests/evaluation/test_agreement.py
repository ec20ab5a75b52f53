"""Kappa and alpha against known values."""

from __future__ import annotations

from random import Random

import pytest

from dtomtrack.evaluation.agreement import agreement, cohens_kappa, krippendorffs_alpha


def test_kappa_of_the_textbook() -> None:
    pairs = [(1.0, 1.0)] * 20 + [(1.0, 0.0)] * 5 + [(0.0, 1.0)] * 10 + [(0.0, 0.0)] * 15
    assert cohens_kappa(pairs) == pytest.approx(0.4)


def test_kappa_is_that_of_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score

    rng = Random(0)
    pairs = [(float(rng.randrange(3)), float(rng.randrange(3))) for _ in range(80)]
    assert cohens_kappa(pairs) == pytest.approx(cohen_kappa_score(*map(list, zip(*pairs, strict=True))))


def test_alpha_of_krippendorffs_example() -> None:
    # "Computing Krippendorff's alpha-reliability" (2011), section A: binary data, two observers, ten units
    one, other = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert krippendorffs_alpha(list(zip(map(float, one), map(float, other), strict=True))) == pytest.approx(
        0.095, abs=5e-4
    )


def test_nothing_to_agree_on_is_not_known() -> None:
    found = agreement([(1.0, 1.0), (1.0, 1.0), (None, 2.0)])
    assert (found.pairs, found.missing, found.same, found.kappa, found.alpha) == (2, 1, 1.0, None, None)
    assert agreement([]).same is None


def test_far_scores_cost_alpha_more_than_near_ones() -> None:
    near = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (0.0, 1.0)]
    far = [*near[:3], (0.0, 2.0)]
    assert (krippendorffs_alpha(near) or 0) > (krippendorffs_alpha(far) or 0)
    assert cohens_kappa(near) is not None
