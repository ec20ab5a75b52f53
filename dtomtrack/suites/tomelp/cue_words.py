"""Words by which a sentence shows a kind of cue, reasoning or correction, whatever the topic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources as package_files

import yaml

from dtomtrack.items.words import REMEMBERED
from dtomtrack.scenarios.route.overlap import words_of

__all__ = ["has_word"]


@lru_cache(maxsize=REMEMBERED)
def has_word(text: str, kind: str) -> bool:
    """Whether a text has one of the words, or of the phrases, of a kind in ``cue_words.yaml``."""
    padded = _padded(text)
    return any(f" {word} " in padded for word in _words()[kind])


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    text = (package_files.files("dtomtrack.suites.tomelp") / "cue_words.yaml").read_text(encoding="utf-8")
    return {name: tuple(" ".join(words_of(word)) for word in words) for name, words in yaml.safe_load(text).items()}


@lru_cache(maxsize=8192)
def _padded(text: str) -> str:
    return f" {' '.join(words_of(text))} "
