"""Where wrong turns have to lie so that those on offer lie as right ones do.

Weights of equal parts of the way from a state's first expression to the end, the first first. They were fitted to five
packs together, until wrong turns, drawn with them, lay in each part as often as right ones: to 20,000 dialogues of
`apart`, 9,000 and, once more, 6,000 of `group`, 1,000 and, once more, 2,500 of `hard` and 200 of `extreme`. In
dialogues of up to 60 turns or so that does not tell everything: minds change at some moments of the whole dialogue more
than at others, and who has to learn of something first changes their mind late. So turns weigh by their moment, too,
and in those of middling length knowledge has weights of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dtomtrack.beliefs.question import Asks

__all__ = ["typical_moments", "typical_turns"]

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
            *(0.12, 0.63, 2.69, 3.02, 2.72, 2.36, 1.37, 0.96, 0.8, 0.59),
            *(0.48, 0.56, 0.71, 0.45, 0.43, 0.5, 0.37, 0.44, 0.45, 0.35),
        ),
        "last_change": (
            *(0.37, 0.28, 0.54, 0.39, 0.4, 0.29, 0.44, 0.39, 0.67, 0.65),
            *(0.75, 0.89, 0.96, 0.96, 1.32, 2.11, 2.97, 3.0, 1.97, 0.66),
        ),
    },
    3: {
        "first_change": (
            *(0.0022, 0.55, 5.83, 6.4, 2.29, 1.41, 0.89, 0.68, 0.38, 0.32),
            *(0.27, 0.23, 0.13, 0.093, 0.13, 0.08, 0.081, 0.12, 0.039, 0.057),
        ),
        "last_change": (
            *(0.0044, 0.038, 0.14, 0.16, 0.11, 0.15, 0.23, 0.28, 0.52, 0.37),
            *(0.82, 0.99, 1.0, 1.17, 1.07, 3.68, 4.36, 2.73, 1.71, 0.48),
        ),
    },
}
_MOMENTS: Mapping[bool, Weights] = {
    False: {
        "first_change": (1.32, 2.95, 1.43, 1.33, 1.22, 0.94, 0.46, 0.18, 0.11, 0.068),
        "last_change": (0.22, 0.15, 0.28, 0.3, 0.46, 0.59, 0.82, 2.52, 3.69, 0.98),
    },
    True: {
        "first_change": (0.15, 0.16, 0.094, 0.4, 0.45, 1.28, 1.0, 1.46, 3.32, 1.67),
        "last_change": (0.35, 0.25, 0.15, 0.22, 0.3, 0.73, 0.93, 2.45, 2.83, 1.8),
    },
}
"""Weights of equal parts of all turns at which a mind can change, by whether it is a piece of knowledge."""
_MOMENTS_OF_MANY: Weights = {
    "first_change": (
        *(0.04, 0.5, 1.08, 0.95, 1.12, 1.2, 1.25, 1.2, 1.25, 1.13, 1.1, 1.07, 1.15, 1.05),
        *(0.88, 0.8, 0.72, 0.75, 0.78, 0.74, 0.76, 0.8, 0.75, 0.7, 0.74, 0.75, 0.9, 0.5),
    ),
    "last_change": (
        *(0.5, 0.5, 0.6, 0.6, 0.5, 0.58, 0.5, 0.55, 0.52, 0.56, 0.6, 0.88, 0.9, 0.87),
        *(0.9, 0.92, 0.9, 1.05, 1.15, 1.18, 1.12, 1.03, 1.1, 1.02, 1.08, 1.3, 1.18, 0.42),
    ),
}
"""The same for dialogues like those of `hard`: in their last two turns hardly anybody changes their mind."""
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


def typical_moments(turns: int, asks: Asks, *, knowledge: bool) -> Sequence[float]:
    """The weights of equal parts of a dialogue of so many turns that is not short, wherever a state was first voiced.

    In the longest ones the way from the first word on says it all.
    """
    if turns >= _LONGEST:
        return (1.0,)
    return _MOMENTS_OF_MANY[asks] if turns >= _LONG else _MOMENTS[knowledge][asks]
