"""The terms of the design: who listens, by which route, with which mental states at hand, under which disturbance.

Source: ToMELP, sections 3.2, 4.1 and 4.3; the roles are called persuader and persuadee throughout, which the paper's
ER and EE swap between its text and its prompts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias, get_args

__all__ = [
    "CUE_TYPES",
    "DISTURBANCES",
    "EVIDENCE_DIMENSIONS",
    "PERSONAS",
    "ROUTES",
    "VARIANTS",
    "Cell",
    "CueType",
    "Disturbance",
    "Persona",
    "Role",
    "Route",
    "Variant",
    "cells",
]

Role: TypeAlias = Literal["persuader", "persuadee"]
Persona: TypeAlias = Literal["high_cog", "low_cog"]
"""The listener: one who weighs evidence, or one with minutes to spare who goes by cues."""
Route: TypeAlias = Literal["central", "peripheral"]
Variant: TypeAlias = Literal["no_tom", "inferred", "gold", "shuffled"]
"""The mental states that the writer is given: none, those that the subject inferred (the paper's tom_aware), those
that hold by construction, or those that it inferred in another scene."""
Disturbance: TypeAlias = Literal["clean", "conflict", "noise", "misleading", "redraw"]
"""The text that is put into the writer's prompt; a redraw is clean, generated and judged anew."""
CueType: TypeAlias = Literal["authority", "social_proof", "liking", "reciprocity", "scarcity"]

PERSONAS: tuple[Persona, ...] = get_args(Persona)
ROUTES: tuple[Route, ...] = get_args(Route)
VARIANTS: tuple[Variant, ...] = get_args(Variant)
DISTURBANCES: tuple[Disturbance, ...] = ("conflict", "noise", "misleading")
CUE_TYPES: tuple[CueType, ...] = get_args(CueType)
EVIDENCE_DIMENSIONS = ("relevance", "credibility", "sufficiency", "coherence", "specificity")


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell of the design: one reply of a state."""

    persona: Persona
    route: Route
    variant: Variant
    disturbance: Disturbance = "clean"

    def __str__(self) -> str:
        return f"{self.persona} {self.route} {self.variant} {self.disturbance}"


def cells(variants: Sequence[Variant], disturbances: Sequence[Disturbance]) -> Iterator[Cell]:
    """The cells of a state, those without disturbance first."""
    for disturbance, persona, route, variant in product(("clean", *disturbances), PERSONAS, ROUTES, variants):
        yield Cell(persona, route, variant, disturbance)
