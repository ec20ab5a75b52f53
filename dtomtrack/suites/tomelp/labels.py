"""Inferred states against labels: a free phrase stands for the label that it has most content words in common with."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.items.words import stems

__all__ = ["nearest_label"]


def nearest_label(phrase: str, labels: Sequence[str]) -> str | None:
    """The label that a phrase stands for; None if it shares nothing with any, or as much with two."""
    if phrase in labels:
        return phrase
    own = stems(phrase.replace("_", " "))
    named = {label: stems(label.replace("_", " ")) for label in labels}
    # "wants" stands in every desire, and tells none of them
    common = frozenset.intersection(*named.values()) if len(named) > 1 else frozenset()
    shares = {label: _share(own, words - common) for label, words in named.items()}
    best = max(shares.values(), default=0.0)
    found = [label for label, share in shares.items() if share == best]
    return found[0] if best > 0 and len(found) == 1 else None


def _share(own: frozenset[str], label: frozenset[str]) -> float:
    return len(own & label) / len(label) if label else 0.0
