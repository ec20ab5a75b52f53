"""Where wrong turns have to lie so that those on offer lie as right ones do, and which changes to ask about for it.

Minds change at some places of the way from a state's first expression to the end more than at others, and at some
moments of the whole dialogue, each kind of state at its own: who has to learn of something first changes their mind
late. Wrong turns are drawn with weights of these, which were fitted to what the five built-in packs make
(``benchmarks/wrong_turns.py``, which writes ``typical_turns.yaml``), until right ones were right no more often at one
turn than at another. Where an agent has no more turns than are on offer, only what is asked about can be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from dtomtrack.beliefs.mental_state import MentalState
from dtomtrack.beliefs.question import Asks
from dtomtrack.packaged import packaged_yaml
from dtomtrack.records import Record

__all__ = [
    "Side",
    "asked_shares",
    "stable_weight",
    "typical_moments",
    "typical_of_side",
    "typical_places",
    "typical_turns",
]

_LONG, _LONGEST = 40, 150
"""Turns from which on right turns lie otherwise than in those that are no short dialogues either."""

Side = Literal["first", "second", "either"]
"""Whose thing a topic is: of the second agent, who mostly has to hear first what it is about; of either side, whoever
holds it; or of the first agent, or one who came with them."""
Weights = Mapping[Asks, tuple[float, ...]]


class _Length(Record):
    """The weights for dialogues of about one length, the first part first.

    Attributes:
        ways: of equal parts of the way from a state's first expression to the end, by how many wrong turns are drawn:
            of few turns the likeliest are soon all on offer, so that a third lies otherwise than two do.
        moments: of equal parts of all turns at which a mind can change, by mental state.
        places: of several draws of wrong turns, what each weighs by how many of them lie before the right one, by whose
            thing the topic is and by their number. None where any draw will do.
        sides: of the same parts, by whose thing the topic is; a turn weighs the product. None where that tells nothing.
        asked: of changes in each of these parts, the share that is asked about, where minds mostly change at few turns
            and no wrong turn can be on offer twice.
        stable: how likely a state that never changed is to be asked about, by mental state.
    """

    ways: Mapping[int, Weights] = {}
    moments: Mapping[MentalState, Weights] = {}
    sides: Mapping[Side, Weights] = {}
    places: Mapping[Side, Mapping[int, Weights]] = {}
    asked: Mapping[MentalState, Weights] = {}
    stable: Mapping[MentalState, float] = {}


@cache
def _lengths() -> Mapping[str, _Length]:
    read = packaged_yaml("dtomtrack.beliefs.questions", "typical_turns.yaml")
    return {name: _Length.model_validate(weights) for name, weights in read.items()}


def _of(turns: int) -> _Length:
    return _lengths()["longest" if turns >= _LONGEST else "long" if turns >= _LONG else "middling"]


def typical_turns(turns: int, count: int, asks: Asks) -> Sequence[float]:
    """The weights of equal parts of the way for so many wrong turns, 2 or 3, in a dialogue of so many turns."""
    return _of(turns).ways[count][asks]


def typical_moments(turns: int, state: MentalState, asks: Asks) -> Sequence[float]:
    """The weights of equal parts of a dialogue of so many turns, wherever a state of this kind was first voiced."""
    return _of(turns).moments[state][asks]


def typical_of_side(turns: int, side: Side, asks: Asks) -> Sequence[float]:
    """The same for what is a thing of one side, whatever kind of state it is."""
    return sides[side][asks] if (sides := _of(turns).sides) else (1.0,)


def typical_places(turns: int, side: Side, count: int, asks: Asks) -> Sequence[float]:
    """What a draw of wrong turns weighs by how many of them lie before the right one; empty if all are alike."""
    return places[side][count][asks] if (places := _of(turns).places) else ()


def asked_shares(state: MentalState, asks: Asks) -> Sequence[float]:
    """Of changes in equal parts of a short dialogue in which everybody hears everything, the shares asked about."""
    return _lengths()["planned"].asked[state][asks]


def stable_weight(state: MentalState) -> float:
    """How likely a state that never changed is to be asked about, where everybody hears everything."""
    return _lengths()["planned"].stable[state]
