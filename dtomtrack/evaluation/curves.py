"""Curves: accuracy along the groups of one grouping, with a line for each group of another.

Items that lack one of the groupings are in no curve.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from dtomtrack.evaluation.grouping import groups_of, in_order, split
from dtomtrack.evaluation.records import Curve, CurveLine
from dtomtrack.evaluation.scored import ScoredAnswer

__all__ = ["CurveSpec", "HasCurves", "curves_of"]


@dataclass(frozen=True)
class CurveSpec:
    """A curve that a suite asks for.

    Attributes:
        name: in metrics, and of the figure's files, so lower-case letters, digits and hyphens.
        title: of the figure.
        along: the grouping whose groups are its points.
        axis: the axis in words; the label of that grouping, where empty.
        by: the grouping whose groups are its lines; one line for all, where empty.
        key: in words, one of the groups that its lines are ("number of changes").
        ordered: whether its points are steps on a scale and are joined; kinds, which are not, stand below each other.
        only: by grouping, the one group that items have to be of.
    """

    name: str
    title: str
    along: str
    axis: str = ""
    by: str = ""
    key: str = ""
    ordered: bool = True
    only: Mapping[str, str] = field(default_factory=dict)


@runtime_checkable
class HasCurves(Protocol):
    """A suite that asks for curves."""

    @property
    def curves(self) -> Sequence[CurveSpec]:
        """Its curves; those that its items have no groups for are left out."""
        ...


def curves_of(suite: object, order: Mapping[str, Sequence[str]], answers: Sequence[ScoredAnswer]) -> tuple[Curve, ...]:
    """The curves of a suite that have two points or more.

    Args:
        order: by grouping, the names of its groups in their order.
    """
    if not isinstance(suite, HasCurves):
        return ()
    return tuple(curve for spec in suite.curves if (curve := _curve(spec, order, answers)) is not None)


def _curve(spec: CurveSpec, order: Mapping[str, Sequence[str]], answers: Sequence[ScoredAnswer]) -> Curve | None:
    lines = tuple(_lines(spec, order, [one for one in answers if _applies(spec, one)]))
    points = {point.name for line in lines for point in line.points}
    if len(points) < 2:
        return None
    return Curve(name=spec.name, along=spec.along, by=spec.by, lines=lines)


def _lines(spec: CurveSpec, order: Mapping[str, Sequence[str]], answers: Sequence[ScoredAnswer]) -> Iterator[CurveLine]:
    groups = split(answers, spec.by) if spec.by else {"": list(answers)}
    for name in in_order(groups, order.get(spec.by, ())):
        yield CurveLine(name=name, points=groups_of(spec.along, groups[name], order.get(spec.along, ())))


def _applies(spec: CurveSpec, answer: ScoredAnswer) -> bool:
    groups = dict(answer.asked.groups)
    return {spec.along, spec.by or spec.along} <= groups.keys() and spec.only.items() <= groups.items()
