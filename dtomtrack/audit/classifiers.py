"""Small classifiers that see the options, or the question and the options, and never the context.

A logistic regression tells gold options from others; the rule takes the option that looks most like gold, or, where any
set of options may be right, all that look more like gold than a threshold that is learnt with it. Features are hashed
(Weinberger et al., 2009), so that nothing is learnt from the items that it is tried on.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dtomtrack.audit.audit_item import AuditItem, Choice
from dtomtrack.audit.folds import folds
from dtomtrack.audit.thresholds import Scores, best_threshold, chosen
from dtomtrack.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import SGDClassifier

__all__ = [
    "CLASSIFIERS",
    "MOST_CLASSIFIED",
    "PASSES",
    "Features",
    "check_package",
    "choices_by_features",
    "hashed",
    "hashed_rows",
    "narrowed",
    "of_places",
    "text_features",
]

MOST_CLASSIFIED = 10_000
"""Items that are looked at if nothing else is said: more take as much longer, and make the intervals narrower."""
_WIDTH = 1 << 18
# as docs/howto/audit.md tells
_MOST_WORDS = 24
_MOST_CHARACTERS = 160
PASSES = 10
"""Over the items that are learnt from."""

Features = tuple["csr_matrix", "np.ndarray"]
"""A row for each option of each item, and where the rows of each item begin (with the end behind the last)."""


def check_package() -> None:
    """Make sure that what learns and what measures is installed.

    Raises:
        InputError: it is not.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise InputError("an audit needs an extra: pip install 'dtomtrack[evaluate]'") from None


def option_text(items: Sequence[AuditItem]) -> Features:
    """Words, pairs of neighbouring words and runs of two to four characters of the first 160 of each option."""
    return _matrix(items, lambda item, place: text_features(item.options[place]))


def question_and_option(items: Sequence[AuditItem]) -> Features:
    """Each of the first 24 words of the question with each of the option's, beside what `option_text` sees."""

    def see(item: AuditItem, place: int) -> np.ndarray:
        import numpy as np

        asked = hashed(item.question_words[:_MOST_WORDS])
        offered = hashed(item.option_words[place][:_MOST_WORDS])
        pairs = (np.bitwise_xor.outer(asked * 31, offered * 17) * 0x9E3779B1 >> 7) & (_WIDTH - 1)
        return np.unique(np.concatenate([pairs.ravel(), text_features(item.options[place])]))

    return _matrix(items, see)


CLASSIFIERS: dict[str, Callable[[Sequence[AuditItem]], Features]] = {
    "option text, classifier": option_text,
    "question and option, classifier": question_and_option,
}


def choices_by_features(items: Sequence[AuditItem], features: Features, seed: int) -> list[Choice]:
    """The choices of the classifier, each learnt without the item's cluster."""
    rows = _Rows(items, features)
    choices: list[Choice] = [()] * len(items)
    for train, test in folds(items, seed):
        model = rows.fitted(train, seed)
        if model is None:
            continue
        sets = [place for place in train if items[place].is_set]
        threshold = best_threshold([items[place] for place in sets], rows.scores(model, sets))
        for place, scores in zip(test, rows.scores(model, test), strict=True):
            choices[place] = chosen(items[place], scores, threshold)
    return choices


class _Rows:
    """The features of items, and which rows are of options that are right."""

    def __init__(self, items: Sequence[AuditItem], features: Features) -> None:
        import numpy as np

        self._rows, self._starts = narrowed(features[0]), features[1]
        self._is_gold = np.zeros(self._rows.shape[0], dtype=np.int8)
        gold = [self._starts[place] + position for place, item in enumerate(items) for position in item.gold]
        self._is_gold[gold] = 1

    def fitted(self, places: Sequence[int], seed: int) -> SGDClassifier | None:
        """A model of these items' options; None where there is nothing to tell apart."""
        from sklearn.linear_model import SGDClassifier

        own = _rows_of(places, self._starts)
        if not own.size or self._is_gold[own].all():
            return None
        model = SGDClassifier(
            loss="log_loss", alpha=1e-4, max_iter=PASSES, tol=None, random_state=seed, average=len(own)
        )
        model.fit(self._rows[own], self._is_gold[own])
        return model

    def scores(self, model: SGDClassifier, places: Sequence[int]) -> Scores:
        """How right the options of these items look."""
        own = _rows_of(places, self._starts)
        return list(_split(model.decision_function(self._rows[own]), places, self._starts)) if own.size else []


def of_places(features: Features, places: Sequence[int]) -> Features:
    """The features of the items at these places."""
    import numpy as np

    rows, starts = features
    sizes = [int(starts[place + 1] - starts[place]) for place in places]
    return rows[_rows_of(places, starts)], np.concatenate([[0], np.cumsum(sizes)]).astype(int)


def narrowed(rows: csr_matrix) -> csr_matrix:
    """Without the columns that no row has: a fit takes time for each."""
    import numpy as np
    from scipy.sparse import csr_matrix

    used = np.zeros(rows.shape[1], dtype=bool)
    used[rows.indices] = True
    places = np.cumsum(used, dtype=rows.indices.dtype)[rows.indices] - 1
    return csr_matrix((rows.data, places, rows.indptr), shape=(rows.shape[0], max(1, int(used.sum()))))


def _rows_of(places: Sequence[int], starts: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.concatenate([np.arange(starts[place], starts[place + 1]) for place in places] or [np.array([], int)])


def _split(scores: np.ndarray, places: Sequence[int], starts: np.ndarray) -> Iterator[np.ndarray]:
    at = 0
    for place in places:
        size = starts[place + 1] - starts[place]
        yield scores[at : at + size]
        at += size


def _matrix(items: Sequence[AuditItem], see: Callable[[AuditItem, int], np.ndarray]) -> Features:
    """Hashed features of each option of each item, each feature there once or not."""
    import numpy as np

    rows = hashed_rows([see(item, place) for item in items for place in range(len(item.options))])
    return rows, np.concatenate([[0], np.cumsum([len(item.options) for item in items])]).astype(int)


def hashed_rows(columns: Sequence[np.ndarray]) -> csr_matrix:
    """Rows of length one, each with these features."""
    import numpy as np
    from scipy.sparse import csr_matrix

    sizes = np.array([len(own) for own in columns])
    ends = np.concatenate([[0], np.cumsum(sizes)])
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    flat = np.concatenate(columns).astype(np.int32) if columns else np.array([], np.int32)
    return csr_matrix((values, flat, ends), shape=(len(columns), _WIDTH))


@lru_cache(maxsize=1 << 15)
def text_features(text: str) -> np.ndarray:
    """Hashes of words, of pairs of neighbouring words, and of runs of two to four characters; each once."""
    import numpy as np

    shown = f" {' '.join(text.lower().split())[:_MOST_CHARACTERS]} "
    words = shown.split()
    runs = [shown[start : start + size] for size in (2, 3, 4) for start in range(len(shown) - size + 1)]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    seen = [f"w{word}" for word in words] + [f"p{pair}" for pair in pairs] + [f"c{run}" for run in runs]
    return np.unique(hashed(seen))


def hashed(texts: Sequence[str]) -> np.ndarray:
    """The column of each feature."""
    import numpy as np

    return np.array([zlib.crc32(text.encode()) & (_WIDTH - 1) for text in texts], dtype=np.int64)
