"""Retention under disturbance (equations 6 and 7), with the null that the paper lacks: a redraw without disturbance.

Conditioned on a clean change and clipped at 1, retention falls by itself; a reply that is written and judged anew under
no disturbance says how far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dtomtrack.evaluation.bounded import Estimate, Part, Range, estimate, mean_score
from dtomtrack.scenarios.route.terms import Disturbance, Persona, Route
from dtomtrack.suites.tomelp.columns import Columns
from dtomtrack.suites.tomelp.equations import retention
from dtomtrack.suites.tomelp.metrics import Retention
from dtomtrack.suites.tomelp.scoring import ReplyRow

__all__ = ["Retentions"]

_Instance: TypeAlias = tuple[Persona, Route]
"""For whom and by which route, in one state."""
_Attitudes: TypeAlias = Mapping[Disturbance, Mapping[_Instance, float]]

_UNIT = Range(0, 1)


class Retentions:
    """The retention of one variant; states are added one after another."""

    def __init__(self) -> None:
        self._retained = Columns[Disturbance]()
        self._changes = Columns[Disturbance]()
        self._beyond = Columns[Disturbance]()
        self._played = dict[Disturbance, None]()

    def add(self, rows: Sequence[ReplyRow]) -> None:
        """The replies of a state."""
        found = _attitudes(rows)
        self._played.update(dict.fromkeys(found))
        null = _retained(found, "redraw")
        for disturbance, own in found.items():
            if disturbance == "clean":
                continue
            scene, retained = rows[0].scene, _retained(found, disturbance)
            for instance, share in retained.items():
                self._retained.add(disturbance, scene, share)
                if instance in null:
                    self._beyond.add(disturbance, scene, share - null[instance])
            for instance, one in own.items():
                if instance in found.get("clean", {}):
                    self._changes.add(disturbance, scene, one - found["clean"][instance])

    def figures(self) -> tuple[Retention, ...]:
        """Retention under each disturbance that the variant was played under, the redraw among them."""
        return tuple(self._under(disturbance) for disturbance in self._played if disturbance != "clean")

    def robust(self, disturbances: Sequence[Disturbance]) -> Estimate:
        """Equation 7; nothing where a disturbance was not played, or has no valid instance."""
        third = 1 / len(disturbances)
        return estimate([Part(self._retained[one], third) for one in disturbances], _UNIT)

    def _under(self, disturbance: Disturbance) -> Retention:
        no_null = disturbance == "redraw" or "redraw" not in self._played
        return Retention(
            disturbance=disturbance,
            retained=mean_score(self._retained[disturbance], _UNIT),
            change=mean_score(self._changes[disturbance], Range(-2, 2)),
            beyond_null=None if no_null else mean_score(self._beyond[disturbance], Range(-1, 1)),
        )


def _attitudes(rows: Sequence[ReplyRow]) -> _Attitudes:
    found: dict[Disturbance, dict[_Instance, float]] = {}
    for row in rows:
        attitude, cell = row.scores.get("attitude"), row.cell
        if attitude is not None:
            found.setdefault(cell.disturbance, {})[cell.persona, cell.route] = attitude
    return found


def _retained(found: _Attitudes, disturbance: Disturbance) -> dict[_Instance, float]:
    clean, disturbed = found.get("clean", {}), found.get(disturbance, {})
    shares = {instance: retention(one, clean.get(instance)) for instance, one in disturbed.items()}
    return {instance: share for instance, share in shares.items() if share is not None}
