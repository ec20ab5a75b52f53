"""Figures as the paper reports them: to stand beside measured ones, never among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from dtomtrack.records import Record
from dtomtrack.suites.rectom.labels import Role

__all__ = ["ReportedFigures", "reported"]


class ReportedFigures(Record):
    """What the paper prints, in percent.

    Attributes:
        items: Table 1, by type.
        columns: the types in Table 4's order.
        accuracy: Table 4, by subject, a figure a column.
        bias: Table 5, by role and subject: prediction bias, false positive rate, recall of "no".
    """

    items: Mapping[str, int]
    columns: tuple[str, ...]
    accuracy: Mapping[str, tuple[float, ...]]
    bias: Mapping[Role, Mapping[str, tuple[float, float, float]]]


@cache
def reported() -> ReportedFigures:
    """The paper's figures."""
    # imported late: only tables and cards need them
    import yaml

    text = (resources.files("dtomtrack.suites.rectom") / "reported.yaml").read_text(encoding="utf-8")
    return ReportedFigures.model_validate(yaml.safe_load(text))
