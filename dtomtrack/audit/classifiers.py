"""Small classifiers that see the options, or the question and the options, and never the context.

A logistic regression tells gold options from others; the rule takes the option that looks most like gold. Features are
hashed (Weinberger et al., 2009), so that nothing is learnt from the items that it is tried on.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dtomtrack.audit.folds import Credits, folds
from dtomtrack.audit.items import Item
from dtomtrack.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from scipy.sparse import csr_matrix

__all__ = ["CLASSIFIERS", "MOST_ITEMS", "Features", "check_package", "classified", "of_places"]

MOST_ITEMS = 10_000
"""More are not looked at: they would take long and tell nothing new."""
_WIDTH = 1 << 18
_MOST_WORDS = 24
_MOST_CHARACTERS = 160
_PASSES = 10

Features = tuple["csr_matrix", "np.ndarray"]
"""A row for each option of each item, and where the rows of each item begin (with the end behind the last)."""


def check_package() -> None:
    """Make sure that what learns and what measures is installed.

    Raises:
        InputError: it is not.
    """
    try:
        import sklearn  # noqa: F401
        import statsmodels  # noqa: F401
    except ImportError:
        raise InputError("an audit needs an extra: pip install 'dtomtrack[evaluate]'") from None


def option_text(items: Sequence[Item]) -> Features:
    """Words, pairs of neighbouring words and runs of two to four characters of each option."""
    return _matrix(items, lambda item, place: _text_features(item.options[place]))


def question_and_option(items: Sequence[Item]) -> Features:
    """Each word of the question together with each word of the option, beside what `option_text` sees."""

    def see(item: Item, place: int) -> np.ndarray:
        import numpy as np

        asked = _hashes(item.question_words[:_MOST_WORDS])
        offered = _hashes(item.option_words[place][:_MOST_WORDS])
        pairs = (np.bitwise_xor.outer(asked * 31, offered * 17) * 0x9E3779B1 >> 7) & (_WIDTH - 1)
        return np.concatenate([pairs.ravel(), _text_features(item.options[place])])

    return _matrix(items, see)


CLASSIFIERS: dict[str, Callable[[Sequence[Item]], Features]] = {
    "option text, classifier": option_text,
    "question and option, classifier": question_and_option,
}


def classified(items: Sequence[Item], features: Features, seed: int) -> Credits:
    """What the classifier gets for each item, learnt without the item's cluster."""
    import numpy as np
    from sklearn.linear_model import SGDClassifier

    rows, starts = _narrow(features[0]), features[1]
    is_gold = np.zeros(rows.shape[0], dtype=np.int8)
    is_gold[starts[:-1] + np.array([item.gold for item in items])] = 1
    credits = [item.chance for item in items]
    for train, test in folds(items, seed):
        own = _rows_of(train, starts)
        if not own.size:
            continue
        model = SGDClassifier(
            loss="log_loss", alpha=1e-4, max_iter=_PASSES, tol=None, random_state=seed, average=len(own)
        )
        model.fit(rows[own], is_gold[own])
        scores = model.decision_function(rows[_rows_of(test, starts)])
        for place, item_scores in zip(test, _split(scores, test, starts), strict=True):
            best = item_scores.max()
            credits[place] = items[place].credit(np.flatnonzero(item_scores >= best - 1e-9).tolist())
    return credits


def of_places(features: Features, places: Sequence[int]) -> Features:
    """The features of the items at these places."""
    import numpy as np

    rows, starts = features
    sizes = [int(starts[place + 1] - starts[place]) for place in places]
    return rows[_rows_of(places, starts)], np.concatenate([[0], np.cumsum(sizes)]).astype(int)


def _narrow(rows: csr_matrix) -> csr_matrix:
    """Without the columns that no row has: a fit takes time for each."""
    import numpy as np
    from scipy.sparse import csr_matrix

    used, places = np.unique(rows.indices, return_inverse=True)
    return csr_matrix((rows.data, places, rows.indptr), shape=(rows.shape[0], max(1, len(used))))


def _rows_of(places: Sequence[int], starts: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.concatenate([np.arange(starts[place], starts[place + 1]) for place in places] or [np.array([], int)])


def _split(scores: np.ndarray, places: Sequence[int], starts: np.ndarray) -> Iterator[np.ndarray]:
    at = 0
    for place in places:
        size = starts[place + 1] - starts[place]
        yield scores[at : at + size]
        at += size


def _matrix(items: Sequence[Item], see: Callable[[Item, int], np.ndarray]) -> Features:
    """Hashed features as rows of length one, each feature there or not."""
    import numpy as np
    from scipy.sparse import csr_matrix

    columns = [np.unique(see(item, place)) for item in items for place in range(len(item.options))]
    sizes = np.array([len(own) for own in columns])
    ends = np.concatenate([[0], np.cumsum(sizes)])
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    flat = np.concatenate(columns).astype(np.int32) if columns else np.array([], np.int32)
    rows = csr_matrix((values, flat, ends), shape=(len(columns), _WIDTH))
    return rows, np.concatenate([[0], np.cumsum([len(item.options) for item in items])]).astype(int)


@lru_cache(maxsize=1 << 15)
def _text_features(text: str) -> np.ndarray:
    shown = f" {' '.join(text.lower().split())[:_MOST_CHARACTERS]} "
    words = shown.split()
    runs = [shown[start : start + size] for size in (2, 3, 4) for start in range(len(shown) - size + 1)]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    return _hashes([f"w{word}" for word in words] + [f"p{pair}" for pair in pairs] + [f"c{run}" for run in runs])


def _hashes(texts: Sequence[str]) -> np.ndarray:
    import numpy as np

    return np.array([zlib.crc32(text.encode()) & (_WIDTH - 1) for text in texts], dtype=np.int64)
