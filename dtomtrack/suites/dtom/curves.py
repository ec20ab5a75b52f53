"""The curves of DToM-Track: what is left of a mind as turns, changes and values go by, and as minds come apart."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.evaluation.curves import CurveSpec
from dtomtrack.suites.dtom.items import APART, DIFFERS, INTERFERENCE, REVISIONS, SINCE, TURNS

__all__ = ["CURVES"]

_LAG = "turns from the first expression to the end of the dialogue"
_CHANGES = "number of changes of the holder's state"


CURVES: Sequence[CurveSpec] = (
    CurveSpec("accuracy-by-lag", "Accuracy against lag", "lag", _LAG),
    CurveSpec("retention", "Retention: lag and changes", "lag", _LAG, by=REVISIONS, key=_CHANGES),
    CurveSpec("age", "Accuracy against age", SINCE, "turns from the expression to the turn asked about"),
    CurveSpec("interference", "Interference", INTERFERENCE, "other values said in between"),
    CurveSpec(
        "divergence",
        "Divergence: how minds came apart",
        APART,
        ordered=False,
        only={DIFFERS: "apart"},
    ),
    CurveSpec("order", "Order of the state", "order", "order"),
    CurveSpec("length", "Length", TURNS, "turns of the dialogue"),
)
"""The curves; each is there for data with such groups."""
