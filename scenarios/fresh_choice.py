"""Choosing among forms so that none comes again before all have come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

__all__ = ["FreshChoice"]


class FreshChoice:
    """Chooses for one speaker of one dialogue; what was chosen less often goes first."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._said: Counter[str] = Counter()

    def choice(self, forms: Sequence[str]) -> str:
        """One of the forms that were chosen least often."""
        least = min(self._said[one] for one in forms)
        chosen = self._rng.choice([one for one in forms if self._said[one] == least])
        self._said[chosen] += 1
        return chosen
