"""The states that a persuader of the closed loop is given: those behind the open doubt, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from dtomtrack.graphs.persuasion import Spoken
from dtomtrack.records import Record
from dtomtrack.scenarios.route.pack import Concern, RoutePack
from dtomtrack.scenarios.route.state import Mind, SceneState
from dtomtrack.suites.tomelp.loop.listener import best_route, mind_of
from dtomtrack.suites.tomelp.loop.records import ListensTo

__all__ = ["GivenListener", "Giving", "listens_to", "open_doubt", "somebody_else", "true_states"]


class GivenListener(Record):
    """What is known, or taken to be known, of a listener."""

    mind: Mind
    listens_to: ListensTo


Giving: TypeAlias = Callable[[Sequence[Spoken]], GivenListener]
"""Gives states to go by, from the lines so far."""


def listens_to(need: float) -> ListensTo:
    """The way in which somebody with a need for cognition decides."""
    route = best_route(need)
    return "unclear" if route is None else "evidence" if route == "central" else "cues"


def open_doubt(pack: RoutePack, lines: Sequence[Spoken]) -> Concern:
    """The doubt that a listener of this pack voiced last, which its wordings tell."""
    for line in reversed(lines):
        if line.by == "character":
            voiced = [one for one in pack.concerns if any(wording in line.text for wording in one.wordings)]
            if voiced:
                return voiced[-1]
    return pack.concerns[0]


def true_states(pack: RoutePack, need: float, first: Concern) -> Giving:
    """The states behind the open doubt, and how the listener decides.

    Args:
        first: the doubt before any of the pack's wordings is heard.
    """

    def give(lines: Sequence[Spoken]) -> GivenListener:
        doubt = open_doubt(pack, lines) if len(lines) > 1 else first
        return GivenListener(mind=mind_of(doubt), listens_to=listens_to(need))

    return give


def somebody_else(elsewhere: SceneState, need: float) -> Giving:
    """The states of the listener of another scene, who decides in another way than one of this need for cognition."""
    found = GivenListener(mind=elsewhere.minds["persuadee"], listens_to=listens_to(_other_need(elsewhere, need)))
    return lambda lines: found


def _other_need(elsewhere: SceneState, need: float) -> float:
    """The need on the other side of the middle; of who is in the middle, either end, by the other scene."""
    if listens_to(1 - need) != listens_to(need):
        return 1 - need
    return Random(f"other need/{elsewhere.id}").choice((0.0, 1.0))  # noqa: S311 - reproducible, no secret
