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
    shares = {label: _share(own, stems(label.replace("_", " "))) for label in labels}
    best = max(shares.values(), default=0.0)
    found = [label for label, share in shares.items() if share == best]
    return found[0] if best > 0 and len(found) == 1 else None


def _share(own: frozenset[str], label: frozenset[str]) -> float:
    return len(own & label) / len(label) if label else 0.0
