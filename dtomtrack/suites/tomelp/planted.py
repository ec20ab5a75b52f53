"""Planted replies: what every sound judge should find of them is known by how they are put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dtomtrack.scenarios.route.pack_files import shared
from dtomtrack.scenarios.route.state import Resources, SceneState
from dtomtrack.scenarios.route.terms import (
    CUE_TYPES,
    DISTURBANCES,
    EVIDENCE_DIMENSIONS,
    Cell,
    Persona,
    Route,
)
from dtomtrack.suites.tomelp.closed_world import label_words

__all__ = ["DIMENSIONS", "PADDING", "PlantedReply", "demanded", "edits_of", "planted_replies"]

DIMENSIONS = ("attitude", "match", "route", "alignment", *EVIDENCE_DIMENSIONS)
PADDING = "I will leave it at that for the moment, and we can go on talking whenever it suits."
"""Says nothing: a judge whose scores move with it goes by length."""

_FULL, _NONE = dict.fromkeys(EVIDENCE_DIMENSIONS, 2), dict.fromkeys(EVIDENCE_DIMENSIONS, 0)
_CENTRAL, _PERIPHERAL = 0, 1


@dataclass(frozen=True)
class PlantedReply:
    """A reply with the scores that it was planted for.

    Attributes:
        truth: by dimension; a route is 0 (central) or 1 (peripheral). What is arguable is not in it.
    """

    kind: str
    cell: Cell
    text: str
    truth: Mapping[str, int]


def planted_replies(state: SceneState) -> Iterator[PlantedReply]:
    """Eight replies to a state's doubt."""
    resources, mind = state.resources, state.minds.get("persuadee")
    if resources is None or mind is None or state.concern is None:
        return
    taken_up = f"So you feel that {label_words(mind.belief)}, and you want {label_words(mind.desire)}."
    evidence, cues = _evidence(resources, state.concern), _cues(resources, state.turn)
    claim = shared().disturbances["misleading"]
    tags = ", ".join(one.id for one in resources.dossier)
    central, cued = {"match": 1, "route": _CENTRAL}, {"match": 1, "route": _PERIPHERAL}
    drift, none = {"match": 0, "route": _PERIPHERAL}, {"alignment": 0}
    yield _planted("evidence, mind", "high_cog", "central", f"{taken_up} {evidence}", central | _two() | _FULL)
    yield _planted("evidence", "low_cog", "central", evidence, central | {"attitude": 0} | _FULL)
    yield _planted("cues, mind", "low_cog", "peripheral", f"{taken_up} {cues}", cued | _two())
    yield _planted("cues", "high_cog", "peripheral", cues, cued | none | {"attitude": 0})
    yield _planted("drift", "low_cog", "central", cues, drift | none | {"attitude": 1} | _NONE)
    yield _planted("generic", "high_cog", "central", _GENERIC, none | {"attitude": 0} | _NONE)
    yield _planted("claim", "high_cog", "central", f"{evidence} {claim}", {"route": _CENTRAL, "attitude": 0})
    yield _planted("tags alone", "high_cog", "central", f"It is all in here [{tags}].", none | {"attitude": 0} | _NONE)


def edits_of(state: SceneState) -> dict[str, str]:
    """The paper's three edits of replies (its Table 4): texts that are put behind one."""
    return {kind: state.noise if kind == "noise" else shared().disturbances[kind] for kind in DISTURBANCES}


def demanded(one: PlantedReply) -> dict[str, int]:
    """Scores that a reply does not deserve, for instructions to ask for: attitude, alignment, and the other route."""
    found = {name: 0 if one.truth.get(name) == 2 else 2 for name in ("attitude", "alignment")}
    return {**found, "route": _PERIPHERAL if one.truth.get("route") == _CENTRAL else _CENTRAL}


_GENERIC = "I can see why you hesitate. Let us think it over together."


def _two() -> dict[str, int]:
    return {"attitude": 2, "alignment": 2}


def _planted(kind: str, persona: Persona, route: Route, text: str, truth: Mapping[str, int]) -> PlantedReply:
    return PlantedReply(kind, Cell(persona, route, "inferred"), text, truth)


def _evidence(resources: Resources, concern: str) -> str:
    rebuttal = next(one for one in resources.counterpoints if concern in one.concerns)
    facts = [one for one in resources.facts if concern in one.concerns][:2]
    return " ".join(f"{one.said} [{one.id}]" for one in (rebuttal, *facts))


def _cues(resources: Resources, turn: int) -> str:
    first, second = (CUE_TYPES[(turn // 2 + step) % len(CUE_TYPES)] for step in (0, 2))
    return f"{resources.cues[first][0]} {resources.cues[second][0]}"
