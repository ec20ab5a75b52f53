"""The curves of DToM-Track: what is left of a mind as turns, changes and values go by, and as minds come apart."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.evaluation.curves import CurveSpec
from dtomtrack.suites.dtom.items import ABSENT

__all__ = ["CURVES"]

_ABSENT = frozenset((ABSENT,))
_LAG = "turns from the first expression to the end of the dialogue"
_REVISIONS = "number of changes of the holder's state"


def _curve(name: str, title: str, along: str, axis: str = "", *, by: str = "", key: str = "") -> CurveSpec:
    return CurveSpec(name, title, along, axis, by, key, absent=_ABSENT)


CURVES: Sequence[CurveSpec] = (
    _curve("accuracy-by-lag", "Accuracy against lag", "lag", _LAG),
    _curve("retention", "Retention: lag and changes", "lag", _LAG, by="revisions", key=_REVISIONS),
    _curve("age", "Accuracy against age", "since", "turns from the expression to the turn asked about"),
    _curve("interference", "Interference", "interference", "other values said in between"),
    CurveSpec(
        "divergence",
        "Divergence: how minds came apart",
        "apart",
        ordered=False,
        absent=_ABSENT,
        only={"differs": "apart"},
    ),
    _curve("order", "Order of the state", "order", "order"),
    _curve("length", "Length", "turns", "turns of the dialogue"),
)
"""The curves; each is there for data with such groups."""
