"""The states that a persuader of the closed loop is given: those behind the open doubt, or somebody else's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """The states of the listener of another scene, of another need for cognition."""
    found = GivenListener(mind=elsewhere.minds["persuadee"], listens_to=listens_to(need))
    return lambda lines: found
