"""How many calls a play makes: the product of its factors, before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dtomtrack.scenarios.route.terms import PERSONAS, ROUTES, Ablation, Disturbance, Variant, cells

__all__ = ["Calls", "call_product"]


@dataclass(frozen=True)
class Calls:
    """Calls of a state, by stage, and of all states.

    Attributes:
        by_subject, by_judge: of one state; the paper's stages.
        blind: calls of one state that the paper does not make: of a judge that is told no route.
    """

    states: int
    by_subject: dict[str, int]
    by_judge: dict[str, int]
    blind: int

    @property
    def a_state(self) -> int:
        """Calls of a state, blind ones apart."""
        return sum(self.by_subject.values()) + sum(self.by_judge.values())

    @property
    def without_blind(self) -> int:
        """All calls but blind ones."""
        return self.states * self.a_state

    @property
    def all(self) -> int:
        """All calls."""
        return self.states * (self.a_state + self.blind)


def call_product(
    states: int,
    variants: Sequence[Variant],
    disturbances: Sequence[Disturbance],
    ablations: Sequence[Ablation] = (),
    *,
    placed: bool = False,
) -> Calls:
    """The calls of a play, if nothing has to be asked for again and all can be used.

    Args:
        placed: whether inferred states are placed among the options of published questions.
    """
    found = list(cells(variants, disturbances, ablations))
    written = [cell for cell in found if cell.written]
    whole = [cell for cell in written if cell.ablation == "none"]
    clean = sum(cell.disturbance == "clean" for cell in whole)
    by_subject = {
        "infer": len(PERSONAS),
        "choose": len(PERSONAS) * len(ROUTES),
        "write": clean,
        "write, disturbed": len(whole) - clean,
    }
    if placed:
        by_subject["place"] = len(PERSONAS)
    if ablations:
        by_subject["write, ablated"] = len(written) - len(whole)
    if "shuffled" in variants:
        by_subject["infer elsewhere"] = len(PERSONAS)
    tagged = sum(cell.ablation == "tags-shown" for cell in found)
    judged = len(found) - tagged
    by_judge = {"judge outcome": judged, "judge alignment": judged, "judge consistency": len(PERSONAS)}
    return Calls(states, by_subject, by_judge, len(written) + tagged)
