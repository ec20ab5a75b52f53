"""Ways through a conversation: a strategy for each round, and the worries that are alive after it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

from dtomtrack.scenarios.persuasion.pack import GoalPack, Strategy

__all__ = ["Step", "find_path", "has_path"]

Step = tuple[Strategy, tuple[str, ...]]
"""A strategy, and the ids of the worries that are alive after it, in the order of the pack."""
_STARTS = 20
"""Sets of worries before the first round that are drawn; if none of them leads on, all are gone through."""
_STEPS = 20_000
"""After so many a search looks ahead. It doesn't from the start, as it would draw other numbers."""

_Alive = frozenset[str]
_Found = list[tuple[Strategy, _Alive]]


def find_path(goal: GoalPack, sizes: Sequence[int], rng: Random) -> list[Step] | None:
    """A strategy for each round, none twice nor, where it can be, any principle; None if there is no way.

    Args:
        sizes: how many worries are to be alive after each round.
    """
    order = [one.id for one in goal.concerns]
    starts = [frozenset(rng.sample(order, sizes[0])) for _ in range(_STARTS)]
    search = _Search(goal, sizes, rng, _STEPS)
    for varied, start in (*product((True, False), starts), *product((False,), _starts(goal, sizes))):
        found = search.way(start, (), varied=varied)
        if found is not None:
            return [(strategy, tuple(one for one in order if one in alive)) for strategy, alive in found]
    return None


def has_path(goal: GoalPack, sizes: Sequence[int]) -> bool:
    """Whether there is a way; see `find_path`."""
    search = _Search(goal, sizes, Random(0), 0)  # noqa: S311 - whether, not which
    return any(search.way(start, (), varied=False) is not None for start in _starts(goal, sizes))


def _starts(goal: GoalPack, sizes: Sequence[int]) -> list[_Alive]:
    return [frozenset(one) for one in combinations([one.id for one in goal.concerns], sizes[0])]


class _Search:
    """Draws strategies round by round, and goes back where it is stuck.

    Args:
        steps: after which it looks ahead, and remembers where it was stuck.
    """

    def __init__(self, goal: GoalPack, sizes: Sequence[int], rng: Random, steps: int) -> None:
        self._goal = goal
        self._sizes = sizes
        self._rng = rng
        self._steps = steps
        self._leads_on: dict[tuple[_Alive, int], bool] = {}
        self._stuck = set[tuple[_Alive, frozenset[str], bool]]()

    def way(self, alive: _Alive, used: tuple[Strategy, ...], *, varied: bool) -> _Found | None:
        """The rest of the way from these worries, each principle once or not; None if there is none."""
        number = len(used)
        if number == len(self._sizes):
            return []
        self._steps -= 1
        spent = {one.principle for one in used} if varied else set[str]()
        place = (alive, frozenset(spent if varied else (one.label for one in used)), varied)
        if self._steps < 0 and (place in self._stuck or not self._can_lead_on(alive, number)):
            return None
        for strategy in self._rng.sample(self._goal.strategies, len(self._goal.strategies)):
            after = self._after(alive, strategy, number)
            if after is None or strategy in used or strategy.principle in spent:
                continue
            rest = self.way(after, (*used, strategy), varied=varied)
            if rest is not None:
                return [(strategy, after), *rest]
        self._stuck.add(place)
        return None

    def _can_lead_on(self, alive: _Alive, number: int) -> bool:
        """Whether strategies lead from these worries through the rest, if all may be used again."""
        if number == len(self._sizes):
            return True
        place = (alive, number)
        if place not in self._leads_on:
            found = (self._after(alive, one, number) for one in self._goal.strategies)
            self._leads_on[place] = any(one is not None and self._can_lead_on(one, number + 1) for one in found)
        return self._leads_on[place]

    def _after(self, alive: _Alive, strategy: Strategy, number: int) -> _Alive | None:
        """The worries after a strategy in a round; None if it can't be used there."""
        laid, raised = alive.intersection(strategy.addresses), frozenset(strategy.provokes) - alive
        if laid and raised:
            # it would lay some to rest and raise others
            return None
        after = (alive - laid) | raised
        # what does nothing has to be meant to help: who knows a strategy must not know whether it helps
        idle = number > 0 and after == alive and not strategy.addresses
        return None if idle or len(after) != self._sizes[number] else after
