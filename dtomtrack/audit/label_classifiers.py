"""Sets learnt label by label: option texts that recur, a classifier of the question for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.audit.classifiers import PASSES, hashed, hashed_rows, narrowed
from dtomtrack.audit.folds import folds
from dtomtrack.audit.thresholds import chosen

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

__all__ = ["choices_by_label"]

_MOST_LABELS = 40
_SUPPORT = 20
"""A text that is an option of fewer items is not learnt."""
_LONGEST = 400
_UNKNOWN = -1e6


def choices_by_label(items: Sequence[AuditItem], seed: int) -> list[Choice]:
    """For items where a set is to be chosen, all options that their own classifiers take for right."""
    places = [place for place, item in enumerate(items) if item.is_set]
    sets = [items[place] for place in places]
    choices: list[Choice] = [()] * len(items)
    rows = _question_rows(sets)
    for train, test in folds(sets, seed):
        figures = _figures(sets, rows, train, test, seed)
        for number in test:
            known = [figures.get(text, {}).get(number, _UNKNOWN) for text in sets[number].texts]
            choices[places[number]] = _choice(sets[number], known)
    return choices


def _choice(item: AuditItem, known: Sequence[float]) -> Choice:
    import numpy as np

    return chosen(item, np.array(known), 0.0) if max(known) > _UNKNOWN else ()


def _figures(
    sets: Sequence[AuditItem], rows: csr_matrix, train: Sequence[int], test: Sequence[int], seed: int
) -> Mapping[str, Mapping[int, float]]:
    """By label, how right it looks for each of the items that are tried: above 0 where it is more likely than not."""
    offered = Counter(text for number in train for text in set(sets[number].texts))
    labels = [text for text, count in offered.most_common(_MOST_LABELS) if count >= _SUPPORT]
    return {text: _figures_of(text, sets, rows, train, test, seed) for text in labels}


def _figures_of(
    text: str, sets: Sequence[AuditItem], rows: csr_matrix, train: Sequence[int], test: Sequence[int], seed: int
) -> Mapping[int, float]:
    from sklearn.linear_model import SGDClassifier

    own = [number for number in train if text in sets[number].texts]
    tried = [number for number in test if text in sets[number].texts]
    right = [any(sets[number].texts[position] == text for position in sets[number].gold) for number in own]
    if len(set(right)) < 2 or not tried:
        return dict.fromkeys(tried, 1.0 if right and right[0] else -1.0)
    model = SGDClassifier(loss="log_loss", alpha=1e-4, max_iter=PASSES, tol=None, random_state=seed, average=len(own))
    model.fit(rows[own], right)
    return dict(zip(tried, map(float, model.decision_function(rows[tried])), strict=True))


def _question_rows(sets: Sequence[AuditItem]) -> csr_matrix:
    """Words, pairs of neighbouring words, and the turn of each question."""
    return narrowed(hashed_rows([_features(item) for item in sets]))


def _features(item: AuditItem) -> np.ndarray:
    import numpy as np

    words = item.question.lower().split()[:_LONGEST]
    pairs = [f"p{one} {other}" for one, other in pairwise(words)]
    return np.unique(hashed([f"w{word}" for word in words] + pairs + [f"t{item.turn}"]))
