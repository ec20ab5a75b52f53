"""The course of a scene: which doubt is voiced when, and which strategies were tried before.

Strategies are ordered pairs of doubts: what each answers for a listener who weighs evidence, and for one who goes by
cues. A doubt can be asked about where exactly one of its two strategies was tried for either listener: then the other
one is right, the tried one is wrong for having been tried, and nothing but the dialogue tells which is which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

from dtomtrack.scenarios.route.pack import Concern, RoutePack, Strategy, strategies_for
from dtomtrack.scenarios.route.terms import PERSONAS, Persona

__all__ = ["Move", "draw_course"]

_MOST_USES = 2
_SETTLES = 0.6
"""How often the scene's persuader settles a doubt, where that can be."""


@dataclass(frozen=True)
class Move:
    """A doubt, and what leads up to it.

    Attributes:
        tried: the strategies of the persuader's line before the doubt.
        settled: whether that line settled the doubt before.
        then: the strategy that the scene's persuader follows next, and whether that settles this doubt.
    """

    concern: str
    tried: tuple[Strategy, ...]
    settled: bool
    then: Strategy
    effective: bool


@dataclass(frozen=True)
class _Step:
    strategy: Strategy
    concern: str
    effective: bool


def draw_course(pack: RoutePack, listener: Persona, states: int, rng: Random) -> list[Move]:
    """The moves of a scene of so many states.

    Args:
        listener: whom the scene's persuader talks to; decides which of its moves settle a doubt.
    """
    while True:
        # now and then nothing is left to be tried; the next draw goes another way
        moves = _course(pack, listener, states, rng)
        if moves is not None:
            return moves


def _course(pack: RoutePack, listener: Persona, states: int, rng: Random) -> list[Move] | None:
    tried, concern = _opening(pack, rng)
    uses, voiced = Counter(tried), Counter([concern])
    settled, moves = False, list[Move]()
    for number in range(states):
        steps = _steps(pack, listener, concern, uses, voiced, last=number == states - 1)
        if not steps:
            return None
        step = rng.choice(_preferred(steps, rng.random() < _SETTLES, uses))
        moves.append(Move(concern, tried, settled, step.strategy, step.effective))
        uses[step.strategy] += 1
        voiced[step.concern] += 1
        concern, tried, settled = step.concern, (step.strategy,), step.effective
    return moves


def _opening(pack: RoutePack, rng: Random) -> tuple[tuple[Strategy, ...], str]:
    """Two strategies to begin with, and a doubt that can be asked about after them."""
    found = [
        (pair, one.id)
        for pair in permutations(pack.strategies, 2)
        for one in pack.concerns
        if _can_be_asked(pack, one.id, pair)
    ]
    return rng.choice(found)


def _can_be_asked(pack: RoutePack, concern: str, tried: Collection[Strategy]) -> bool:
    return all(sum(one in tried for one in strategies_for(pack, listener, concern)) == 1 for listener in PERSONAS)


def _steps(
    pack: RoutePack, listener: Persona, concern: str, uses: Counter[Strategy], voiced: Counter[str], *, last: bool
) -> list[_Step]:
    """What may come next; after the last doubt nothing more has to be asked about."""
    return [
        _Step(strategy, following.id, strategy.answers(listener) == concern)
        for strategy in pack.strategies
        for following in pack.concerns
        if (following.id != concern) == (strategy.answers(listener) == concern)
        and uses[strategy] < _MOST_USES
        and (last or _may_follow(pack, following, {*uses, strategy}, voiced))
    ]


def _may_follow(pack: RoutePack, concern: Concern, tried: Collection[Strategy], voiced: Counter[str]) -> bool:
    return voiced[concern.id] < len(concern.wordings) and _can_be_asked(pack, concern.id, tried)


def _preferred(steps: Sequence[_Step], settles: bool, uses: Counter[Strategy]) -> Sequence[_Step]:
    """Those that settle the doubt, or don't; among them, what was tried least often."""
    found = [one for one in steps if one.effective == settles] or steps
    fewest = min(uses[one.strategy] for one in found)
    return [one for one in found if uses[one.strategy] == fewest]
