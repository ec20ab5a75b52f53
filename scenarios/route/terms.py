"""The terms of the design: who listens, by which route, with which mental states at hand, under which disturbance.

Source: ToMELP, sections 3.2, 4.1 and 4.3; the roles are called persuader and persuadee throughout, which the paper's
ER and EE swap between its text and its prompts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, TypeAlias, get_args

__all__ = [
    "ABLATIONS",
    "CUE_TYPES",
    "DISTURBANCES",
    "EVIDENCE_DIMENSIONS",
    "PERSONAS",
    "ROUTES",
    "VARIANTS",
    "Ablation",
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
Ablation: TypeAlias = Literal[
    "none", "tags-shown", "tags-stripped", "unwarned", "elaboration-swapped", "no-counterpoints"
]
"""The part of the design that is taken away: the blind judge sees the tags too; no judge sees any; a disturbed prompt
doesn't say what to do about it; the judge rules takes either listener for the other; the writer has facts alone."""
CueType: TypeAlias = Literal["authority", "social_proof", "liking", "reciprocity", "scarcity"]

PERSONAS: tuple[Persona, ...] = get_args(Persona)
ROUTES: tuple[Route, ...] = get_args(Route)
VARIANTS: tuple[Variant, ...] = get_args(Variant)
DISTURBANCES: tuple[Disturbance, ...] = ("conflict", "noise", "misleading")
ABLATIONS: tuple[Ablation, ...] = get_args(Ablation)[1:]
_WRITTEN: tuple[Ablation, ...] = ("none", "unwarned", "no-counterpoints")
CUE_TYPES: tuple[CueType, ...] = get_args(CueType)
EVIDENCE_DIMENSIONS = ("relevance", "credibility", "sufficiency", "coherence", "specificity")


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell of the design: one reply of a state, or one that is judged under other conditions."""

    persona: Persona
    route: Route
    variant: Variant
    disturbance: Disturbance = "clean"
    ablation: Ablation = "none"

    def __str__(self) -> str:
        whole = f"{self.persona} {self.route} {self.variant} {self.disturbance}"
        return whole if self.ablation == "none" else f"{whole} {self.ablation}"

    @property
    def whole(self) -> Cell:
        """The same cell with nothing taken away."""
        return replace(self, ablation="none")

    @property
    def written(self) -> bool:
        """Whether a reply is written for it; where not, that of the whole cell is judged otherwise."""
        return self.ablation in _WRITTEN


def cells(
    variants: Sequence[Variant], disturbances: Sequence[Disturbance], ablations: Sequence[Ablation] = ()
) -> Iterator[Cell]:
    """The cells of a state: those without disturbance first, then those with one, then those that lack a part."""
    whole = [
        Cell(persona, route, variant, disturbance)
        for disturbance, persona, route, variant in product(("clean", *disturbances), PERSONAS, ROUTES, variants)
    ]
    yield from whole
    for ablation in ablations:
        yield from (replace(cell, ablation=ablation) for cell in whole if _matters(ablation, cell))


def _matters(ablation: Ablation, cell: Cell) -> bool:
    """Whether a cell has what is taken away: central replies have tags and counterpoints, disturbed ones warnings."""
    if ablation == "unwarned":
        return cell.disturbance in DISTURBANCES
    return cell.disturbance == "clean" and (cell.route == "central" or ablation == "elaboration-swapped")
