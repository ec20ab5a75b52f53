"""The course of a scene: which doubt is voiced when, and which strategies were tried before.

Doubts are the numbers 0, 1 and 2, strategies the six ordered pairs of them: what each answers for a listener who weighs
evidence, and for one who goes by cues. A doubt can be asked about where exactly one of its two strategies was tried for
either listener: then the other one is right, the tried one is wrong for having been tried, and nothing but the dialogue
tells which is which. A course stays one if its doubts change places: scenes of a topic share a course and differ in how
their doubts are laid on it, so that no strategy is right more often than another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import TypeAlias

from dtomtrack.scenarios.route.terms import PERSONAS, Persona

__all__ = ["LAYOUTS", "Move", "Pair", "answered", "draw_course", "pairs_for"]

Pair: TypeAlias = tuple[int, int]
"""A strategy: the doubts that it answers for high_cog and for low_cog."""

_DOUBTS = (0, 1, 2)
_PAIRS: tuple[Pair, ...] = tuple(permutations(_DOUBTS, 2))
LAYOUTS = tuple(permutations(_DOUBTS))
"""The ways in which the doubts of a topic can be laid on a course."""
_MOST_USES = 2
_MOST_VOICED = 4
_SETTLES = 0.6
"""How often the scene's persuader settles a doubt, where that can be."""


@dataclass(frozen=True)
class Move:
    """A doubt, and what leads up to it.

    Attributes:
        tried: the strategies of the persuader's line before the doubt.
        settled: whether that line settled the doubt before.
        effective: whether the persuader's next line settles this doubt.
    """

    doubt: int
    tried: tuple[Pair, ...]
    settled: bool
    effective: bool


@dataclass(frozen=True)
class _Step:
    strategy: Pair
    doubt: int
    effective: bool


def answered(strategy: Pair, listener: Persona) -> int:
    """The doubt that a strategy answers for a listener."""
    return strategy[PERSONAS.index(listener)]


def pairs_for(listener: Persona, doubt: int) -> tuple[Pair, ...]:
    """The two strategies that answer a doubt for a listener."""
    return tuple(one for one in _PAIRS if answered(one, listener) == doubt)


def draw_course(listener: Persona, states: int, rng: Random) -> list[Move]:
    """The moves of a scene of so many states.

    Args:
        listener: whom the scene's persuader talks to; decides which of its moves settle a doubt.
    """
    while True:
        # now and then nothing is left to be tried; the next draw goes another way
        moves = _course(listener, states, rng)
        if moves is not None:
            return moves


def _course(listener: Persona, states: int, rng: Random) -> list[Move] | None:
    tried: tuple[Pair, ...]
    tried, doubt = rng.choice([(pair, one) for pair in permutations(_PAIRS, 2) for one in _DOUBTS if _known(one, pair)])
    uses, voiced = Counter[Pair](tried), Counter([doubt])
    settled, moves = False, list[Move]()
    for number in range(states):
        steps = list(_steps(listener, doubt, uses, voiced, last=number == states - 1))
        if not steps:
            return None
        step = rng.choice(_preferred(steps, rng.random() < _SETTLES, uses))
        moves.append(Move(doubt, tried, settled, step.effective))
        uses[step.strategy] += 1
        voiced[step.doubt] += 1
        doubt, tried, settled = step.doubt, (step.strategy,), step.effective
    return moves


def _known(doubt: int, tried: Collection[Pair]) -> bool:
    """Whether a doubt can be asked about once these strategies were tried."""
    return all(sum(one in tried for one in pairs_for(listener, doubt)) == 1 for listener in PERSONAS)


def _steps(listener: Persona, doubt: int, uses: Counter[Pair], voiced: Counter[int], *, last: bool) -> list[_Step]:
    """What may come next; after the last doubt nothing more has to be asked about."""
    return [
        _Step(strategy, following, answered(strategy, listener) == doubt)
        for strategy in _PAIRS
        for following in _DOUBTS
        if (following != doubt) == (answered(strategy, listener) == doubt)
        and uses[strategy] < _MOST_USES
        and (last or (voiced[following] < _MOST_VOICED and _known(following, {*uses, strategy})))
    ]


def _preferred(steps: Sequence[_Step], settles: bool, uses: Counter[Pair]) -> Sequence[_Step]:
    """Those that settle the doubt, or don't; among them, what was tried least often."""
    found = [one for one in steps if one.effective == settles] or steps
    fewest = min(uses[one.strategy] for one in found)
    return [one for one in found if uses[one.strategy] == fewest]
