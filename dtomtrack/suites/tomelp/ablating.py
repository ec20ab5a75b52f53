"""Ablations: each reply with a part of the design taken away against the same reply of the whole design."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from typing import TypeAlias

from dtomtrack.evaluation.bounded import Range, mean_score
from dtomtrack.scenarios.route.terms import (
    ABLATIONS,
    DISTURBANCES,
    PERSONAS,
    ROUTES,
    VARIANTS,
    Ablation,
    Disturbance,
    Persona,
    Route,
    Variant,
)
from dtomtrack.suites.tomelp.columns import Columns
from dtomtrack.suites.tomelp.metrics import AblationEffect, GroupedEstimate
from dtomtrack.suites.tomelp.scoring import RANGES, ReplyRow

__all__ = ["Ablations"]

_SCORES: Mapping[Ablation, tuple[str, ...]] = {
    "tags-shown": ("predicted",),
    "tags-stripped": ("attitude", "evidence", "alignment"),
    "unwarned": ("attitude", "predicted"),
    "elaboration-swapped": ("attitude",),
    "no-counterpoints": ("attitude", "evidence", "predicted", "alignment"),
}
"""The scores that can change: all others are those of the whole design."""

_Group: TypeAlias = tuple[Ablation, Disturbance, Variant]


def _order(group: _Group) -> tuple[int, ...]:
    ablation, disturbance, variant = group
    return ABLATIONS.index(ablation), ("clean", *DISTURBANCES).index(disturbance), VARIANTS.index(variant)


class Ablations:
    """The ablations of a play; states are added one after another."""

    def __init__(self) -> None:
        self._changes = Columns[tuple[_Group, str, Persona, Route]]()

    def add(self, rows: Iterable[ReplyRow]) -> None:
        """All replies of a state."""
        by_cell = {row.cell: row for row in rows}
        for cell, row in by_cell.items():
            whole = by_cell.get(cell.whole)
            if cell.ablation == "none" or whole is None:
                continue
            group: _Group = (cell.ablation, cell.disturbance, cell.variant)
            for score in _SCORES[cell.ablation]:
                without, before = row.scores.get(score), whole.scores.get(score)
                if without is not None and before is not None:
                    self._changes.add((group, score, cell.persona, cell.route), row.scene, without - before)

    def figures(self) -> tuple[AblationEffect, ...]:
        """The effects of what was taken away, in the order of the design."""
        groups = dict.fromkeys(group for group, *_ in self._changes)
        return tuple(effect for group in sorted(groups, key=_order) for effect in self._effects(group))

    def _effects(self, group: _Group) -> Iterator[AblationEffect]:
        ablation, disturbance, variant = group
        for score in _SCORES[ablation]:
            most = RANGES.get(score, Range()).high
            within = Range(-most, most)
            cells = {
                (persona, route): own
                for persona, route in product(PERSONAS, ROUTES)
                if len(own := self._changes[group, score, persona, route])
            }
            yield AblationEffect(
                ablation=ablation,
                disturbance=disturbance,
                variant=variant,
                score=score,
                estimate=mean_score(chain.from_iterable(cells.values()), within),
                cells=tuple(
                    GroupedEstimate(estimate=mean_score(own, within), persona=persona, route=route)
                    for (persona, route), own in cells.items()
                ),
            )
