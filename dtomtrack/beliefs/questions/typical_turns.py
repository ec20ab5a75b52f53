"""Where wrong turns have to lie so that those on offer lie as right ones do.

Weights of equal parts of the way from a state's first expression to the end, the first first. They were fitted to five
packs together, until wrong turns, drawn with them, lay in each part as often as right ones: to 20,000 dialogues of
`apart`, 3,000 of `group`, 1,000 of `hard` and 200 of `extreme`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtomtrack.beliefs.question import Asks

__all__ = ["typical_turns"]

_LONG, _LONGEST = 40, 150
"""Turns from which on right turns lie otherwise than in those that are no short dialogues either."""

Weights = Mapping[Asks, Sequence[float]]

_SHORT: Mapping[int, Weights] = {
    2: {
        "first_change": (0.17, 0.68, 1.67, 1.5, 1.18, 0.8),
        "last_change": (0.081, 0.3, 1.72, 1.3, 1.31, 1.29),
    },
    3: {
        "first_change": (0.045, 0.49, 1.84, 2.69, 0.31, 0.62),
        "last_change": (0.013, 0.23, 3.12, 1.38, 0.17, 1.08),
    },
}
_MIDDLING: Mapping[int, Weights] = {
    2: {
        "first_change": (
            *(0.022, 0.74, 3.95, 5.93, 2.97, 2.18, 1.25, 0.72, 0.47, 0.32),
            *(0.36, 0.4, 0.24, 0.11, 0.093, 0.077, 0.061, 0.039, 0.03, 0.04),
        ),
        "last_change": (
            *(0.003, 0.016, 0.04, 0.035, 0.029, 0.048, 0.054, 0.091, 0.19, 0.075),
            *(0.23, 0.32, 0.41, 0.97, 1.32, 3.79, 4.89, 5.46, 1.65, 0.38),
        ),
    },
    3: {
        "first_change": (
            *(0.011, 0.46, 4.45, 6.48, 2.99, 2.16, 1.13, 0.61, 0.36, 0.27),
            *(0.3, 0.3, 0.18, 0.072, 0.064, 0.052, 0.039, 0.023, 0.016, 0.022),
        ),
        "last_change": (
            *(0.002, 0.008, 0.02, 0.019, 0.016, 0.027, 0.029, 0.051, 0.12, 0.047),
            *(0.15, 0.21, 0.3, 0.76, 1.2, 4.34, 5.22, 5.98, 1.33, 0.18),
        ),
    },
}
_OF_MANY: Mapping[int, Weights] = {
    _LONG: {
        "first_change": (2.78, 2.58, 1.55, 1.18, 0.73, 0.68, 0.23, 0.18, 0.063, 0.022),
        "last_change": (0.012, 0.078, 0.14, 0.14, 0.43, 0.5, 0.7, 1.58, 2.63, 3.79),
    },
    _LONGEST: {
        "first_change": (3.36, 2.41, 1.72, 1.11, 0.69, 0.35, 0.2, 0.1, 0.05, 0.012),
        "last_change": (0.005, 0.037, 0.16, 0.27, 0.42, 0.59, 0.99, 1.8, 2.71, 3.01),
    },
}


def typical_turns(turns: int, count: int, asks: Asks, *, short: bool) -> Sequence[float]:
    """The weights for so many wrong turns, 2 or 3, in a dialogue of so many turns.

    Of few turns the likeliest are soon all on offer, so that a third lies otherwise than two do.
    """
    if turns >= _LONG:
        return _OF_MANY[_LONGEST if turns >= _LONGEST else _LONG][asks]
    return (_SHORT if short else _MIDDLING)[count][asks]
