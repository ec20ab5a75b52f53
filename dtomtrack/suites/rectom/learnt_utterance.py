"""A baseline that reads one line: a bag of words, learnt on other dialogues.

Of intention items it reads the utterance that is asked about, of all others the last line. A linear classifier for each
option, or for each answer where one is right, over words and pairs of words (tf-idf), learnt on four fifths of the
dialogues for the fifth. Whatever it gets takes no mind to be read: it is the line to beat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from dtomtrack.errors import InputError
from dtomtrack.evaluation.benchmark import Rule
from dtomtrack.items.item import Item

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

__all__ = ["learnt_utterance"]

_FOLDS = 5
_STRENGTH = 0.5
"""The inverse of regularisation."""
_RARE = 2
"""A word that fewer lines have is not looked at."""

Choices = dict[str, frozenset[int]]


def learnt_utterance(items: Callable[[], Iterable[Item]]) -> Rule:
    """The rule, learnt on the items of a dataset.

    Raises:
        InputError: an extra is missing.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise InputError("this baseline needs an extra: pip install 'dtomtrack[evaluate]'") from None
    types: dict[tuple[str, int], list[Item]] = {}
    for item in items():
        types.setdefault((item.groups.get("type", ""), len(item.options)), []).append(item)
    choices: Choices = {}
    for own in types.values():
        choices.update(_learnt(own))
    return lambda shown: choices[shown.item.id]


def _learnt(items: Sequence[Item]) -> Choices:
    """The choices for items of one type, each learnt on the other folds."""
    found: Choices = {}
    for fold in range(_FOLDS):
        train = [item for item in items if _fold(item) != fold]
        test = [item for item in items if _fold(item) == fold]
        if test:
            found.update(zip((item.id for item in test), _tried(train, test), strict=True))
    return found


def _fold(item: Item) -> int:
    return hashlib.sha256(item.cluster.encode()).digest()[0] % _FOLDS


def _line(item: Item) -> str:
    """The line that a type is learnt from: that which is asked about."""
    lines = () if item.context is None else item.context.lines
    at = len(lines) if item.turn is None or not item.groups.get("lines_behind") else item.turn
    return lines[at - 1].text if 0 < at <= len(lines) else ""


def _tried(train: Sequence[Item], test: Sequence[Item]) -> list[frozenset[int]]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=_RARE)
    try:
        rows = words.fit_transform([_line(item) for item in train])
    except ValueError:
        # no word is there twice, or nothing to learn from
        return [frozenset((0,))] * len(test)
    tried = words.transform([_line(item) for item in test])
    if train[0].select == "one":
        golds = [min(item.gold) for item in train]
        return [frozenset((int(one),)) for one in _predicted(rows, golds, tried)]
    return _sets(rows, train, tried)


def _predicted(rows: csr_matrix, golds: Sequence[int], tried: csr_matrix) -> Sequence[int]:
    from sklearn.svm import LinearSVC

    if len(set(golds)) < 2:
        return [golds[0]] * tried.shape[0]
    return list(LinearSVC(C=_STRENGTH, random_state=0).fit(rows, golds).predict(tried))


def _sets(rows: csr_matrix, train: Sequence[Item], tried: csr_matrix) -> list[frozenset[int]]:
    """All options that their own classifier takes for right; at least the likeliest."""
    import numpy as np

    options = range(len(train[0].options))
    scores = np.stack([_scores(rows, [one in item.gold for item in train], tried) for one in options], axis=1)
    return [frozenset(map(int, np.flatnonzero(row > 0))) or frozenset((int(row.argmax()),)) for row in scores]


def _scores(rows: csr_matrix, right: Sequence[bool], tried: csr_matrix) -> np.ndarray:
    import numpy as np
    from sklearn.svm import LinearSVC

    if len(set(right)) < 2:
        return np.full(tried.shape[0], 1.0 if right[0] else -1.0)
    scores: np.ndarray = LinearSVC(C=_STRENGTH, random_state=0).fit(rows, right).decision_function(tried)
    return scores
