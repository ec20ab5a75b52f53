"""The words of a text, and what stands for them in scripts that don't write spaces between words."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

__all__ = ["words_of"]

_UNSPACED = (
    # Thai, Lao, Burmese, Khmer
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    # Japanese and Chinese
    r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_LETTERS = rf"[^\W_{_UNSPACED}]+"
_WORD = re.compile(rf"(?P<run>[{_UNSPACED}]+)|{_LETTERS}(?:['\u2019]{_LETTERS})*")
_LONGEST_RUN = 3


def words_of(text: str) -> tuple[str, ...]:
    """The distinct words of a text in small letters, in order.

    Of a script without spaces, in which a whole clause would be a word, each character and each two and three in a row.
    """
    return tuple(dict.fromkeys(sys.intern(word) for word in _words(text.lower())))


def _words(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        run = found["run"]
        if run is None:
            yield found[0]
        else:
            for size in range(1, min(_LONGEST_RUN, len(run)) + 1):
                yield from (run[start : start + size] for start in range(len(run) - size + 1))
