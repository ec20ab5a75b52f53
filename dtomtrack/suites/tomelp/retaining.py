"""Retention under disturbance (equations 6 and 7), with the null that the paper lacks: a redraw without disturbance.

Conditioned on a clean change and clipped at 1, retention falls by itself; a reply that is written and judged anew under
no disturbance says how far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dtomtrack.evaluation.bounded import Estimate, Part, Range, estimate, mean_score
from dtomtrack.scenarios.route.terms import Disturbance, Persona, Route
from dtomtrack.suites.tomelp.equations import retention
from dtomtrack.suites.tomelp.metrics import Retention
from dtomtrack.suites.tomelp.scoring import ReplyRow

__all__ = ["retention_of", "robust_of"]

_Instance: TypeAlias = tuple[int, str, Persona, Route]
"""The number of a scene, a state, for whom and by which route."""
_Attitudes: TypeAlias = Mapping[Disturbance, Mapping[_Instance, float]]

_UNIT = Range(0, 1)


def retention_of(rows: Sequence[ReplyRow]) -> tuple[Retention, ...]:
    """Retention under each disturbance that a variant was played under, the redraw among them."""
    found = _attitudes(rows)
    return tuple(_under(disturbance, found) for disturbance in found if disturbance != "clean")


def robust_of(rows: Sequence[ReplyRow], disturbances: Sequence[Disturbance]) -> Estimate:
    """Equation 7; nothing where a disturbance was not played, or has no valid instance."""
    found = _attitudes(rows)
    third = 1 / len(disturbances)
    return estimate([Part(_scores(_retained(found, one)), third) for one in disturbances], _UNIT)


def _attitudes(rows: Sequence[ReplyRow]) -> _Attitudes:
    found: dict[Disturbance, dict[_Instance, float]] = {}
    for row in rows:
        attitude, cell = row.scores.get("attitude"), row.cell
        if attitude is not None:
            found.setdefault(cell.disturbance, {})[row.scene, row.state, cell.persona, cell.route] = attitude
    return found


def _retained(found: _Attitudes, disturbance: Disturbance) -> dict[_Instance, float]:
    clean, disturbed = found.get("clean", {}), found.get(disturbance, {})
    shares = {instance: retention(one, clean.get(instance)) for instance, one in disturbed.items()}
    return {instance: share for instance, share in shares.items() if share is not None}


def _scores(by_instance: Mapping[_Instance, float]) -> list[tuple[int, float]]:
    return [(instance[0], value) for instance, value in by_instance.items()]


def _under(disturbance: Disturbance, found: _Attitudes) -> Retention:
    clean, retained = found.get("clean", {}), _retained(found, disturbance)
    change = {instance: one - clean[instance] for instance, one in found[disturbance].items() if instance in clean}
    return Retention(
        disturbance=disturbance,
        retained=mean_score(_scores(retained), _UNIT),
        change=mean_score(_scores(change), Range(-2, 2)),
        beyond_null=None if disturbance == "redraw" or "redraw" not in found else _beyond(retained, found),
    )


def _beyond(retained: Mapping[_Instance, float], found: _Attitudes) -> Estimate:
    null = _retained(found, "redraw")
    both = {instance: share - null[instance] for instance, share in retained.items() if instance in null}
    return mean_score(_scores(both), Range(-1, 1))
