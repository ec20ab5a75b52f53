"""The tones and goals of a file in DailyPersuasion's form, from which wrong options are drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from random import Random

from rapidfuzz.fuzz import token_set_ratio
from rapidfuzz.utils import default_process

from dtomtrack.suites.persuasivetom.polarity import polarity_of

__all__ = ["NEAR", "DailyWords"]

NEAR = 85
"""Texts this alike (rapidfuzz's `token_set_ratio`) are the same option in other words."""
_MOST_DRAWN = 100


class DailyWords:
    """Tones and goals; drawing takes no longer where there are many."""

    def __init__(self, tones: Iterable[str], goals: Iterable[str]) -> None:
        self.tones = sorted(tones)
        self.goals = sorted(goals)

    def other_goal(self, goal: str, rng: Random) -> str | None:
        """A goal that is not this one in nearly the same words; None where there is none among many."""
        drawn = rng.sample(self.goals, min(_MOST_DRAWN, len(self.goals)))
        alike = partial(token_set_ratio, goal, processor=default_process)
        return next((other for other in drawn if alike(other) < NEAR), None)

    def tones_around(self, gold: str, rng: Random) -> list[str]:
        """A tone of the polarity of ``gold`` and two of another; none where there are too few or it is unknown."""
        polarity = polarity_of(gold)
        same = self._by_polarity.get(polarity or "", ())
        barred = self._alike.get((polarity, gold.lower()), ())
        there = [
            other for other in sorted(self._by_polarity) if other != polarity and len(self._by_polarity[other]) > 1
        ]
        if polarity is None or len(same) == len(barred) or not there:
            return []
        other = rng.choice(there)
        return [_choice(rng, same, barred), *rng.sample(self._by_polarity[other], 2)]

    @cached_property
    def _by_polarity(self) -> Mapping[str, Sequence[str]]:
        tones: dict[str, list[str]] = {}
        for tone in self.tones:
            polarity = polarity_of(tone)
            if polarity is not None:
                tones.setdefault(polarity, []).append(tone)
        return tones

    @cached_property
    def _alike(self) -> Mapping[tuple[str | None, str], Sequence[int]]:
        """Where the tones stand that are the same but for capitals."""
        places: dict[tuple[str | None, str], list[int]] = {}
        for polarity, tones in self._by_polarity.items():
            for place, tone in enumerate(tones):
                places.setdefault((polarity, tone.lower()), []).append(place)
        return places


def _choice(rng: Random, values: Sequence[str], barred: Collection[int]) -> str:
    """Any of the values but those at the barred places."""
    place = rng.choice(range(len(values) - len(barred)))
    for one in sorted(barred):
        place += one <= place
    return values[place]
