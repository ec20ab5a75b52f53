"""Choosing what to ask so that questions tell nothing: whatever stands in one goes with each answer equally often.

Questions are offered one after another, and one is taken as long as it makes no answer more frequent than the others
are. The first of them depend on no later ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

__all__ = ["Balance", "Fact", "right_or_wrong"]

_Key: TypeAlias = tuple[object, ...]
_Candidate = TypeVar("_Candidate")


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that stands in a question, and what it goes with there.

    Attributes:
        answers: everything that it could go with.
        weight: how much this one counts for, where some answers are rarer by nature.
        slack: by how much an answer may be ahead of the rarest.
    """

    about: _Key
    answer: object
    answers: tuple[object, ...]
    weight: int = 1
    slack: int = 1


def right_or_wrong(option: object, *, right: bool, options: int) -> Fact:
    """An option of a question with so many: it has to be wrong as often as chance says for each time it is right."""
    wrong = options - 1
    return Fact(("option", option), right, (True, False), wrong if right else 1, wrong)


class Balance:
    """The counts of what was taken so far."""

    def __init__(self) -> None:
        self._taken: Counter[tuple[_Key, object]] = Counter()

    def choose(
        self, candidates: Iterable[_Candidate], facts: Callable[[_Candidate], tuple[Fact, ...]]
    ) -> _Candidate | None:
        """The candidate that balances best, the first of those that do so equally; None if none may be taken."""
        best: tuple[int, _Candidate] | None = None
        for candidate in candidates:
            ahead = self._ahead(facts(candidate))
            if ahead is not None and (best is None or ahead < best[0]):
                best = ahead, candidate
        if best is None:
            return None
        for fact in facts(best[1]):
            self._taken[fact.about, fact.answer] += fact.weight
        return best[1]

    def _ahead(self, facts: tuple[Fact, ...]) -> int | None:
        """How far the answers would be ahead of the rarest, in all; None if one would be so too far."""
        total = 0
        for fact in facts:
            taken = [self._taken[fact.about, answer] for answer in fact.answers]
            ahead = self._taken[fact.about, fact.answer] + fact.weight - min(taken)
            if ahead > fact.slack:
                return None
            total += ahead
        return total
