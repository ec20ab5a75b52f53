"""Contrasts of variants: what knowing the mind changes, what inference costs, and what any block of text would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import TypeAlias

from dtomtrack.evaluation.bounded import Part, Range, estimate, mean_score
from dtomtrack.evaluation.equivalence import equivalence
from dtomtrack.scenarios.route.terms import PERSONAS, ROUTES, Persona, Route, Variant
from dtomtrack.suites.tomelp.columns import Columns
from dtomtrack.suites.tomelp.metrics import Contrast, GroupedEstimate
from dtomtrack.suites.tomelp.scoring import RANGES, ReplyRow

__all__ = ["COMPARED", "FIDELITY", "Contrasts"]

COMPARED: tuple[tuple[Variant, Variant], ...] = (
    ("inferred", "no_tom"),
    ("gold", "no_tom"),
    ("shuffled", "no_tom"),
    ("gold", "inferred"),
    ("inferred", "shuffled"),
)
"""tom_aware - no_tom; the price of inference (gold - inferred); the use of its content (inferred - shuffled)."""
FIDELITY = ("route_fit", "predicted", "substitution")
"""The scores of keeping to the route."""
_SCORES = ("attitude", "route_fit", "predicted", "evidence", "alignment", "substitution")

_Gain: TypeAlias = tuple[str, Variant, Variant, Persona, Route]
"""Of which score, of which variant minus which, for whom, by which route."""


class Contrasts:
    """The contrasts of a play, over clean cells; states are added one after another."""

    def __init__(self) -> None:
        self._gains = Columns[_Gain]()

    def add(self, rows: Iterable[ReplyRow]) -> None:
        """The clean replies of a state."""
        clean = {(row.cell.persona, row.cell.route, row.cell.variant): row for row in rows}
        for ((persona, route, own), row), (variant, minus) in product(clean.items(), COMPARED):
            other = clean.get((persona, route, minus))
            if own == variant and other is not None:
                for score, gain in _gains(row, other):
                    self._gains.add((score, variant, minus, persona, route), row.scene, gain)

    def figures(self, variants: Sequence[Variant]) -> tuple[Contrast, ...]:
        """All contrasts of variants that were played."""
        return tuple(
            self._contrast(score, variant, minus)
            for variant, minus in COMPARED
            if variant in variants and minus in variants
            for score in _SCORES
        )

    def _contrast(self, score: str, variant: Variant, minus: Variant) -> Contrast:
        most = RANGES.get(score, Range()).high
        within = Range(-most, most)
        cells = {one: self._gains[score, variant, minus, *one] for one in product(PERSONAS, ROUTES)}
        by_route = {
            route: list(chain.from_iterable(own for (_, of), own in cells.items() if of == route)) for route in ROUTES
        }
        gains = list(chain.from_iterable(cells.values()))
        parts = [Part(by_route["central"]), Part(by_route["peripheral"], -1.0)]
        return Contrast(
            score=score,
            variant=variant,
            minus=minus,
            estimate=mean_score(gains, within),
            cells=tuple(
                GroupedEstimate(estimate=mean_score(own, within), persona=persona, route=route)
                for (persona, route), own in cells.items()
            ),
            interaction=estimate(parts, Range(-2 * most, 2 * most)) if all(by_route.values()) else None,
            equivalence=equivalence(gains, RANGES.get(score, Range())),
        )


def _gains(row: ReplyRow, other: ReplyRow) -> Iterator[tuple[str, float]]:
    for score in _SCORES:
        after, before = row.scores.get(score), other.scores.get(score)
        if after is not None and before is not None:
            yield score, after - before
