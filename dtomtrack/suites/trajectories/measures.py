"""Figures of trajectories beside their accuracies: intrusions of what was held later, and whole trajectories."""

from __future__ import annotations

from collections.abc import Sequence

from dtomtrack.beliefs.question import QuestionType
from dtomtrack.evaluation.common_measures import joint_groups, whole_groups
from dtomtrack.evaluation.records import Interval, Measure
from dtomtrack.evaluation.scored import ScoredAnswer
from dtomtrack.evaluation.statistics import mean, rounded, share_against
from dtomtrack.suites.trajectories.questions import POST, UPDATE

__all__ = ["measures"]

_TYPES = [kind.value for kind in (QuestionType.PRE_UPDATE, QuestionType.POST_UPDATE, QuestionType.UPDATE_DETECTION)]


def measures(given: Sequence[ScoredAnswer]) -> tuple[Measure, ...]:
    """The figures from the answers that did not fail."""
    whole = whole_groups(
        joint_groups(given, UPDATE, _TYPES),
        _TYPES,
        name="trajectory",
        label="Before, after and when all right",
        over="changes",
    )
    return tuple(one for one in (_intrusion(given), whole) if one.items)


def _intrusion(given: Sequence[ScoredAnswer]) -> Measure:
    """Of wrong answers about before a change, those that name what was held later; chance is its share of the rest."""
    wrong = [one for one in given if one.asked.group("type") == _TYPES[0] and one.outcome == "wrong"]
    telling = [one for one in wrong if 0 < _chance(one) < 1]
    rate, p_value = share_against(
        [(one.asked.dialogue, POST in one.roles) for one in telling], [_chance(one) for one in telling]
    )
    chance = rounded(mean([_chance(one) for one in telling]))
    return Measure(
        name="intrusion",
        label="Intrusion of what is held later",
        estimate=rate,
        items=len(telling),
        over="wrong answers about before a change",
        count=sum(POST in one.roles for one in telling),
        reference=None if chance is None else Interval(value=chance, low=None, high=None),
        reference_label="chance",
        p_value=p_value,
    )


def _chance(one: ScoredAnswer) -> float:
    roles = [role for position, role in enumerate(one.asked.roles) if position not in one.asked.gold]
    return roles.count(POST) / len(roles) if roles else 0.0
