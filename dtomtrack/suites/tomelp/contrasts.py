"""Contrasts of variants: what knowing the mind changes, what inference costs, and what any block of text would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from dtomtrack.evaluation.bounded import Part, Range, estimate, mean_score
from dtomtrack.scenarios.route.terms import PERSONAS, ROUTES, Persona, Route, Variant
from dtomtrack.suites.tomelp.metrics import Contrast, GroupedEstimate
from dtomtrack.suites.tomelp.scoring import RANGES, ReplyRow

__all__ = ["COMPARED", "contrasts_of"]

COMPARED: tuple[tuple[Variant, Variant], ...] = (
    ("inferred", "no_tom"),
    ("gold", "no_tom"),
    ("shuffled", "no_tom"),
    ("gold", "inferred"),
    ("inferred", "shuffled"),
)
"""tom_aware - no_tom; the price of inference (gold - inferred); the use of its content (inferred - shuffled)."""
_SCORES = ("attitude", "route_fit", "predicted", "evidence", "alignment", "substitution")

_Gain: TypeAlias = tuple[int, Persona, Route, float]
"""The number of a scene, for whom, by which route, and the difference."""


def contrasts_of(rows: Iterable[ReplyRow], variants: Sequence[Variant]) -> tuple[Contrast, ...]:
    """All contrasts of variants that were played, over clean cells."""
    clean = {(row.state, row.cell.persona, row.cell.route, row.cell.variant): row for row in _clean(rows)}
    return tuple(
        _contrast(score, variant, minus, list(_gains(clean, score, variant, minus)))
        for variant, minus in COMPARED
        if variant in variants and minus in variants
        for score in _SCORES
    )


def _clean(rows: Iterable[ReplyRow]) -> Iterator[ReplyRow]:
    return (row for row in rows if row.cell.disturbance == "clean")


_Clean: TypeAlias = Mapping[tuple[str, Persona, Route, Variant], ReplyRow]


def _gains(clean: _Clean, score: str, variant: Variant, minus: Variant) -> Iterator[_Gain]:
    for (state, persona, route, own), row in clean.items():
        other = clean.get((state, persona, route, minus))
        if own != variant or other is None:
            continue
        after, before = row.scores.get(score), other.scores.get(score)
        if after is not None and before is not None:
            yield row.scene, persona, route, after - before


def _contrast(score: str, variant: Variant, minus: Variant, gains: Sequence[_Gain]) -> Contrast:
    most = RANGES.get(score, Range()).high
    within = Range(-most, most)
    by_route = {route: [(scene, gain) for scene, _, own, gain in gains if own == route] for route in ROUTES}
    parts = [Part(by_route["central"]), Part(by_route["peripheral"], -1.0)]
    return Contrast(
        score=score,
        variant=variant,
        minus=minus,
        estimate=mean_score([(scene, gain) for scene, _, _, gain in gains], within),
        cells=tuple(
            GroupedEstimate(
                estimate=mean_score([(one[0], one[3]) for one in gains if one[1:3] == (persona, route)], within),
                persona=persona,
                route=route,
            )
            for persona, route in product(PERSONAS, ROUTES)
        ),
        interaction=estimate(parts, Range(-2 * most, 2 * most)) if all(by_route.values()) else None,
    )
